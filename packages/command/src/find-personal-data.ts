import type { LogEntryInput } from '../../../shared/ingest/reading/entry-limits.ts';
import type { Finding } from '../../../shared/pii/finding.ts';
import type { PiiType } from '../../../shared/pii/pii-kind.ts';

export interface LocatedFinding {
  type: PiiType;
  country: string | undefined;
  /** The path of the field, or `message`. */
  field: string;
}

/** Finds the personal data of an entry, as the service counts it. */
export function findPersonalData({ message }: LogEntryInput, scan: (text: string) => Finding[]) {
  const inMessage = scan(message);
  const found = inMessage.map(({ type }) => ({ type, count: 1 }));
  const located = inMessage.map(({ type, country }): LocatedFinding => ({ type, country, field: 'message' }));
  return { inMessage, found, located };
}

import type { LogEntryInput } from '../../../shared/ingest/reading/entry-limits.ts';
import { findInEntry, findInFields, type Scan } from '../../../shared/pii/entry-findings.ts';
import type { PiiType } from '../../../shared/pii/pii-kind.ts';

export interface LocatedFinding {
  type: PiiType;
  country: string | undefined;
  /** The path of the field, or `message`. */
  field: string;
}

/** Finds the personal data of an entry, as the service counts it. */
export function findPersonalData(entry: LogEntryInput, scan: Scan) {
  const shared = entry.originFields === undefined ? [] : findInFields(entry.originFields, scan);
  const { inMessage, located: findings } = findInEntry(entry, scan, shared);
  const found = findings.map(({ type }) => ({ type, count: 1 }));
  const located = findings.map(
    ({ type, country, path }): LocatedFinding => ({ type, country, field: path === '' ? 'message' : path }),
  );
  return { inMessage, found, located };
}

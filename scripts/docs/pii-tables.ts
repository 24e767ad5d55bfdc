import type { PiiKind, PiiType } from '../../shared/pii/pii-kind.ts';
import { PII_KINDS } from '../../shared/pii/pii-kinds.ts';
import { tableOf } from './markdown.ts';

const header = ['scheme', 'country', 'name', 'written as', 'check', 'keyword', 'source'];

/** Renders the table of the kinds of one type. */
export function renderPiiTable(type: PiiType): string {
  const kinds: readonly PiiKind[] = PII_KINDS;
  const rows = kinds
    .filter((kind) => kind.type === type)
    .map(({ scheme, country, name, pattern, checksum, context, source }) => [
      `\`${scheme}\``,
      country ?? '',
      name,
      pattern,
      checksum,
      context,
      source,
    ]);
  return tableOf(header, rows);
}

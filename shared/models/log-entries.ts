import type { EntryColumns, LogBatch, LogEntry } from './log-batch.model.ts';

/** Of SHA-256. */
export const hashBytes = 32;

type Columns = Pick<LogBatch, 'columns' | 'entries'>;

/** The entries of a stored batch, of the present form or an earlier one. @throws TypeError if the batch is damaged. */
export function entriesOf({ columns, entries }: Columns): LogEntry[] {
  if (!columns) {
    if (!entries) throw new TypeError('A log batch has no entries.');
    return entries;
  }
  const { preview, sizeBytes, inputTokens, index, timestamp, source, level, pii = [], usage = [] } = columns;
  const hashes = hashesOf(columns);
  const list = preview.map((text, at): LogEntry => {
    const entry: LogEntry = {
      hash: hashes.slice(2 * hashBytes * at, 2 * hashBytes * (at + 1)),
      preview: text,
      sizeBytes: sizeBytes[at] as number,
      inputTokens: inputTokens[at] as number,
    };
    if (index) entry.index = index[at] as number;
    if (timestamp) entry.timestamp = new Date(timestamp[at] as number);
    if (typeof source?.[at] === 'string') entry.source = source[at];
    if (typeof level?.[at] === 'string') entry.level = level[at];
    return entry;
  });
  for (const { at, found } of pii) (list[at] as LogEntry).pii = found;
  for (const { at, own } of usage) (list[at] as LogEntry).usage = own;
  return list;
}

export const countStoredEntries = ({ columns, entries = [] }: Columns): number =>
  columns?.preview.length ?? entries.length;

/** The hashes of all entries as one hexadecimal text. */
function hashesOf({ hash }: EntryColumns): string {
  const bytes = hash instanceof Uint8Array ? hash : hash.value();
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

import type { BatchResults, EntryColumns, LogEntry, PackedEntries, StoredBytes } from './log-batch.model.ts';

/** Bytes of a SHA-256 digest. */
export const hashBytes = 32;

/** The stored form of the entries of a batch. */
export interface BatchEntries extends EntryColumns {
  /** SHA-256 of the messages, `hashBytes` each. */
  hashes: Uint8Array;
  previews: string[];
}

type Stored = Pick<BatchResults, 'packed'>;

const encoder = new TextEncoder();

export function packEntries({ hashes, previews, ...columns }: BatchEntries): PackedEntries {
  const lines = [JSON.stringify(columns)];
  for (const preview of previews) lines.push(JSON.stringify(preview));
  lines.push('');
  return { hashes, text: encoder.encode(lines.join('\n')) };
}

/** @throws TypeError if the batch is damaged. */
export function entriesOf({ packed: { hashes, text } }: Stored): LogEntry[] {
  const [first = '', ...previews] = bytesOf(text).toString().split('\n');
  // The last line ends as well.
  if (previews.length === 0) throw new TypeError('The entries of a log batch are damaged.');
  const {
    sizeBytes,
    inputTokens,
    index,
    timestamp,
    source,
    level,
    pii = [],
    usage = [],
  } = JSON.parse(first) as EntryColumns;
  const hexadecimal = bytesOf(hashes).toString('hex');
  const list = sizeBytes.map((size, at): LogEntry => {
    const entry: LogEntry = {
      hash: hexadecimal.slice(2 * hashBytes * at, 2 * hashBytes * (at + 1)),
      preview: JSON.parse(previews[at] as string) as string,
      sizeBytes: size,
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

function bytesOf(stored: StoredBytes): Buffer {
  const bytes = stored instanceof Uint8Array ? stored : stored.value();
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

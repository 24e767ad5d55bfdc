import { timestampOf } from './log-timestamp.ts';
import type { InputLine } from './read-lines.ts';

/** A request body and what stands in it. */
export interface LogBatch {
  body: string;
  entries: number;
  /** Lines left out since the batch before: those that the service would refuse. */
  skipped: number;
  /** Bytes of the input that this batch and what it left out came from. */
  readBytes: number;
}

/** What the service takes as one message, in bytes of UTF-8. */
export const longestMessage = 256 * 1024;
const longestBody = 5 * 1024 * 1024;

/**
 * Puts lines into bodies of at most `size` entries and 5 MiB. Lines are taken one by one and never all held. What was
 * skipped after the last entry comes as a batch without entries.
 */
export async function* batchLines(
  lines: AsyncIterable<InputLine> | Iterable<InputLine>,
  size: number,
  source: string,
): AsyncGenerator<LogBatch> {
  let entries: string[] = [];
  let bodyBytes = 2;
  let skipped = 0;
  let readBytes = 0;
  const take = (): LogBatch => {
    const batch = { body: `[${entries.join(',')}]`, entries: entries.length, skipped, readBytes };
    entries = [];
    bodyBytes = 2;
    skipped = 0;
    readBytes = 0;
    return batch;
  };
  for await (const { text, bytes } of lines) {
    const entry = text === undefined ? undefined : entryOf(text, source);
    if (entry === undefined) {
      skipped += 1;
    } else {
      const entryBytes = Buffer.byteLength(entry) + 1;
      if (entries.length > 0 && (entries.length === size || bodyBytes + entryBytes > longestBody)) yield take();
      entries.push(entry);
      bodyBytes += entryBytes;
    }
    readBytes += bytes;
  }
  if (entries.length > 0 || skipped > 0) yield take();
}

/** A line as an entry in JSON; undefined for one that the service would refuse: empty, too long, or with a NUL in it. */
function entryOf(message: string, source: string): string | undefined {
  if (message === '' || message.includes('\0') || Buffer.byteLength(message) > longestMessage) return undefined;
  const timestamp = timestampOf(message);
  return JSON.stringify({ message, source, ...(timestamp === undefined ? {} : { timestamp }) });
}

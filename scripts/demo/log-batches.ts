import { timestampOf } from './log-timestamp.ts';
import type { InputLine } from './read-lines.ts';

/** A request body and its contents. */
export interface LogBatch {
  body: string;
  entries: number;
  /**
   * Number of lines since the previous batch that were skipped because the service would refuse
   * them.
   */
  skipped: number;
  /** Bytes of the input that were read for this batch, including skipped lines. */
  readBytes: number;
}

/** Maximum length of a message in bytes of UTF-8. */
export const maxMessageBytes = 256 * 1024;
const maxBodyBytes = 5 * 1024 * 1024;

/**
 * Combines lines into bodies of at most `size` entries and 5 MiB, with one body in memory at a
 * time. Lines that are skipped after the last entry result in a batch without entries.
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
  const finishBatch = (): LogBatch => {
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
      if (entries.length > 0 && (entries.length === size || bodyBytes + entryBytes > maxBodyBytes)) yield finishBatch();
      entries.push(entry);
      bodyBytes += entryBytes;
    }
    readBytes += bytes;
  }
  if (entries.length > 0 || skipped > 0) yield finishBatch();
}

/**
 * The JSON of an entry; undefined if the service would refuse the line: an empty or too long line,
 * or one with NUL.
 */
function entryOf(message: string, source: string): string | undefined {
  if (message === '' || message.includes('\0') || Buffer.byteLength(message) > maxMessageBytes) return undefined;
  const timestamp = timestampOf(message);
  return JSON.stringify({ message, source, ...(timestamp === undefined ? {} : { timestamp }) });
}

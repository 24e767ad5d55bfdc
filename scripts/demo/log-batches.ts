import { isContinuation } from '../../shared/ingest/text-lines/continued-lines.ts';
import { LineTimes } from '../../shared/ingest/text-lines/line-times.ts';
import { utc } from '../../shared/ingest/text-lines/time-zone.ts';
import type { InputLine } from './read-lines.ts';

/** A request body and its contents. */
export interface LogBatch {
  /** Lines of text. */
  body: string;
  lines: number;
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
/** Maximum number of entries in a request. */
const maxLines = 1_000;

/**
 * Combines lines into bodies of at most 1,000 lines and 5 MiB, with one body in memory at a time. A
 * body of `size` lines ends before the next entry: the service reads times and joins lines within a
 * request. Lines that are skipped after the last entry result in a batch without lines.
 */
export async function* batchLines(
  lines: AsyncIterable<InputLine> | Iterable<InputLine>,
  size: number,
): AsyncGenerator<LogBatch> {
  const times = new LineTimes(utc, Date.now());
  let kept: string[] = [];
  let bodyBytes = 0;
  let skipped = 0;
  let readBytes = 0;
  let isTimed = false;
  const finishBatch = (): LogBatch => {
    const batch = { body: kept.join('\n'), lines: kept.length, skipped, readBytes };
    kept = [];
    bodyBytes = 0;
    skipped = 0;
    readBytes = 0;
    isTimed = false;
    return batch;
  };
  for await (const { text, bytes } of lines) {
    if (text === undefined || !isAccepted(text)) skipped += 1;
    else {
      const lineBytes = Buffer.byteLength(text) + 1;
      const hasTime = times.read(text) !== undefined;
      const isEntry = hasTime || (!isTimed && !isContinuation(text));
      const isFull = (kept.length >= size && isEntry) || kept.length === maxLines;
      if (kept.length > 0 && (isFull || bodyBytes + lineBytes > maxBodyBytes)) yield finishBatch();
      kept.push(text);
      bodyBytes += lineBytes;
      isTimed ||= hasTime;
    }
    readBytes += bytes;
  }
  if (kept.length > 0 || skipped > 0) yield finishBatch();
}

/** The service would refuse an empty or too long line, or one with NUL. */
const isAccepted = (line: string) =>
  line.trim() !== '' && !line.includes('\0') && Buffer.byteLength(line) <= maxMessageBytes;

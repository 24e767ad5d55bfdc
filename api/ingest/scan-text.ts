import { beginWithTimes, isContinuation } from '../../shared/ingest/text-lines/continued-lines.ts';
import type { LineTimes } from '../../shared/ingest/text-lines/line-times.ts';
import { isSliceOver, nextSlice } from '../../shared/process/time-slices.ts';
import type { ByteRange } from '../http/body/json-scanner.ts';
import { startOf } from './body-form.ts';

/** An entry of several lines has at most so many bytes. */
const maxJoinedBytes = 64 * 1024;
/** The start of a line that is read, with its first 128 characters. */
const headBytes = 512;

/**
 * Finds the entries of a text, in slices: its lines.
 * @param joinBy if given, lines that continue an entry are joined to it.
 * @returns null if there are more than `maxEntries`.
 */
export async function scanText(
  bytes: Buffer,
  maxEntries: number,
  joinBy: LineTimes | null,
): Promise<ByteRange[] | null> {
  const isTimed = joinBy !== null && beginWithTimes(headsOf(bytes), joinBy);
  const entries: { start: number; end: number }[] = [];
  /** The entries up to the last one that is not blank. */
  let length = 0;
  for (const line of linesOf(bytes)) {
    if (isSliceOver()) await nextSlice();
    const head = joinBy && headOf(bytes, line);
    const last = entries[length - 1];
    if (head?.trim() && last && line.end - last.start <= maxJoinedBytes) {
      if (isContinuation(head) || (isTimed && joinBy?.read(head) === undefined)) {
        last.end = line.end;
        // Blank lines within the entry are part of it.
        entries.length = length;
        continue;
      }
    }
    entries.push(line);
    if (head?.trim()) ({ length } = entries);
    if (entries.length > maxEntries) return null;
  }
  return entries;
}

const [lineFeed, carriageReturn] = [0x0a, 0x0d];

/** The lines of a text without their ends. */
function* linesOf(bytes: Buffer): Generator<{ start: number; end: number }> {
  let start = startOf(bytes);
  while (start < bytes.length) {
    const found = bytes.indexOf(lineFeed, start);
    const next = found === -1 ? bytes.length : found;
    yield { start, end: next > start && bytes[next - 1] === carriageReturn ? next - 1 : next };
    start = next + 1;
  }
}

const headOf = (bytes: Buffer, { start, end }: ByteRange) =>
  bytes.toString('utf8', start, Math.min(end, start + headBytes));

function* headsOf(bytes: Buffer): Generator<string> {
  for (const line of linesOf(bytes)) {
    const head = headOf(bytes, line);
    if (head.trim() !== '') yield head;
  }
}

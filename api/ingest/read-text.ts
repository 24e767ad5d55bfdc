import { canHaveUsage } from '../../shared/ingest/entry-usage.ts';
import { beginWithTimes, isContinuation } from '../../shared/ingest/text-lines/continued-lines.ts';
import { readLevel } from '../../shared/ingest/text-lines/line-level.ts';
import { LineTimes } from '../../shared/ingest/text-lines/line-times.ts';
import { openTimeZone, utc } from '../../shared/ingest/text-lines/time-zone.ts';
import { isSliceOver, nextSlice } from '../../shared/process/time-slices.ts';
import type { ByteRange } from '../http/body/json-scanner.ts';
import { bodyError } from '../http/body/request-body.ts';
import { maxFieldErrors } from '../http/field-errors.ts';
import { startOf } from './body-form.ts';
import { type EntryRules, faultError, type ParsedEntries, type TextLine, tooLongError } from './entry-reading.ts';
import type { IngestQuery } from './ingest.schemas.ts';
import type { IngestCost } from './ingest-budget.ts';

/** How lines of text become entries. */
export interface TextOptions extends Pick<IngestQuery, 'time' | 'zone' | 'join'> {
  /** Epoch milliseconds. */
  readonly receivedAt: number;
}

/** An entry of more bytes has a slice of its own. */
const sliceBytes = 256 * 1024;

/**
 * Reads the lines of a text as entries, in slices.
 * @param bytes of UTF-8; others are replaced.
 * @throws AppError when the text as a whole is not valid.
 */
export async function readText(
  bytes: Buffer,
  rules: EntryRules,
  options: TextOptions,
  cost: Pick<IngestCost, 'add'>,
): Promise<ParsedEntries> {
  // The order of the lines decides about their times, so each reader of times reads all lines.
  const createTimes = () => new LineTimes(openTimeZone(options.zone) ?? utc, options.receivedAt);
  const ranges = await scanText(bytes, rules.limits.entries, options.join === 'trace' ? createTimes() : null);
  const times = createTimes();
  if (ranges === null) throw faultError('entries', rules);
  if (ranges.length === 0 && !rules.isLenient) throw bodyError('must hold at least one log entry');
  cost.add(0, ranges.length);
  const entries: ParsedEntries = {
    single: false,
    valid: [],
    sent: null,
    positions: [],
    invalid: [],
    blank: 0,
    timed: 0,
    usageUnread: 0,
  };
  let errorCount = 0;
  let lastTime: number | undefined;
  for (const [index, { start, end }] of ranges.entries()) {
    if (isSliceOver() || end - start > sliceBytes) await nextSlice();
    if (end - start > rules.maxEntryBytes) {
      errorCount += 1;
      entries.invalid.push({ index, errors: [tooLongError(rules)] });
      continue;
    }
    const line: TextLine = { message: bytes.toString('utf8', start, end) };
    let isTimed = false;
    if (options.time === 'line') {
      const ownTime = times.read(line.message);
      isTimed = ownTime !== undefined;
      lastTime = ownTime ?? lastTime;
      if (lastTime !== undefined) line.timestamp = lastTime;
      const level = readLevel(line.message);
      if (level !== undefined) line.level = level;
    }
    const facts = {
      text: line.message,
      isSuspicious: line.message.includes('\0'),
      canHaveUsage: canHaveUsage(line.message),
      onlyFirst: errorCount >= maxFieldErrors,
    };
    const result = rules.readLine(line, facts);
    if (result === 'blank') entries.blank += 1;
    else if ('value' in result) {
      entries.valid.push(result.value);
      entries.positions.push(index);
      if (isTimed) entries.timed += 1;
      if (result.value.usageUnread) entries.usageUnread += 1;
    } else {
      errorCount += result.errors.length;
      entries.invalid.push({ index, errors: result.errors });
    }
  }
  return entries;
}

/** An entry of several lines has at most so many bytes. */
const maxJoinedBytes = 64 * 1024;
/** The start of a line that is read, with its first 128 characters. */
const headBytes = 512;

/**
 * Finds the entries of a text, in slices: its lines.
 * @param joinBy if given, lines that continue an entry are joined to it.
 * @returns null if there are more than `maxEntries`.
 */
async function scanText(bytes: Buffer, maxEntries: number, joinBy: LineTimes | null): Promise<ByteRange[] | null> {
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

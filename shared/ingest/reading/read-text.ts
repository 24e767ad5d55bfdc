import { bodyError, maxFieldErrors } from '../../json/field-errors.ts';
import type { ByteRange } from '../../json/json-scanner.ts';
import { isSliceOver, nextSlice } from '../../process/time-slices.ts';
import { type CriPrefix, readCriPrefix } from '../container-logs/cri-line.ts';
import { isPlausibleTime } from '../entry-time.ts';
import { canHaveUsage } from '../entry-usage.ts';
import { beginWithTimes, isContinuation } from '../text-lines/continued-lines.ts';
import { readLevel } from '../text-lines/line-level.ts';
import { LineTimes } from '../text-lines/line-times.ts';
import { openTimeZone, utc } from '../text-lines/time-zone.ts';
import { startOf } from './body-form.ts';
import type { LineOptions, ReadingCost } from './entry-limits.ts';
import { type EntryRules, faultError, type ParsedEntries, type TextLine, tooLongError } from './entry-rules.ts';
import { type LooseEntry, readContainerLine } from './loose-entry.ts';

/** How lines of text become entries. */
export interface TextOptions extends LineOptions {
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
  cost: ReadingCost,
): Promise<ParsedEntries> {
  // The order of the lines decides about their times, so each reader of times reads all lines.
  const createTimes = () => new LineTimes(openTimeZone(options.zone) ?? utc, options.receivedAt);
  const found = await scanText(bytes, rules.limits.entries, options.join === 'trace' ? createTimes() : null);
  if (found === null) throw faultError('entries', rules);
  if (found.length === 0 && !rules.isLenient) throw bodyError('must hold at least one log entry');
  const times = createTimes();
  const now = options.receivedAt;
  cost.add(0, found.length);
  const entries: ParsedEntries = {
    single: false,
    valid: [],
    positions: [],
    invalid: [],
    blank: 0,
    timed: 0,
    usageUnread: 0,
  };
  let errorCount = 0;
  let lastTime: number | undefined;
  for (const [index, entry] of found.entries()) {
    const size = sizeOf(entry);
    if (isSliceOver() || size > sliceBytes) await nextSlice();
    if (size > rules.maxEntryBytes) {
      errorCount += 1;
      entries.invalid.push({ index, errors: [tooLongError(rules)] });
      continue;
    }
    const { container } = entry;
    const line: TextLine = {
      message: entry.more ? textOf(bytes, entry) : bytes.toString('utf8', entry.start, entry.end),
    };
    let isTimed = false;
    if (options.time === 'line') {
      const ownTime = container ? plausible(container.time, now) : times.read(line.message);
      isTimed = ownTime !== undefined;
      lastTime = ownTime ?? lastTime;
      if (lastTime !== undefined) line.timestamp = lastTime;
      const level = readLevel(line.message);
      if (level !== undefined) line.level = level;
    }
    const facts = {
      text: line.message,
      isSuspicious: line.message.includes('\0'),
      canHaveUsage: mayBeObject(line.message) && canHaveUsage(line.message),
      onlyFirst: errorCount >= maxFieldErrors,
    };
    const result = container ? readContainer(line, container, rules, now) : rules.readLine(line, facts);
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

function readContainer(line: TextLine, { stream }: CriPrefix, { usageReader }: EntryRules, now: number): LooseEntry {
  const { message, ...others } = line;
  return readContainerLine(message, { ...others, stream }, { usageReader, now });
}

/** Whether a line begins with a brace or white space. */
const mayBeObject = (line: string) => line.charCodeAt(0) <= 0x20 || line.startsWith('{');

const plausible = (time: number, now: number) => (isPlausibleTime(time, now) ? time : undefined);

/** Where the text of an entry is in the bytes. */
interface TextEntry {
  start: number;
  end: number;
  /** Bytes that follow: of other parts and lines. */
  more?: Buffer[];
  moreBytes?: number;
  /** The prefix of a container runtime, which the text does not have. */
  container?: CriPrefix;
}

const sizeOf = ({ start, end, moreBytes = 0 }: TextEntry) => end - start + moreBytes;

const textOf = (bytes: Buffer, { start, end, more = [] }: TextEntry) =>
  Buffer.concat([bytes.subarray(start, end), ...more]).toString('utf8');

/** An entry of several lines has at most so many bytes. */
const maxJoinedBytes = 64 * 1024;
/** A line of a container log has at most so many bytes; what follows is an entry of its own. */
const maxPartsBytes = 256 * 1024;
/** The start of a line that is read, with its first 128 characters. */
const headBytes = 512;

/**
 * Finds the entries of a text, in slices: its lines.
 * @param joinBy if given, lines that continue an entry are joined to it.
 * @returns null if there are more than `maxEntries`.
 */
async function scanText(bytes: Buffer, maxEntries: number, joinBy: LineTimes | null): Promise<TextEntry[] | null> {
  const isTimed = joinBy !== null && beginWithTimes(headsOf(bytes), joinBy);
  const entries: TextEntry[] = [];
  /** The entries up to the last one that is not blank. */
  let length = 0;
  /** Lines of container logs whose end has not been read, by stream. */
  const open = new Map<string, TextEntry>();
  /** Whether a part of another entry has followed the last one. */
  let isInterrupted = false;
  for (const line of linesOf(bytes)) {
    if (isSliceOver()) await nextSlice();
    const container = readCriPrefix(bytes, line.start, line.end);
    if (container) {
      const partial = open.get(container.stream);
      line.start = container.textStart;
      // A line end that is not the runtime's is part of the text.
      if (container.isPart && bytes[line.end] === carriageReturn) line.end += 1;
      const isJoined = partial !== undefined && sizeOf(partial) + line.end - line.start <= maxPartsBytes;
      if (isJoined) append(partial, bytes.subarray(line.start, line.end));
      if (!container.isPart) open.delete(container.stream);
      if (isJoined) {
        isInterrupted = true;
        continue;
      }
    }
    const head = joinBy && headOf(bytes, line);
    const last = entries[length - 1];
    if (head?.trim() && last && last.container?.stream === container?.stream && canJoin(last, line)) {
      if (isContinuation(head) || (isTimed && joinBy?.read(head) === undefined)) {
        if (container || isInterrupted || last.more) append(last, lineEnd, bytes.subarray(line.start, line.end));
        else last.end = line.end;
        if (container?.isPart) open.set(container.stream, last);
        // Blank lines within the entry are part of it.
        entries.length = length;
        continue;
      }
    }
    isInterrupted = false;
    const entry: TextEntry = container ? { ...line, container } : line;
    if (container?.isPart) open.set(container.stream, entry);
    entries.push(entry);
    if (head?.trim() || container?.isPart) ({ length } = entries);
    if (entries.length > maxEntries) return null;
  }
  return entries;
}

const canJoin = (entry: TextEntry, line: ByteRange) =>
  (entry.container ? sizeOf(entry) + line.end - line.start : line.end - entry.start) <= maxJoinedBytes;

function append(entry: TextEntry, ...pieces: Buffer[]): void {
  entry.more ??= [];
  for (const piece of pieces) {
    entry.more.push(piece);
    entry.moreBytes = (entry.moreBytes ?? 0) + piece.length;
  }
}

const lineEnd = Buffer.from('\n');

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

/** The start of a line, without the prefix of a container runtime. */
const headOf = (bytes: Buffer, { start, end }: ByteRange) =>
  bytes.toString('utf8', start, Math.min(end, start + headBytes));

function* headsOf(bytes: Buffer): Generator<string> {
  for (const line of linesOf(bytes)) {
    line.start = readCriPrefix(bytes, line.start, line.end)?.textStart ?? line.start;
    const head = headOf(bytes, line);
    if (head.trim() !== '') yield head;
  }
}

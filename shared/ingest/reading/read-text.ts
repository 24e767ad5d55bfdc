import { isAscii } from 'node:buffer';
import { bodyError } from '../../json/field-errors.ts';
import { isSliceOver, nextSlice } from '../../process/time-slices.ts';
import { readLevel } from '../text-lines/line-level.ts';
import { beginWithTimes, isContinuation, LineTimes } from '../text-lines/line-times.ts';
import { isPlausibleTime } from '../text-lines/time-formats.ts';
import { openTimeZone, utc } from '../text-lines/time-zone.ts';
import { startOf } from './body-form.ts';
import { type CriPrefix, maxPartsBytes, readCriPrefix } from './container-logs.ts';
import { EntryList, type EntryRules, type TextLine } from './entry-list.ts';
import { readContainerLine } from './loose-entry.ts';

/** How lines of text become entries. */
export interface LineOptions {
  time: 'line' | 'arrival';
  /** The name of a zone in the IANA database. */
  zone: string;
  join: 'none' | 'trace';
}

export interface TextOptions extends LineOptions {
  /** Epoch milliseconds. */
  readonly receivedAt: number;
}

/** An entry of more bytes has a slice of its own. */
const sliceBytes = 256 * 1024;
/** An entry of several lines has at most so many bytes. */
const maxJoinedBytes = 64 * 1024;
/** The start of a line that is read, with its first 128 characters. */
const headBytes = 512;

/** Reads lines as entries, in slices. @param bytes of UTF-8; others are replaced. */
export async function readText(bytes: Buffer, rules: EntryRules, options: TextOptions): Promise<EntryList> {
  const { receivedAt: now, zone } = options;
  // The order of the lines decides about their times, so each reader of times reads all lines.
  const createTimes = () => new LineTimes(openTimeZone(zone) ?? utc, now);
  const text = openText(bytes);
  const found = await findEntries(text, rules.limits.entries, options.join === 'trace' ? createTimes() : null);
  if (found.length === 0 && !rules.isLenient) throw bodyError('must hold at least one log entry');
  const times = createTimes();
  const list = new EntryList(rules);
  let lastTime: number | undefined;
  for (const entry of found) {
    const size = sizeOf(entry);
    if (isSliceOver() || size > sliceBytes) await nextSlice();
    if (size > rules.limits.bytes) {
      list.add({ errors: [{ field: 'body', error: `must be at most ${rules.limits.bytes} bytes` }] });
      continue;
    }
    const { container } = entry;
    const line: TextLine = { message: text.decode(text.bytesOf(entry) + entry.more) };
    let isTimed = false;
    if (options.time === 'line') {
      const ownTime = container ? container.time : times.read(line.message);
      isTimed = ownTime !== undefined && isPlausibleTime(ownTime, now);
      if (isTimed) lastTime = ownTime;
      if (lastTime !== undefined) line.timestamp = lastTime;
      const level = readLevel(line.message);
      if (level !== undefined) line.level = level;
    }
    const { message, ...others } = line;
    const read = container
      ? readContainerLine(message, { ...others, stream: container.stream }, { readUsage: rules.readUsage, now })
      : rules.readLine(line, list.isFull);
    list.add(read, isTimed);
  }
  return list;
}

/** Where the bytes of an entry are in the text, one character each. */
interface TextEntry {
  start: number;
  end: number;
  /** What follows: other parts and lines. */
  more: string;
  /** The prefix of a container runtime, which the text does not have. */
  container?: CriPrefix;
}

const sizeOf = ({ start, end, more }: Omit<TextEntry, 'container'>) => end - start + more.length;

/** Its bytes are characters, because parts of a line are joined before they are decoded. */
function openText(bytes: Buffer) {
  const text = bytes.toString('latin1');
  const isAllAscii = isAscii(bytes);
  const decode = (part: string) => (isAllAscii ? part : Buffer.from(part, 'latin1').toString('utf8'));
  const headOf = ({ start, end }: TextEntry) => decode(text.slice(start, Math.min(end, start + headBytes)));
  /** The lines without their ends and the prefix of a container runtime. */
  function* lines(): Generator<TextEntry> {
    let start = startOf(bytes);
    while (start < text.length) {
      const found = text.indexOf('\n', start);
      const next = found === -1 ? text.length : found;
      const end = next > start && text[next - 1] === '\r' ? next - 1 : next;
      const container = readCriPrefix(text.slice(start, end));
      // A line end that is not the runtime's is part of the text.
      if (container) yield { start: start + container.length, end: container.isPart ? next : end, more: '', container };
      else yield { start, end, more: '' };
      start = next + 1;
    }
  }
  /** The starts of the lines that are not blank. */
  function* heads(): Generator<string> {
    for (const line of lines()) {
      const head = headOf(line);
      if (head.trim() !== '') yield head;
    }
  }
  return { decode, headOf, lines, heads, bytesOf: ({ start, end }: TextEntry) => text.slice(start, end) };
}

/** Finds at most `maxEntries` + 1 entries. @param joinBy lines are joined to their entry. */
async function findEntries(
  text: ReturnType<typeof openText>,
  maxEntries: number,
  joinBy: LineTimes | null,
): Promise<TextEntry[]> {
  const isTimed = joinBy !== null && beginWithTimes(text.heads(), joinBy);
  const entries: TextEntry[] = [];
  /** The entries up to the last one that is not blank. */
  let length = 0;
  /** Lines of container logs whose end has not been read, by stream. */
  const open = new Map<string, TextEntry>();
  /** Whether a part of another entry has followed the last one. */
  let isInterrupted = false;
  for (const line of text.lines()) {
    if (isSliceOver()) await nextSlice();
    const { container } = line;
    if (container) {
      const partial = open.get(container.stream);
      const isJoined = partial !== undefined && sizeOf(partial) + sizeOf(line) <= maxPartsBytes;
      if (isJoined) partial.more += text.bytesOf(line);
      if (!container.isPart) open.delete(container.stream);
      if (isJoined) {
        isInterrupted = true;
        continue;
      }
    }
    const head = joinBy && text.headOf(line);
    const last = entries[length - 1];
    if (head?.trim() && last && last.container?.stream === container?.stream) {
      const size = container ? sizeOf(last) + sizeOf(line) : line.end - last.start;
      if (size <= maxJoinedBytes && (isContinuation(head) || (isTimed && joinBy?.read(head) === undefined))) {
        if (container || isInterrupted || last.more) last.more += `\n${text.bytesOf(line)}`;
        else last.end = line.end;
        if (container?.isPart) open.set(container.stream, last);
        // Blank lines within the entry are part of it.
        entries.length = length;
        continue;
      }
    }
    isInterrupted = false;
    if (container?.isPart) open.set(container.stream, line);
    entries.push(line);
    if (head?.trim() || container?.isPart) ({ length } = entries);
    if (entries.length > maxEntries) break;
  }
  return entries;
}

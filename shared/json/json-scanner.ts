/**
 * Finds the entries in the bytes of a JSON or NDJSON body without parsing them, and counts what makes
 * parsing expensive: levels and values. Whether an entry is valid JSON is left to `JSON.parse`.
 */

/** `lines`: NDJSON. `values`: one after the other, or the items of lists on the top level. */
export type JsonForm = 'lines' | 'values';

export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface ScannedEntry extends ByteRange {
  /** The most levels of objects and lists. */
  readonly levels: number;
  /** Fields and items, at all levels. */
  readonly values: number;
}

const [quote, backslash, comma, openList, closeList, openObject, closeObject, tab, lineFeed, carriageReturn, blank] =
  Buffer.from('"\\,[]{}\t\n\r ');

const isSpace = (byte: number | undefined) =>
  byte === blank || byte === lineFeed || byte === carriageReturn || byte === tab;

/** Blank lines are left out, but not those of characters that are no white space of JSON. */
export function* scanJson(
  bytes: Buffer,
  form: JsonForm,
  { start, end }: ByteRange = { start: 0, end: bytes.length },
): Generator<ScannedEntry, { readonly hasList: boolean; readonly isClosed: boolean }> {
  let hasList = false;
  let isInList = false;
  let at = start;
  while (at < end) {
    const byte = bytes[at];
    if (isSpace(byte) || (byte === comma && form === 'values')) at += 1;
    else if (byte === openList && form === 'values') {
      hasList = true;
      isInList = true;
      at += 1;
      for (let isFirst = true; isInList && at < end; isFirst = false) {
        const item = scanEntry(bytes, 'item', at, end);
        at = item.end + 1;
        const last = bytes[item.end];
        isInList = item.end === end || last !== closeList;
        const isEmpty = isFirst && last === closeList && isBlank(bytes, item);
        if (!isEmpty && (item.end < end || !isBlank(bytes, item))) yield item;
      }
    } else {
      const entry = scanEntry(bytes, form === 'values' ? 'value' : 'line', at, end);
      yield entry;
      at = entry.end;
    }
  }
  return { hasList, isClosed: !isInList };
}

/** Where an entry ends: a value with its last bracket, or where the next one can begin. */
type EntryKind = 'value' | 'item' | 'line';

function scanEntry(bytes: Buffer, kind: EntryKind, start: number, end: number): ScannedEntry {
  let [level, levels, values] = [0, 0, 0];
  let at = start;
  for (; at < end; at += 1) {
    const byte = bytes[at];
    if (byte === quote) {
      at = endOfString(bytes, at, end);
      // Strings of JSON have no line feed: the value is cut off.
      if (bytes[at] === lineFeed) break;
    } else if (byte === openObject || byte === openList) {
      if (kind === 'value' && level === 0 && at > start) break;
      level += 1;
      values += 1;
      if (level > levels) levels = level;
    } else if (byte === closeObject || byte === closeList) {
      if (level > 0) {
        level -= 1;
        if (level === 0 && kind === 'value') return { start, end: at + 1, levels, values };
      } else if (kind === 'item' && byte === closeList) break;
    } else if (byte === comma) {
      if (level === 0 && kind !== 'line') break;
      values += 1;
    } else if (kind === 'line' ? byte === lineFeed : kind === 'value' && level === 0 && isSpace(byte)) break;
  }
  return { start, end: at, levels, values };
}

/** The position of the closing quote, of the line feed that cuts the string off, or the end. */
function endOfString(bytes: Buffer, start: number, end: number): number {
  for (let at = start + 1; at < end; at += 1) {
    const byte = bytes[at];
    if (byte === quote || byte === lineFeed) return at;
    if (byte === backslash && bytes[at + 1] !== lineFeed) at += 1;
  }
  return end;
}

function isBlank(bytes: Buffer, { start, end }: ByteRange): boolean {
  for (let at = start; at < end; at += 1) if (!isSpace(bytes[at])) return false;
  return true;
}

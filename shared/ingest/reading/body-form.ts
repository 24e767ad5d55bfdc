import type { ByteRange, JsonForm } from '../../json/json-scanner.ts';
import { parseJson } from '../../json/parse-json.ts';

/** `text`: a line of text per entry. */
export type BodyForm = JsonForm | 'text';

/** The start of JSON. Text can begin with a bracket too: `[2026-05-01 12:00:00] started`. */
const jsonStart = /^\ufeff?\s*(?:\{|\[\s*[[\]{"])/;

/** The form of a body of an unknown type: JSON values, or lines of text. */
export function formOfBytes(bytes: Buffer): BodyForm {
  return jsonStart.test(bytes.toString('utf8', 0, 256)) ? 'values' : 'text';
}

/** Characters of a body that show whether it is text. */
const shownBytes = 64 * 1024;

/**
 * Whether a body that should be JSON is lines of text: the first is neither JSON nor, where records
 * follow, the rest of one that was cut off.
 */
export function isPlainText(bytes: Buffer): boolean {
  const start = bytes.toString('utf8', 0, 256);
  if (/^\ufeff?\s*(?:$|[{"])/.test(start) || jsonStart.test(start)) return false;
  const shown = bytes.toString('utf8', startOf(bytes), shownBytes);
  const [first = ''] = shown.trimStart().split(/\r?\n/, 1);
  if (parseJson(first) !== undefined || isListStart(shown)) return false;
  const isRest = /[}\]],?\s*$/.test(first) && /^[ \t]*(?:\{|\[[ \t]*\{)/m.test(shown);
  return !isRest;
}

/** A list that is cut off, or has one value a line, is JSON too. */
const isListStart = (text: string) => /^\s*\[(?:\s*$|\s*(?:-?\d+(?:\.\d+)?|true|false|null)\s*[,\]])/.test(text);

/** The list of a body `{"logs":[…]}`, otherwise all of the body. */
export function insideLogs(bytes: Buffer): ByteRange {
  const opening = /^\s*\{\s*"logs"\s*:\s*(?=\[)/.exec(bytes.toString('latin1', 0, 256));
  const closing = opening && /\]\s*\}\s*$/.exec(bytes.toString('latin1', Math.max(0, bytes.length - 256)));
  if (!opening || !closing) return { start: startOf(bytes), end: bytes.length };
  return { start: opening[0].length, end: bytes.length - closing[0].length + 1 };
}

/** The position after a byte order mark, which is not part of a text. */
export const startOf = (bytes: Uint8Array) => (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0);

/** Bytes that show the encoding of a text. */
const sampleBytes = 1024;

/** UTF-16 has a byte order mark, or for Latin letters a zero in every second byte. */
export function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const pairs = Math.floor(Math.min(bytes.length, sampleBytes) / 2);
  if (pairs < 2) return null;
  const zeros = (odd: 0 | 1) => bytes.subarray(0, 2 * pairs).filter((byte, at) => byte === 0 && at % 2 === odd).length;
  const [first, second] = [zeros(0), zeros(1)];
  // Letters of other scripts can be among the Latin ones, and some of them have a zero first.
  const [most, fewest] = [pairs * 0.7, pairs * 0.05];
  if (second >= most && first <= fewest) return 'utf-16le';
  return first >= most && second <= fewest ? 'utf-16be' : null;
}

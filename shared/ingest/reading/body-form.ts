import { type BodyFault, type JsonLimits, JsonScanner, type ScannedBody } from '../../json/json-scanner.ts';
import { parseJson } from '../../json/parse-json.ts';
import { isSliceOver, nextSlice } from '../../process/time-slices.ts';

/** `text`: a line of text per entry. */
export type BodyForm = JsonBodyForm | 'text';
export type JsonBodyForm = 'values' | 'lines';

/** The start of JSON. Text can begin with a bracket too: `[2026-05-01 12:00:00] started`. */
const jsonStart = /^\ufeff?\s*(?:\{|\[\s*[[\]{"])/;

/** The form of a body of an unknown type: JSON values, or lines of text. */
export function formOfBytes(bytes: Buffer): BodyForm {
  return jsonStart.test(bytes.toString('utf8', 0, 256)) ? 'values' : 'text';
}

/** Characters of a body that show whether it is text. */
const shownBytes = 64 * 1024;

/**
 * Whether a body that should be JSON is lines of text: the first is not JSON, and none begins as an
 * object does, as after a line that was cut off.
 */
export function isPlainText(bytes: Buffer): boolean {
  const start = bytes.toString('utf8', 0, 256);
  if (/^\ufeff?\s*(?:$|[{"])/.test(start) || jsonStart.test(start)) return false;
  const shown = bytes.toString('utf8', startOf(bytes), shownBytes);
  const [first = ''] = shown.trimStart().split(/\r?\n/, 1);
  return parseJson(first) === undefined && !/^[ \t]*(?:\{|\[[ \t]*\{)/m.test(shown) && !isListStart(shown);
}

/** A list that is cut off, or has one value a line, is JSON too. */
const isListStart = (text: string) => /^\s*\[(?:\s*$|\s*(?:-?\d+(?:\.\d+)?|true|false|null)\s*[,\]])/.test(text);

/** Bytes that are scanned without reading the clock. */
const pieceBytes = 64 * 1024;

/** Finds the entries of a complete body of JSON, in slices. */
export async function scanBody(
  bytes: Buffer,
  form: JsonBodyForm,
  limits: JsonLimits,
): Promise<ScannedBody | BodyFault> {
  const { start, end } = form === 'values' ? insideLogs(bytes) : { start: startOf(bytes), end: bytes.length };
  const scanner = new JsonScanner(form, limits, start);
  for (let from = start; from < end; from += pieceBytes) {
    if (isSliceOver()) await nextSlice();
    const fault = scanner.push(bytes.subarray(from, Math.min(from + pieceBytes, end)));
    if (fault !== null) return fault;
  }
  return scanner.finish();
}

/** The list of a body `{"logs":[…]}`, otherwise all of the body. */
function insideLogs(bytes: Buffer): { start: number; end: number } {
  const opening = /^\s*\{\s*"logs"\s*:\s*(?=\[)/.exec(bytes.toString('latin1', 0, 256));
  const closing = opening && /\]\s*\}\s*$/.exec(bytes.toString('latin1', Math.max(0, bytes.length - 256)));
  if (!opening || !closing) return { start: startOf(bytes), end: bytes.length };
  return { start: opening[0].length, end: bytes.length - closing[0].length + 1 };
}

const byteOrderMark = Buffer.from('\ufeff');

/** The position after a byte order mark, which is not part of a text. */
export const startOf = (bytes: Buffer) =>
  bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? byteOrderMark.length : 0;

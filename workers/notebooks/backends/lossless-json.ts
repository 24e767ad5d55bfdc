import { randomUUID } from 'node:crypto';

/** Parses and serializes JSON. */
interface JsonCodec {
  parse(text: string): unknown;
  stringify(value: unknown): string;
}

/**
 * The numbers of JSON, and NaN and Infinity, which Python writes. Malformed numbers do not match,
 * so the parser rejects them.
 */
const numbers = /(?<![\w.+-])(?:-?(?:(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|Infinity)|NaN)(?![\w.+-])/g;

/**
 * Creates a codec for documents that are read and written back. Every number keeps its spelling:
 * large integers keep all digits, `1.0` stays `1.0`. A number that JavaScript would spell
 * differently is parsed as an opaque object.
 */
export function losslessJson(): JsonCodec {
  // The marker is random, so that no text of a document begins with it.
  const marker = `${randomUUID().slice(-12)} `;
  const markedNumber = new RegExp(`"${marker}([^"]*)"`, 'g');
  const markNumber = (number: string) => (JSON.stringify(Number(number)) === number ? number : `"${marker}${number}"`);
  const toOpaqueObject = (_key: string, value: unknown) =>
    typeof value === 'string' && value.startsWith(marker) ? { toJSON: () => value } : value;
  return {
    parse: (text) =>
      JSON.parse(
        replaceOutsideStrings(text, (part) => part.replaceAll(numbers, markNumber)),
        toOpaqueObject,
      ),
    stringify: (value) => JSON.stringify(value).replaceAll(markedNumber, '$1'),
  };
}

/**
 * Replaces the parts between string literals. A regular expression is not used, because it would
 * overflow the stack on long strings.
 */
function replaceOutsideStrings(json: string, replace: (part: string) => string): string {
  const parts: string[] = [];
  let from = 0;
  for (;;) {
    const open = json.indexOf('"', from);
    const close = open < 0 ? -1 : findClosingQuote(json, open);
    if (close < 0) return [...parts, replace(json.slice(from))].join('');
    parts.push(replace(json.slice(from, open)), json.slice(open, close + 1));
    from = close + 1;
  }
}

function findClosingQuote(json: string, open: number): number {
  let close = json.indexOf('"', open + 1);
  while (close >= 0 && isEscaped(json, close)) close = json.indexOf('"', close + 1);
  return close;
}

/**
 * Whether an odd number of backslashes precedes `at`. An even number is a sequence of escaped
 * backslashes.
 */
function isEscaped(json: string, at: number): boolean {
  let before = at;
  while (json[before - 1] === '\\') before -= 1;
  return (at - before) % 2 === 1;
}

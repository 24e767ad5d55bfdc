import { randomUUID } from 'node:crypto';

/** How bodies are read and written. */
export interface JsonText {
  parse(text: string): unknown;
  stringify(value: unknown): string;
}

/** Numbers of JSON, and those that it does not have and Python writes; what only looks like one is left to the parser. */
const numbers = /(?<![\w.+-])(?:-?(?:(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|Infinity)|NaN)(?![\w.+-])/g;

/**
 * JSON for documents that are read and written back: every number is kept as it was spelled, so that large ones lose no
 * digit and `1.0` stays what it is. Numbers that JavaScript would spell differently are objects of no other use.
 */
export function exactJson(): JsonText {
  // Nothing that a document holds can look like it.
  const mark = `${randomUUID().slice(-12)} `;
  const marked = new RegExp(`"${mark}([^"]*)"`, 'g');
  const kept = (number: string) => (JSON.stringify(Number(number)) === number ? number : `"${mark}${number}"`);
  const asObject = (_key: string, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? { toJSON: () => value } : value;
  return {
    parse: (text) =>
      JSON.parse(
        betweenTexts(text, (part) => part.replaceAll(numbers, kept)),
        asObject,
      ),
    stringify: (value) => JSON.stringify(value).replaceAll(marked, '$1'),
  };
}

/** Changes what stands between the quoted texts. By hand: an expression that matches long texts runs out of stack. */
function betweenTexts(json: string, change: (part: string) => string): string {
  const parts: string[] = [];
  let from = 0;
  for (;;) {
    const open = json.indexOf('"', from);
    const close = open < 0 ? -1 : endOfText(json, open);
    if (close < 0) return [...parts, change(json.slice(from))].join('');
    parts.push(change(json.slice(from, open)), json.slice(open, close + 1));
    from = close + 1;
  }
}

function endOfText(json: string, open: number): number {
  let close = json.indexOf('"', open + 1);
  while (close >= 0 && isEscaped(json, close)) close = json.indexOf('"', close + 1);
  return close;
}

/** An odd number of backslashes: two of them are one of the text's own. */
function isEscaped(json: string, at: number): boolean {
  let before = at;
  while (json[before - 1] === '\\') before -= 1;
  return (at - before) % 2 === 1;
}

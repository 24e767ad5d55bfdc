// JSON as it was sent: digits of any length stay, and `1.0` stays `1.0`, which a parsed number
// loses.

const [quote, backslash, openBrace, openBracket, closeBrace, closeBracket, comma, colon] = Buffer.from('"\\{[}],:');
const isBlank = (code: number) => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

/** Removes white space outside of strings. @param text valid JSON. */
export function compactJson(text: string): string {
  let compact = '';
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (isBlank(code)) {
      compact += text.slice(from, at);
      from = at + 1;
    }
  }
  return from === 0 ? text : compact + text.slice(from);
}

/**
 * The text of a field of an object, without white space outside of strings.
 * @param text valid JSON of an object.
 * @param path names of fields, from the outermost one; of fields of one name, the last counts.
 * @returns undefined if there is no such field.
 */
export function fieldText(text: string, path: readonly string[]): string | undefined {
  let found = compactJson(text);
  for (const name of path) {
    const value = valueOf(found, name);
    if (value === undefined) return undefined;
    found = value;
  }
  return found;
}

/** @param text compact JSON. */
function valueOf(text: string, name: string): string | undefined {
  if (text.charCodeAt(0) !== openBrace) return undefined;
  let found: string | undefined;
  let level = 0;
  let keyStart = 1;
  let valueStart = -1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === openBrace || code === openBracket) level += 1;
    else if (level === 1 && code === colon) valueStart = at + 1;
    else if (code === closeBrace || code === closeBracket || (level === 1 && code === comma)) {
      if (level === 1 && valueStart !== -1) {
        const key = JSON.parse(text.slice(keyStart, valueStart - 1)) as string;
        if (key === name) found = text.slice(valueStart, at);
        keyStart = at + 1;
        valueStart = -1;
      }
      if (code !== comma) level -= 1;
    }
  }
  return found;
}

/** The position of the closing quote, or the length of a text that ends before it. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}

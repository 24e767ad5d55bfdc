// JSON as it was sent: digits of any length stay, and `1.0` stays `1.0`, which a parsed number
// loses.

const [quote, backslash] = Buffer.from('"\\');
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
 * @param text valid JSON.
 * @param path names of fields, from the outermost one; of fields of one name, the last counts.
 * @returns undefined if there is no such field.
 */
export function fieldText(text: string, path: readonly string[]): string | undefined {
  let found: TextRange | undefined = { start: afterBlanks(text, 0), end: text.length };
  for (const name of path) {
    found = text[found.start] === '{' ? membersOf(text, found).get(name) : undefined;
    if (!found) return undefined;
  }
  return compactJson(text.slice(found.start, found.end));
}

/** Positions in a text, half open. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** The values of an object, by name. @throws SyntaxError for an object without end. */
export function membersOf(text: string, { start }: Pick<TextRange, 'start'>): Map<string, TextRange> {
  const members = new Map<string, TextRange>();
  for (let end = start; end === start || text[end] === ','; ) {
    const name = afterBlanks(text, end + 1);
    const nameEnd = endOfString(text, name) + 1;
    const colon = afterBlanks(text, nameEnd);
    if (text[name] !== '"' || text[colon] !== ':') break;
    const value = afterBlanks(text, colon + 1);
    end = endOfValue(text, value);
    members.set(JSON.parse(text.slice(name, nameEnd)) as string, { start: value, end });
  }
  return members;
}

/** The position of the comma or the bracket that follows the value. */
function endOfValue(text: string, start: number): number {
  const mark = /["{}[\],]/g;
  mark.lastIndex = start;
  for (let depth = 0; ; ) {
    const found = mark.exec(text);
    if (!found) throw new SyntaxError('the JSON text ended too early');
    const [character] = found;
    if (character === '"') mark.lastIndex = endOfString(text, found.index) + 1;
    else if (character === '{' || character === '[') depth += 1;
    else if (depth === 0) return found.index;
    else if (character !== ',') depth -= 1;
  }
}

function afterBlanks(text: string, start: number): number {
  let at = start;
  while (isBlank(text.charCodeAt(at))) at += 1;
  return at;
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

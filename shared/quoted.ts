// Values that callers have sent, as error messages show them.

const maxCharacters = 60;

/** Characters that would end a line, reorder a text or be invisible in it. */
const controls = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const escapeOf = (character: string) =>
  character.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const escaped = (text: string) => text.toWellFormed().replace(controls, escapeOf);

/** The text, cut after so many UTF-16 code units, but not within a character. */
const cut = (text: string, max: number) =>
  text.length > max ? `${text.slice(0, max).replace(/[\ud800-\udbff]$/, '')}…` : text;

/** A name or an address as an error message shows it: short, and on one line. */
export const shortened = (text: string, max: number): string => escaped(cut(text, max));

/** API keys and tokens. */
const secret = /\bmb_[\da-f]|\beyJ/;

/** The kind of a value, for values that can be long or secret. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** A value as an error message shows it: short, on one line, and no secret. */
export function quoted(value: unknown): string {
  if (typeof value === 'string') {
    return secret.test(value) ? 'a key or token' : escaped(JSON.stringify(cut(value, maxCharacters)));
  }
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : kindOf(value);
}

/** `a`, `a or b`, `a, b or c`. */
export const alternatives = (names: readonly string[]): string => names.join(', ').replace(/, ([^,]*)$/, ' or $1');

/** The error of a value that is not one of a few. */
export function mustBeOneOf(values: readonly unknown[], sent: unknown): string {
  return `must be ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}, not ${quoted(sent)}`;
}

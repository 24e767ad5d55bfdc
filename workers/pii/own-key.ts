// Finds the own key of a number, which is the key directly before it: `key=`, `key: "`.
import { characterClasses } from './character-classes.ts';
import { codes } from './character-codes.ts';

const { isQuoteOrBlank, isTextWord } = characterClasses;
const {
  CLOSE_SQUARE,
  COLON,
  DOT,
  EQUALS,
  GREATER_THAN,
  HASH,
  HYPHEN,
  LESS_THAN,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_SQUARE,
  UNDERSCORE_SIGN,
  UPPER_A,
} = codes;

/**
 * The maximum number of characters between the delimiter and the number, between key and delimiter,
 * and of the key.
 */
const MAX_OPENING_LENGTH = 8;
const MAX_CLOSING_LENGTH = 4;
const MAX_KEY_LENGTH = 40;

/**
 * Whether the character can be between the delimiter of a key and the value: `key=[{"`, `key: <#`.
 */
function opensValue(code: number): boolean {
  return (
    isQuoteOrBlank(code) ||
    code === OPEN_BRACKET ||
    code === OPEN_SQUARE ||
    code === OPEN_BRACE ||
    code === LESS_THAN ||
    code === HASH ||
    code === GREATER_THAN
  );
}

/** A key at text[start, end). */
export interface OwnKey {
  readonly start: number;
  readonly end: number;
}

/** Finds the key of the value at `valueStart`. A key has at least one letter. */
export function findOwnKey(text: string, valueStart: number): OwnKey | undefined {
  const end = findKeyEnd(text, valueStart);
  const lowest = Math.max(0, end - MAX_KEY_LENGTH);
  let start = end;
  let hasLetter = false;
  while (start > lowest) {
    const code = text.charCodeAt(start - 1);
    if (!isTextWord(code) && code !== UNDERSCORE_SIGN && code !== HYPHEN && code !== DOT) break;
    if (code >= UPPER_A) hasLetter = true;
    start--;
  }
  return hasLetter ? { start, end } : undefined;
}

/** The end of the text before the delimiter of the value at `valueStart`; 0 without a delimiter. */
function findKeyEnd(text: string, valueStart: number): number {
  let at = valueStart - 1;
  const lowest = Math.max(0, valueStart - MAX_OPENING_LENGTH);
  while (at >= lowest && opensValue(text.charCodeAt(at))) at--;
  if (at < 0) return 0;
  const delimiter = text.charCodeAt(at);
  if (delimiter !== EQUALS && delimiter !== COLON) return 0;
  let end = at;
  while (end > 0 && at - end < MAX_CLOSING_LENGTH) {
    const code = text.charCodeAt(end - 1);
    if (!isQuoteOrBlank(code) && code !== CLOSE_SQUARE) break;
    end--;
  }
  return end;
}

// The name of an XML element, and the key of a value, which consist of the same characters.
import { characterClasses } from './character-classes.ts';
import { codes } from './character-codes.ts';
import type { ScannedText } from './scanned-text.ts';

const { codeAt, isTextWord } = characterClasses;
const { COLON, DOT, GREATER_THAN, HYPHEN, LESS_THAN, SLASH, UNDERSCORE_SIGN } = codes;

const MAX_NAME_LENGTH = 64;

/** Whether the character at `at` is a part of a key: `user_ssn`, `user.ssn`. */
export function isInKey(text: ScannedText, at: number): boolean {
  const code = codeAt(text, at);
  return (
    isTextWord(code) ||
    code === UNDERSCORE_SIGN ||
    code === HYPHEN ||
    (code === DOT && isTextWord(codeAt(text, at + 1)))
  );
}

/** The start of the name of an element, with its prefix, that has a word at `at`. */
export function findNameStart(text: ScannedText, at: number): number {
  const lowest = Math.max(0, at - MAX_NAME_LENGTH);
  let start = at;
  while (start > lowest && (isInKey(text, start - 1) || codeAt(text, start - 1) === COLON)) start--;
  return start;
}

/** Whether the name that ends at `end` closes its element: `</OrderId>`. */
export function isInClosingTag(text: ScannedText, end: number): boolean {
  if (codeAt(text, end) !== GREATER_THAN) return false;
  const before = findNameStart(text, end) - 1;
  return codeAt(text, before) === SLASH && codeAt(text, before - 1) === LESS_THAN;
}

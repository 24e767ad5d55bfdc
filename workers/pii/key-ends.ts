// Rejects most values by the last letters of the key before them, before a pattern tries the key.
import { characterClasses } from './character-classes.ts';
import { codes } from './character-codes.ts';
import type { ScannedText } from './scanned-text.ts';
import { HASH_START, hashCharacter, type WordSet } from './word-hash.ts';

const { codeAt, isListed, isLower, isUpper, listCodes, unitAt } = characterClasses;
const { CASE_BIT } = codes;

/** The maximum length of a delimiter with quotes. */
export const MAX_DELIMITER_LENGTH = 12;
/** The characters between two words of a key: `message-id`, `in reply to`. */
const KEY_SIGNS = listCodes('-_ ');

export function isLetter(code: number): boolean {
  return isLower(code) || isUpper(code);
}

/**
 * Whether the key before the value at `start` can have one of the ends, which are three letters, or
 * two that are a word. Only a delimiter and quotes are between the two.
 */
export function canFollowKey(text: ScannedText, start: number, ends: WordSet): boolean {
  const lowest = Math.max(0, start - MAX_DELIMITER_LENGTH);
  let at = start - 1;
  while (at >= lowest && !isLetter(unitAt(text, at))) at--;
  if (at < lowest) return true;
  let third = codeAt(text, at - 2);
  if (isListed(KEY_SIGNS, third)) third = codeAt(text, at - 3);
  let hash = isLetter(third) ? hashCharacter(HASH_START, third | CASE_BIT) : HASH_START;
  hash = hashCharacter(hash, codeAt(text, at - 1) | CASE_BIT);
  return ends.has(hashCharacter(hash, unitAt(text, at) | CASE_BIT));
}

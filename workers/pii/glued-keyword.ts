// Finds a keyword that directly precedes a number: `pesel44051401359`, `ssn_123456789`.
import { characterClasses } from './character-classes.ts';
import { codes } from './character-codes.ts';
import { canBeKeyword, KEYWORD_INDEX } from './keyword-index.ts';
import type { TextKeyword } from './text-keywords.ts';
import { hashWordAt } from './word-hash.ts';

const { CLASSES, DIGIT, FOREIGN, LETTER, UNDERSCORE, wordClassAt } = characterClasses;
const { UNDERSCORE_SIGN } = codes;

/** Two letters before digits are often a part of a value: `CI12345678`. */
const MIN_LENGTH = 3;
const MAX_LENGTH = 24;

/**
 * Whether a word and a number of several digits can meet at `numberStart`. The check rejects most
 * names with a digit: `web1`, `jk2_init`, `workers2.properties`.
 */
export function canBeGlued(text: string, numberStart: number): boolean {
  const left = CLASSES[text.charCodeAt(numberStart - 1)] as number;
  if ((left & (LETTER | FOREIGN | UNDERSCORE)) === 0 || numberStart + 3 >= text.length) return false;
  return wordClassAt(text, numberStart + 2) === DIGIT || wordClassAt(text, numberStart + 3) === DIGIT;
}

/** Finds the whole word before `numberStart` if it is a keyword. */
export function findGluedKeyword(text: string, numberStart: number): TextKeyword | undefined {
  const end = text.charCodeAt(numberStart - 1) === UNDERSCORE_SIGN ? numberStart - 1 : numberStart;
  let start = end;
  while (start > 0 && end - start <= MAX_LENGTH && isLetter(text.charCodeAt(start - 1))) start--;
  const length = end - start;
  if (length < MIN_LENGTH || length > MAX_LENGTH) return undefined;
  if (start > 0 && CLASSES[text.charCodeAt(start - 1)] === DIGIT) return undefined;
  const hash = hashWordAt(text, start, end);
  const targets = canBeKeyword(hash) ? KEYWORD_INDEX.targets.get(hash) : undefined;
  return targets === undefined ? undefined : { start, end, targets };
}

function isLetter(code: number): boolean {
  return ((CLASSES[code] as number) & (LETTER | FOREIGN)) !== 0;
}

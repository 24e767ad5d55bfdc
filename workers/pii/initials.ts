// Reads abbreviations of initials: `p.k.`, `R. F. C.`, `S.S.N`.
import { characterClasses } from './character-classes.ts';
import { codes } from './character-codes.ts';
import type { ScannedText } from './scanned-text.ts';
import { isAccent } from './scripts.ts';
import { normalizeWord } from './word-hash.ts';

const { CLASSES, codeAt, DIGIT, isTextWord } = characterClasses;
const { BLANK, DOT } = codes;

/** More letters than any abbreviation of a national id has. */
const MAX_INITIALS = 6;

export interface Initials {
  /** In lower case, without full stops and marks. */
  readonly letters: string;
  readonly start: number;
  readonly end: number;
}

/** Reads the initials of at least two words at `start`. The last full stop is optional. */
export function readInitials(text: ScannedText, start: number): Initials | undefined {
  if (codeAt(text, start - 1) === DOT) return undefined;
  let letters = '';
  let end = start;
  let at = start;
  while (letters.length <= MAX_INITIALS && isInitialAt(text, at)) {
    const letterEnd = findLetterEnd(text, at);
    const hasFullStop = codeAt(text, letterEnd) === DOT;
    if (!hasFullStop && at > end) break;
    letters += text.charAt(at);
    end = hasFullStop ? letterEnd + 1 : letterEnd;
    if (!hasFullStop) break;
    at = codeAt(text, end) === BLANK ? end + 1 : end;
  }
  if (letters.length < 2 || letters.length > MAX_INITIALS || isLetter(codeAt(text, end))) return undefined;
  return { letters: normalizeWord(letters), start, end };
}

function isLetter(code: number): boolean {
  return isTextWord(code) && CLASSES[code] !== DIGIT;
}

/** Whether a word of one letter is at `at`. */
function isInitialAt(text: ScannedText, at: number): boolean {
  return isLetter(codeAt(text, at)) && !isTextWord(codeAt(text, findLetterEnd(text, at)));
}

/** The end of the letter at `at` with its accents, which follow it in decomposed text. */
function findLetterEnd(text: ScannedText, at: number): number {
  let end = at + 1;
  while (isAccent(codeAt(text, end))) end++;
  return end;
}

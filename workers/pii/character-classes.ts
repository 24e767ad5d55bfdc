import { codes } from './character-codes.ts';
import { completesCharacter, normalizeCodeUnit } from './normalize-code-unit.ts';
import { codeAt, type ScannedText, unitAt } from './scanned-text.ts';

// Classes of code units, as bits.
const DIGIT = 1;
const UPPER = 2;
const LOWER = 4;
const UNDERSCORE = 8;
const AT = 16;
/**
 * A character with an ASCII equivalent, an invisible character, or one that can begin or end an
 * escape. `isEncoded` decides whether the text must be normalized first.
 */
const ENCODED = 32;
/** A letter beyond ASCII, approximately: the largest blocks of other characters are excluded. */
const FOREIGN = 64;
const QUOTE_OR_BLANK = 128;
const LETTER = UPPER | LOWER;
/** The characters that a number with its adjacent letters consists of. */
const WORD = DIGIT | LETTER | UNDERSCORE;
/**
 * The characters that the words of a text consist of. An underscore separates the parts of a key.
 */
const TEXT_WORD = DIGIT | LETTER | FOREIGN;

/**
 * The classes of every code unit. The table is complete, so that a lookup needs no comparison
 * first.
 */
const CLASSES = new Uint8Array(65536);

function addClass(from: number, to: number, bits: number): void {
  for (let code = from; code <= to; code++) CLASSES[code] = (CLASSES[code] as number) | bits;
}

for (let code: number = codes.BEYOND_ASCII; code < CLASSES.length; code++)
  if (normalizeCodeUnit(code) !== 0 || completesCharacter(code) || code === codes.MATHEMATICAL)
    addClass(code, code, ENCODED);
for (const code of [codes.AMPERSAND, codes.ESCAPE, codes.LINE_FEED, codes.CARRIAGE_RETURN])
  addClass(code, code, ENCODED);
addClass(codes.DIGIT_0, codes.DIGIT_9, DIGIT);
addClass(codes.UPPER_A, codes.UPPER_Z, UPPER);
addClass(codes.LOWER_A, codes.LOWER_Z, LOWER);
addClass(codes.UNDERSCORE_SIGN, codes.UNDERSCORE_SIGN, UNDERSCORE);
addClass(codes.AT_SIGN, codes.AT_SIGN, AT);
for (const character of ' \t"\'`\\') addClass(character.charCodeAt(0), character.charCodeAt(0), QUOTE_OR_BLANK);
addClass(0xaa, codes.MULTIPLICATION_SIGN - 1, FOREIGN);
addClass(codes.MULTIPLICATION_SIGN + 1, codes.DIVISION_SIGN - 1, FOREIGN);
// Symbols (2000 to 2BFF), punctuation of ideographs (3000 to 303F) and full-width forms are not
// letters.
addClass(codes.DIVISION_SIGN + 1, 0x1fff, FOREIGN);
addClass(0x2c00, 0x2fff, FOREIGN);
addClass(0x3040, 0xfeff, FOREIGN);

/**
 * 1 for the ASCII characters that can connect a number with the text next to it, or begin an
 * escape.
 */
const CONNECTORS = new Uint8Array(codes.BEYOND_ASCII);
for (let code = 0; code < CONNECTORS.length; code++)
  if (((CLASSES[code] as number) & (WORD | AT)) !== 0) CONNECTORS[code] = 1;
for (const character of '-./+(%\\#') CONNECTORS[character.charCodeAt(0)] = 1;

/**
 * The class of the character at `at` if numbers contain it: `DIGIT`, `UPPER`, `LOWER` or
 * `UNDERSCORE`. Otherwise 0. For where it can be, see `unitAt`.
 */
function wordClassAt(text: ScannedText, at: number): number {
  return (CLASSES[unitAt(text, at)] as number) & WORD;
}

/** The same as `wordClassAt`, or 0 outside the text. */
function wordClassOrZero(text: ScannedText, at: number): number {
  return (CLASSES[codeAt(text, at)] as number) & WORD;
}

/** By character code: 1 for the ASCII characters of the list, which are tested without a string. */
function listCodes(characters: string): Uint8Array {
  const table = new Uint8Array(codes.BEYOND_ASCII);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

/** Whether the character is in a table of `listCodes`. */
function isListed(table: Uint8Array, code: number): boolean {
  return code < codes.BEYOND_ASCII && table[code] === 1;
}

function isUpper(code: number): boolean {
  return CLASSES[code] === UPPER;
}

function isLower(code: number): boolean {
  return CLASSES[code] === LOWER;
}

function isTextWord(code: number): boolean {
  return ((CLASSES[code] as number) & TEXT_WORD) !== 0;
}

function isQuoteOrBlank(code: number): boolean {
  return ((CLASSES[code] as number) & QUOTE_OR_BLANK) !== 0;
}

/**
 * The classes with their tables, and the code units that they are of. They are destructured like
 * `codes`.
 */
export const characterClasses = {
  CLASSES,
  CONNECTORS,
  wordClassAt,
  wordClassOrZero,
  codeAt,
  unitAt,
  listCodes,
  isListed,
  isUpper,
  isLower,
  isTextWord,
  isQuoteOrBlank,
  DIGIT,
  UPPER,
  LOWER,
  UNDERSCORE,
  LETTER,
  FOREIGN,
  WORD,
  TEXT_WORD,
  AT,
  ENCODED,
} as const;

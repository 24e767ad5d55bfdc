// The characters of a text, by what the scanner does with them.

// Classes of code units, as bits.
const DIGIT = 1;
const UPPER = 2;
const LOWER = 4;
const UNDERSCORE = 8;
const AT = 16;
/**
 * A character that has an ASCII equivalent, is invisible, can begin or end an escape, or is zero,
 * which ends a text.
 */
const ENCODED = 32;
/** A letter beyond ASCII, approximately: the largest blocks of other characters are excluded. */
const FOREIGN = 64;
/** A character that can connect a number with the text next to it, or begin an escape. */
const CONNECTS = 128;
const LETTER = UPPER | LOWER;
/** The characters that a number with its adjacent letters consists of. */
const WORD = DIGIT | LETTER | UNDERSCORE;
/** The characters of the words of a text. An underscore separates the parts of a key. */
const TEXT_WORD = DIGIT | LETTER | FOREIGN;

const INVISIBLE = -1;

/** Ranges of code units with the ASCII character that the first of them stands for. */
const EQUIVALENTS: readonly (readonly [from: number, to: number, ascii: string])[] = [
  [0x660, 0x669, '0'],
  [0x6f0, 0x6f9, '0'],
  [0x966, 0x96f, '0'],
  [0x9e6, 0x9ef, '0'],
  [0xe50, 0xe59, '0'],
  [0xfe6b, 0xfe6b, '@'],
  [0xff01, 0xff5e, '!'],
];
const BLANKS = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/u;
const HYPHENS = /[\u2010-\u2015\u2212\ufe58\ufe63]/u;
/** Zero-width characters, soft hyphens, direction marks and variation selectors. */
const INVISIBLES = /\u00ad|\u034f|[\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f]|[\ufe00-\ufe0f]|\ufeff/u;
/** The ASCII equivalent of a code unit; -1 if it is invisible, 0 if it has none. */
export function normalizeCodeUnit(code: number): number {
  const character = String.fromCharCode(code);
  if (BLANKS.test(character)) return 32;
  if (HYPHENS.test(character)) return 45;
  if (INVISIBLES.test(character)) return INVISIBLE;
  const range = EQUIVALENTS.find(([from, to]) => code >= from && code <= to);
  return range === undefined ? 0 : range[2].charCodeAt(0) + code - range[0];
}

function buildClasses(): Uint8Array {
  const classes = new Uint8Array(65536);
  const add = (from: number, to: number, bits: number): void => {
    for (let code = from; code <= to; code++) classes[code] = (classes[code] as number) | bits;
  };
  for (let code = 128; code < classes.length; code++) if (normalizeCodeUnit(code) !== 0) add(code, code, ENCODED);
  for (const character of '\0&\n\r\u001b') add(character.charCodeAt(0), character.charCodeAt(0), ENCODED);
  add(48, 57, DIGIT);
  add(65, 90, UPPER);
  add(97, 122, LOWER);
  add(95, 95, UNDERSCORE);
  add(64, 64, AT);
  for (const character of '-./+(%\\#') add(character.charCodeAt(0), character.charCodeAt(0), CONNECTS);
  add(128, 65535, CONNECTS);
  // Signs of multiplication and division, symbols (2000 to 2BFF), punctuation of ideographs (3000
  // to 303F) and full-width forms are not letters.
  for (const [from, to] of [
    [0xaa, 0xd6],
    [0xd8, 0xf6],
    [0xf8, 0x1fff],
    [0x2c00, 0x2fff],
    [0x3040, 0xfeff],
  ] as const)
    add(from, to, FOREIGN);
  return classes;
}

/** The classes of every code unit. */
const CLASSES: Uint8Array = buildClasses();

/** Accents, Hebrew points, and vowel marks and the elongation of Arabic. */
const MARKS = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]/gu;
/** Letters that do not decompose, and letters of Arabic script that are written for one another. */
const SAME_LETTERS = 'łlıiđdøoςσº°\u0649\u064a\u06cc\u064a\u06a9\u0643\u0629\u0647\u06c1\u0647\u06d5\u0647';
/** The folded form of a mark, which is no character of its own. */
const MARK = 1;

function buildFolded(): Uint16Array {
  const folded = new Uint16Array(65536);
  for (let code = 0; code < folded.length; code++) {
    if (((CLASSES[code] as number) & TEXT_WORD) === 0) continue;
    const character = String.fromCharCode(code);
    const letter = code < 0x2000 ? character.toLowerCase().normalize('NFD').replace(MARKS, '') : character;
    folded[code] = letter === '' ? MARK : letter.length === 1 ? letter.charCodeAt(0) : code;
  }
  for (let i = 0; i < SAME_LETTERS.length; i += 2) folded[SAME_LETTERS.charCodeAt(i)] = SAME_LETTERS.charCodeAt(i + 1);
  folded[0x141] = 0x6c;
  folded[0x110] = 0x64;
  folded[0xd8] = 0x6f;
  return folded;
}

/**
 * Each character of a word in lower case without accents; 1 for accents that follow their letter,
 * 0 for characters that are not part of a word.
 */
const FOLDED: Uint16Array = buildFolded();

/**
 * The classes of characters, and the tables by code unit. Modules destructure them, because V8
 * treats only the constants of a module itself as constants, and imported ones as variables.
 */
export const characters = {
  CLASSES,
  FOLDED,
  DIGIT,
  UPPER,
  LOWER,
  LETTER,
  UNDERSCORE,
  WORD,
  AT,
  ENCODED,
  FOREIGN,
  TEXT_WORD,
} as const;

/** The code units of a text, and zeros after them. They are read faster than those of a string. */
export type CodeUnits = Uint16Array;

/**
 * Whether a number can contain the character at `at`: its class; otherwise 0, also before the text.
 */
export function wordKindAt(units: CodeUnits, at: number): number {
  return at < 0 ? 0 : (CLASSES[units[at] as number] as number) & WORD;
}

/**
 * The characters that a finding contains at least one of, and those that escapes can begin with.
 */
const STOPS = DIGIT | AT | ENCODED;

/** The index of the next digit, `@` or character of an escape from `from` on, or of the end. */
export function findStop(units: CodeUnits, from: number): number {
  let at = from;
  while (((CLASSES[units[at] as number] as number) & STOPS) === 0) at++;
  return at;
}

/** The end of the letters, digits and underscores at `start`. */
export function findGroupEnd(units: CodeUnits, start: number): number {
  let end = start;
  while (((CLASSES[units[end] as number] as number) & WORD) !== 0) end++;
  return end;
}

/** A number of fewer digits is no number of a person unless it has several groups. */
const MIN_DIGITS = 7;
const BLANK = 32;
/** The classes of characters that make a short number a part of something longer. */
const TOUCHES = CONNECTS | WORD;

/**
 * The end of the digits at `start` if they are too few for a number, alone and with the groups that
 * blanks join to them, and nothing else touches them; otherwise 0. Most numbers of a log are like
 * this. The end of several of them, if one other character parts them: `06:15:02 2004`.
 */
export function findShortNumberEnd(units: CodeUnits, start: number): number {
  if (start > 0 && ((CLASSES[units[start - 1] as number] as number) & TOUCHES) !== 0) return 0;
  if (start > 1 && CLASSES[units[start - 2] as number] === UPPER) return 0;
  let shortEnd = 0;
  let digits = 0;
  for (let at = start; ; at++) {
    while (CLASSES[units[at] as number] === DIGIT) {
      at++;
      digits++;
    }
    if (digits >= MIN_DIGITS) return shortEnd;
    const right = units[at] as number;
    const next = (CLASSES[units[at + 1] as number] as number) & WORD;
    if (right !== BLANK) {
      const classes = CLASSES[right] as number;
      if ((classes & TOUCHES) !== 0) return shortEnd;
      shortEnd = at;
      if (next !== DIGIT || classes !== 0) return at;
      digits = 0;
    } else if (next !== DIGIT) return next === 0 || !canContinue(units, start, at + 1) ? at : shortEnd;
  }
}

/**
 * Whether the word at `at` can be a group of the short number that begins at `start`. Only letters
 * before the number make one or two letters a group: `AB 12 34 56 C`.
 */
function canContinue(units: CodeUnits, start: number, at: number): boolean {
  const next = wordKindAt(units, at + 1);
  if ((next & LETTER) !== 0 && (wordKindAt(units, at + 2) & LETTER) !== 0) return false;
  if (next === DIGIT || next === UNDERSCORE) return true;
  // A longer word in lower case is no group.
  return (wordKindAt(units, start - 2) & LETTER) !== 0 && (wordKindAt(units, start - 4) & LETTER) === 0;
}

/** The classes of the character at `at`; 0 outside the text. */
export function classAt(text: string, at: number): number {
  return at >= 0 && at < text.length ? (CLASSES[text.charCodeAt(at)] as number) : 0;
}

/** The class of the character at `at` if a number can contain it; otherwise 0. */
export function wordClassAt(text: string, at: number): number {
  return classAt(text, at) & WORD;
}

/** Whether a word of the text contains the character at `at`. */
export function isTextWordAt(text: string, at: number): boolean {
  return (classAt(text, at) & TEXT_WORD) !== 0;
}

/**
 * Whether the character is a quote, also an escaped one, or a blank; false for the empty string.
 */
export function isQuoteOrBlank(character: string | undefined): boolean {
  return character !== undefined && character !== '' && ' \t"\'`\\'.includes(character);
}

/** Whether the sticky pattern matches at `at`. */
export function testAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** The match of the sticky pattern at `at`. */
export function execAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

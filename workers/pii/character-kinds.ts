import { normalizeCodeUnit } from './normalize-text.ts';

// Kinds of UTF-16 code units, as bits.
const DIGIT = 1;
const UPPER = 2;
const LOWER = 4;
const UNDERSCORE = 8;
const LETTER = UPPER | LOWER;
const WORD = DIGIT | LETTER | UNDERSCORE;
const AT = 16;
/**
 * A character with an ASCII equivalent, or an invisible character. The text must be normalized
 * first.
 */
const ENCODED = 32;

/**
 * The kind of every code unit. The table is complete, so that a lookup needs no comparison first.
 */
const KINDS = new Uint8Array(65536);
for (let code = 128; code < 65536; code++) if (normalizeCodeUnit(code) !== 0 || code === 0xd835) KINDS[code] = ENCODED;
for (let code = 48; code < 58; code++) KINDS[code] = DIGIT;
for (let code = 65; code < 91; code++) KINDS[code] = UPPER;
for (let code = 97; code < 123; code++) KINDS[code] = LOWER;
KINDS[95] = UNDERSCORE;
KINDS[64] = AT;

/**
 * 1 for the ASCII characters that can connect a number with the text next to it, or begin an
 * escape.
 */
const CONNECTORS = new Uint8Array(128);
for (let code = 0; code < 128; code++) if (((KINDS[code] as number) & (WORD | AT)) !== 0) CONNECTORS[code] = 1;
for (const character of '-./+(%\\#') CONNECTORS[character.charCodeAt(0)] = 1;

/**
 * The kind of the character at `at` if words contain it: `DIGIT`, `UPPER`, `LOWER` or `UNDERSCORE`.
 * Otherwise 0.
 */
function wordKindAt(text: string, at: number): number {
  return (KINDS[text.charCodeAt(at)] as number) & WORD;
}

/**
 * The tables and constants of the scanner. The files of the scanner destructure this object into
 * local constants. V8 folds a local constant into optimized code, but loads an imported binding at
 * every use, which makes a scan 8 % slower.
 */
export const characters = {
  KINDS,
  CONNECTORS,
  wordKindAt,
  DIGIT,
  UPPER,
  LOWER,
  UNDERSCORE,
  LETTER,
  WORD,
  AT,
  ENCODED,
  BLANK: 32,
  HYPHEN: 45,
  DOT: 46,
  SLASH: 47,
  PLUS: 43,
  OPEN_BRACKET: 40,
  OPEN_SQUARE: 91,
  BACKSLASH: 92,
} as const;

import { codes } from './character-codes.ts';

const { AT_SIGN, BLANK, DIGIT_0, HYPHEN } = codes;

export const INVISIBLE = -1;

/**
 * The ASCII equivalent of a code unit, for full-width forms, other decimal digits, dashes and
 * blanks. -1 for invisible characters (zero-width, soft hyphen, direction marks), 0 for all others.
 */
export function normalizeCodeUnit(code: number): number {
  if (code < 0xa0) return 0;
  if (code === 0xa0) return BLANK;
  if (code === 0xad) return INVISIBLE;
  if (code < 0x660) return code === 0x34f || code === 0x61c ? INVISIBLE : 0;
  if (code <= 0x669) return code - 0x660 + DIGIT_0;
  if (code >= 0x6f0 && code <= 0x6f9) return code - 0x6f0 + DIGIT_0;
  if (code >= 0x966 && code <= 0x96f) return code - 0x966 + DIGIT_0;
  if (code >= 0x9e6 && code <= 0x9ef) return code - 0x9e6 + DIGIT_0;
  if (code >= 0xe50 && code <= 0xe59) return code - 0xe50 + DIGIT_0;
  if (code === 0x180e) return INVISIBLE;
  if (code < 0x2000) return 0;
  if (code <= 0x200a) return BLANK;
  if (code <= 0x200f) return INVISIBLE;
  if (code <= 0x2015) return HYPHEN;
  if (code < 0x2100) {
    if (code === 0x202f || code === 0x205f) return BLANK;
    return (code >= 0x202a && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) ? INVISIBLE : 0;
  }
  if (code === 0x2212 || code === 0xfe58 || code === 0xfe63) return HYPHEN;
  if (code === 0x3000) return BLANK;
  if (code < 0xfe00) return 0;
  if (code <= 0xfe0f || code === 0xfeff) return INVISIBLE;
  if (code === 0xfe6b) return AT_SIGN;
  return code >= 0xff01 && code <= 0xff5e ? code - 0xfee0 : 0;
}

/**
 * Whether the character completes the character before it in decomposed text: a vowel or a final of
 * a Hangul syllable, or a mark of kana. Keywords are compared without accents, so other marks need
 * no composition.
 */
export function completesCharacter(code: number): boolean {
  return (code >= 0x1161 && code <= 0x11c2) || code === 0x3099 || code === 0x309a;
}

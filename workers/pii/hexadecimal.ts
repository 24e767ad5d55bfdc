import { characterClasses } from './character-classes.ts';
import { codes } from './character-codes.ts';
import type { ScannedText } from './scanned-text.ts';

const { unitAt } = characterClasses;
const { CASE_BIT, DIGIT_0, DIGIT_9, LOWER_A, LOWER_F } = codes;

/** The value of a hexadecimal digit, or -1. */
export function hexValue(code: number): number {
  if (code >= DIGIT_0 && code <= DIGIT_9) return code - DIGIT_0;
  const lower = code | CASE_BIT;
  return lower >= LOWER_A && lower <= LOWER_F ? lower - LOWER_A + 10 : -1;
}

/** The value of `length` hexadecimal digits, or -1. */
export function hexAt(text: ScannedText, at: number, length: number): number {
  if (at + length > text.length) return -1;
  let result = 0;
  for (let i = at; i < at + length; i++) {
    const digit = hexValue(unitAt(text, i));
    if (digit < 0) return -1;
    result = result * 16 + digit;
  }
  return result;
}

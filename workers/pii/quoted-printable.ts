// Reads quoted-printable (RFC 2045), the encoding of mail. A log line can contain `age=44` or
// `trace=3Df0` as well, so most escapes are read only if the text shows that it has this encoding.
import { characterClasses } from './character-classes.ts';
import { codes } from './character-codes.ts';
import { type Escape, invisibleEscape, isPrintable, readEscapedUtf8 } from './escape.ts';
import { hexAt } from './hexadecimal.ts';
import type { ScannedText } from './scanned-text.ts';
import { testAt } from './sticky-pattern.ts';

const { CLASSES, codeAt, DIGIT, LETTER, unitAt, wordClassOrZero } = characterClasses;
const { BEYOND_ASCII, DOT, EQUALS, HYPHEN, UPPER_D } = codes;

/**
 * An escaped equals sign, a character beyond ASCII, or a line of nearly 76 characters that the next
 * line continues.
 */
const EVIDENCE = /=3D|=(?:C[2-9A-F]|D[\dA-F]|E[\dA-F]=[89AB][\dA-F])=[89AB][\dA-F]|(?:^|\n)[^\n]{60,75}=\r?\n/u;
const HEADER = /content-transfer-encoding["'\\]{0,4}:[\s"'\\]{0,8}quoted-printable/iu;
/**
 * Digits after a key, `card=6011…`. The encoding writes the equals sign of a key as `=3D`. In
 * `joe=40163.com`, a domain follows the escape.
 */
const KEYED_DIGITS = /(?<=\w)(?<!=[\dA-F]{2})=\d{3}(?!\w*(?:-\w+)*\.[a-z])/iuy;
const SOFT_LINE_BREAK = /=(?:\r?\n|(?:\\r)?\\n)/uy;

export function isQuotedPrintable(text: string): boolean {
  return text.includes('=') && (EVIDENCE.test(text) || namesQuotedPrintable(text));
}

/** Whether a header of the text is `Content-Transfer-Encoding: quoted-printable`. */
export function namesQuotedPrintable(text: string): boolean {
  return HEADER.test(text);
}

/** Reads an escape that is evidence of the encoding: `=3D` or `=C3=A9`. */
export function readEvidentEscape(text: ScannedText, at: number): Escape | undefined {
  const lead = hexAt(text, at + 1, 2);
  if (lead === EQUALS && unitAt(text, at + 2) === UPPER_D) return { code: EQUALS, length: 3 };
  return lead >= BEYOND_ASCII ? readEscapedUtf8(text, at, lead, EQUALS) : undefined;
}

/**
 * Reads any escape of text that has the encoding: also soft line breaks, and signs. The encoding
 * does not escape letters and digits, so `=44` is none.
 */
export function readQuotedPrintable(text: ScannedText, at: number): Escape | undefined {
  SOFT_LINE_BREAK.lastIndex = at;
  if (SOFT_LINE_BREAK.test(text)) return invisibleEscape(SOFT_LINE_BREAK.lastIndex - at);
  return isEscapedSign(text, at) ? { code: hexAt(text, at + 1, 2), length: 3 } : readEvidentEscape(text, at);
}

/**
 * Whether the equals sign at `at` can begin an escape. Letters and digits are not escaped, so this
 * rejects the digits after most keys: `card=4111…`.
 */
export function canBeQuotedPrintable(text: ScannedText, at: number): boolean {
  const code = hexAt(text, at + 1, 2);
  return code >= 0 && ((CLASSES[code] as number) & (LETTER | DIGIT)) === 0;
}

/** Digits after a key are a number from this length on: `card=4011…`. */
const MIN_LONG_NUMBER_LENGTH = 7;

/** Whether the value of a key at `at` is a long number, which rejects most before the pattern. */
function isLongNumber(text: ScannedText, at: number): boolean {
  if (wordClassOrZero(text, at - 1) === 0 || codeAt(text, at - 3) === EQUALS) return false;
  let end = at + 1;
  while (wordClassOrZero(text, end) === DIGIT) end++;
  const next = codeAt(text, end);
  return end - at > MIN_LONG_NUMBER_LENGTH && next !== DOT && next !== HYPHEN && wordClassOrZero(text, end) === 0;
}

/** Whether a printable character that is no letter or digit is escaped at `at`: `=20`, `=2C`. */
export function isEscapedSign(text: ScannedText, at: number): boolean {
  const code = hexAt(text, at + 1, 2);
  if (!isPrintable(code) || ((CLASSES[code] as number) & (LETTER | DIGIT)) !== 0) return false;
  return !isLongNumber(text, at) && !testAt(KEYED_DIGITS, text, at);
}

// Reads quoted-printable (RFC 2045), the encoding of mail. A log line can contain `age=44` or
// `trace=3Df0` as well, so most escapes are read only if the text shows that it has this encoding.
import { codes } from './character-codes.ts';
import { type Escape, invisibleEscape, isPrintable, readEscapedUtf8 } from './escape.ts';
import { hexAt } from './hexadecimal.ts';

const { BEYOND_ASCII, EQUALS, UPPER_D } = codes;

/**
 * An escaped equals sign, a character beyond ASCII, or a line of nearly 76 characters that the next
 * line continues.
 */
const EVIDENCE = /=3D|=(?:C[2-9A-F]|D[\dA-F]|E[\dA-F]=[89AB][\dA-F])=[89AB][\dA-F]|(?:^|\n)[^\n]{60,75}=\r?\n/u;
const SOFT_LINE_BREAK = /=(?:\r?\n|(?:\\r)?\\n)/uy;
const LETTER_OR_DIGIT = /[\dA-Za-z]/u;

export function isQuotedPrintable(text: string): boolean {
  return EVIDENCE.test(text);
}

/** Reads an escape that is evidence of the encoding: `=3D` or `=C3=A9`. */
export function readEvidentEscape(text: string, at: number): Escape | undefined {
  const lead = hexAt(text, at + 1, 2);
  if (lead === EQUALS && text.charCodeAt(at + 2) === UPPER_D) return { code: EQUALS, length: 3 };
  return lead >= BEYOND_ASCII ? readEscapedUtf8(text, at, lead, EQUALS) : undefined;
}

/**
 * Reads any escape of text that has the encoding: also soft line breaks, and signs. The encoding
 * does not escape letters and digits, so `=44` is none.
 */
export function readQuotedPrintable(text: string, at: number): Escape | undefined {
  SOFT_LINE_BREAK.lastIndex = at;
  if (SOFT_LINE_BREAK.test(text)) return invisibleEscape(SOFT_LINE_BREAK.lastIndex - at);
  const code = hexAt(text, at + 1, 2);
  const isSign = isPrintable(code) && !LETTER_OR_DIGIT.test(String.fromCharCode(code));
  return isSign ? { code, length: 3 } : readEvidentEscape(text, at);
}

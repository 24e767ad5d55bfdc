import { characterClasses } from './character-classes.ts';
import { codes } from './character-codes.ts';
import { hexAt } from './hexadecimal.ts';
import type { ScannedText } from './scanned-text.ts';

const { codeAt } = characterClasses;
const { BLANK, CARRIAGE_RETURN, LINE_FEED, TAB, TILDE, ZERO_WIDTH_SPACE } = codes;

/** An escape: the character that it represents, and the number of its characters in the text. */
export interface Escape {
  readonly code: number;
  readonly length: number;
}

/** The escape of the given length that represents no character. */
export function invisibleEscape(length: number): Escape {
  return { code: ZERO_WIDTH_SPACE, length };
}

export function isPrintable(code: number): boolean {
  return code >= BLANK && code <= TILDE;
}

/** Whether the character separates words: a tab, or the end of a line. */
export function isWhiteControl(code: number): boolean {
  return code === TAB || code === LINE_FEED || code === CARRIAGE_RETURN;
}

/**
 * The six bits of the continuation byte of UTF-8 at `at`, or -1. `marker` is the character before
 * the digits of a byte: `%A9`, `=A9`.
 */
export function continuationAt(text: ScannedText, at: number, marker: number): number {
  const byte = codeAt(text, at) === marker ? hexAt(text, at + 1, 2) : -1;
  return byte >= 0x80 && byte < 0xc0 ? byte & 0x3f : -1;
}

/** Reads the character of two or three bytes at `at`, whose first byte is `lead`: `%C3%A9`. */
export function readEscapedUtf8(text: ScannedText, at: number, lead: number, marker: number): Escape | undefined {
  const second = continuationAt(text, at + 3, marker);
  if (lead < 0xc2 || lead > 0xef || second < 0) return undefined;
  if (lead < 0xe0) return { code: ((lead & 0x1f) << 6) | second, length: 6 };
  const third = continuationAt(text, at + 6, marker);
  return third < 0 ? undefined : { code: ((lead & 0xf) << 12) | (second << 6) | third, length: 9 };
}

// Decodes escapes, replaces Unicode variants by ASCII and removes invisible characters. Maps the
// result back to the original offsets.

import { codes } from './character-codes.ts';

const {
  AMPERSAND,
  AT_SIGN,
  BACKSLASH,
  BEYOND_ASCII,
  BLANK,
  CASE_BIT,
  DIGIT_0,
  DIGIT_9,
  HYPHEN,
  LOWER_A,
  LOWER_F,
  MATHEMATICAL,
  PERCENT,
  TILDE,
} = codes;

/** `&#65535;` is the longest escape that is read. */
const MAX_HTML_DIGITS = 5;
/** The low surrogates of mathematical digits: five alphabets of ten digits. */
const FIRST_MATHEMATICAL_DIGIT = 0xdfce;
const LAST_MATHEMATICAL_DIGIT = 0xdfff;

/**
 * The normalized text. For each of its code units, `starts` and `ends` are the offsets in the
 * original text.
 */
interface NormalizedText {
  readonly text: string;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

const INVISIBLE = -1;

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

function hexValue(code: number): number {
  if (code >= DIGIT_0 && code <= DIGIT_9) return code - DIGIT_0;
  const lower = code | CASE_BIT;
  return lower >= LOWER_A && lower <= LOWER_F ? lower - LOWER_A + 10 : -1;
}

/** The value of `length` hexadecimal digits, or -1. */
function hexAt(text: string, at: number, length: number): number {
  if (at + length > text.length) return -1;
  let result = 0;
  for (let i = at; i < at + length; i++) {
    const digit = hexValue(text.charCodeAt(i));
    if (digit < 0) return -1;
    result = result * 16 + digit;
  }
  return result;
}

/** An escape: the character that it represents, and the number of its characters in the text. */
interface Escape {
  readonly code: number;
  readonly length: number;
}

/** The six bits of the percent-encoded UTF-8 continuation byte at `at`, or -1. */
function continuationAt(text: string, at: number): number {
  const byte = text.charCodeAt(at) === PERCENT ? hexAt(text, at + 1, 2) : -1;
  return byte >= 0x80 && byte < 0xc0 ? byte & 0x3f : -1;
}

/** Reads the percent-encoded character of two or three bytes at `at`: `%C3%A9`. */
function readEscapedUtf8(text: string, at: number, lead: number): Escape | undefined {
  const second = continuationAt(text, at + 3);
  if (lead < 0xc2 || lead > 0xef || second < 0) return undefined;
  if (lead < 0xe0) return { code: ((lead & 0x1f) << 6) | second, length: 6 };
  const third = continuationAt(text, at + 6);
  return third < 0 ? undefined : { code: ((lead & 0xf) << 12) | (second << 6) | third, length: 9 };
}

/** Reads the escape at `at`: `%40`, `%2540`, `%C3%A9`, `\u0040`, `\x40`, `&#64;` or `&#x40;`. */
function readEscape(text: string, at: number): Escape | undefined {
  switch (text.charCodeAt(at)) {
    case PERCENT:
      return readPercentEscape(text, at);
    case BACKSLASH:
      return readBackslashEscape(text, at);
    case AMPERSAND:
      return readHtmlEscape(text, at);
    default:
      return undefined;
  }
}

function readPercentEscape(text: string, at: number): Escape | undefined {
  const twice = text[at + 1] === '2' && text[at + 2] === '5' ? hexAt(text, at + 3, 2) : -1;
  if (isPrintable(twice)) return { code: twice, length: 5 };
  const once = hexAt(text, at + 1, 2);
  if (once >= BEYOND_ASCII) return readEscapedUtf8(text, at, once);
  return isPrintable(once) ? { code: once, length: 3 } : undefined;
}

function readBackslashEscape(text: string, at: number): Escape | undefined {
  const digits = text[at + 1] === 'u' ? 4 : text[at + 1] === 'x' ? 2 : 0;
  const code = digits === 0 ? -1 : hexAt(text, at + 2, digits);
  return code < BLANK ? undefined : { code, length: 2 + digits };
}

function readHtmlEscape(text: string, at: number): Escape | undefined {
  if (text[at + 1] !== '#') return undefined;
  const isHex = text[at + 2] === 'x' || text[at + 2] === 'X';
  const start = at + (isHex ? 3 : 2);
  let end = start;
  let code = 0;
  while (end < start + MAX_HTML_DIGITS) {
    const digit = hexValue(text.charCodeAt(end));
    if (digit < 0 || (!isHex && digit > 9)) break;
    code = code * (isHex ? 16 : 10) + digit;
    end++;
  }
  if (text[end] !== ';' || code < BLANK || code > 0xffff) return undefined;
  return { code, length: end + 1 - at };
}

function isPrintable(code: number): boolean {
  return code >= BLANK && code <= TILDE;
}

/**
 * Whether an escape that `normalizeText` decodes, or a percent-encoded continuation byte, begins at
 * `at`.
 */
export function isEscape(text: string, at: number): boolean {
  return readEscape(text, at) !== undefined || continuationAt(text, at) >= 0;
}

/** Normalizes the whole text in one pass. */
export function normalizeText(original: string): NormalizedText {
  const codes = new Uint16Array(original.length);
  const starts = new Int32Array(original.length);
  const ends = new Int32Array(original.length);
  let length = 0;
  let at = 0;
  while (at < original.length) {
    let code = original.charCodeAt(at);
    let width = 1;
    if (code === PERCENT || code === BACKSLASH || code === AMPERSAND) {
      const escape = readEscape(original, at);
      if (escape !== undefined) {
        width = escape.length;
        code = escape.code;
      }
    } else if (code === MATHEMATICAL) {
      const low = original.charCodeAt(at + 1);
      if (low >= FIRST_MATHEMATICAL_DIGIT && low <= LAST_MATHEMATICAL_DIGIT) {
        width = 2;
        code = DIGIT_0 + ((low - FIRST_MATHEMATICAL_DIGIT) % 10);
      }
    }
    if (code >= BEYOND_ASCII) {
      const ascii = normalizeCodeUnit(code);
      if (ascii === INVISIBLE) {
        at += width;
        continue;
      }
      if (ascii > 0) code = ascii;
    }
    codes[length] = code;
    starts[length] = at;
    ends[length] = at + width;
    length++;
    at += width;
  }
  return { text: Buffer.from(codes.buffer, 0, length * 2).toString('utf16le'), starts, ends };
}

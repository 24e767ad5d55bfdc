// Decodes escapes, replaces Unicode variants by ASCII and removes invisible characters. Maps the result back to the
// original offsets.

/** The normalized text. For each of its code units, `starts` and `ends` are the offsets in the original text. */
export interface NormalizedText {
  readonly text: string;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

const INVISIBLE = -1;

/**
 * The ASCII equivalent of a code unit, for full-width forms, other decimal digits, dashes and blanks.
 * -1 for invisible characters (zero-width, soft hyphen, direction marks), 0 for all others.
 */
export function normalizeCodeUnit(code: number): number {
  if (code < 0xa0) return 0;
  if (code === 0xa0) return 32;
  if (code === 0xad) return INVISIBLE;
  if (code < 0x660) return code === 0x34f || code === 0x61c ? INVISIBLE : 0;
  if (code <= 0x669) return code - 0x660 + 48;
  if (code >= 0x6f0 && code <= 0x6f9) return code - 0x6f0 + 48;
  if (code >= 0x966 && code <= 0x96f) return code - 0x966 + 48;
  if (code >= 0x9e6 && code <= 0x9ef) return code - 0x9e6 + 48;
  if (code >= 0xe50 && code <= 0xe59) return code - 0xe50 + 48;
  if (code === 0x180e) return INVISIBLE;
  if (code < 0x2000) return 0;
  if (code <= 0x200a) return 32;
  if (code <= 0x200f) return INVISIBLE;
  if (code <= 0x2015) return 45;
  if (code < 0x2100) {
    if (code === 0x202f || code === 0x205f) return 32;
    return (code >= 0x202a && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) ? INVISIBLE : 0;
  }
  if (code === 0x2212 || code === 0xfe58 || code === 0xfe63) return 45;
  if (code === 0x3000) return 32;
  if (code < 0xfe00) return 0;
  if (code <= 0xfe0f || code === 0xfeff) return INVISIBLE;
  if (code === 0xfe6b) return 64;
  return code >= 0xff01 && code <= 0xff5e ? code - 0xfee0 : 0;
}

function hexValue(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
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

/** The character of the last escape that was read. */
let escapeCode = 0;

/** The six bits of the percent-encoded UTF-8 continuation byte at `at`, or -1. */
function continuationAt(text: string, at: number): number {
  const byte = text.charCodeAt(at) === 37 ? hexAt(text, at + 1, 2) : -1;
  return byte >= 0x80 && byte < 0xc0 ? byte & 0x3f : -1;
}

/**
 * Reads the percent-encoded character of two or three bytes at `at`, `%C3%A9`, into `escapeCode`.
 * @returns its length, or 0.
 */
function readEscapedUtf8(text: string, at: number, lead: number): number {
  const second = continuationAt(text, at + 3);
  if (lead < 0xc2 || lead > 0xef || second < 0) return 0;
  if (lead < 0xe0) {
    escapeCode = ((lead & 0x1f) << 6) | second;
    return 6;
  }
  const third = continuationAt(text, at + 6);
  if (third < 0) return 0;
  escapeCode = ((lead & 0xf) << 12) | (second << 6) | third;
  return 9;
}

/**
 * Reads the escape at `at` into `escapeCode`: `%40`, `%2540`, `%C3%A9`, `\u0040`, `\x40`, `&#64;` or `&#x40;`.
 * @returns its length, or 0.
 */
function readEscape(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (first === 37) {
    const twice = text.charCodeAt(at + 1) === 50 && text.charCodeAt(at + 2) === 53 ? hexAt(text, at + 3, 2) : -1;
    const once = hexAt(text, at + 1, 2);
    if (twice >= 32 && twice < 127) {
      escapeCode = twice;
      return 5;
    }
    if (once > 127) return readEscapedUtf8(text, at, once);
    if (once < 32 || once > 126) return 0;
    escapeCode = once;
    return 3;
  }
  if (first === 92) {
    const second = text.charCodeAt(at + 1);
    const code = second === 117 ? hexAt(text, at + 2, 4) : second === 120 ? hexAt(text, at + 2, 2) : -1;
    if (code < 32) return 0;
    escapeCode = code;
    return second === 117 ? 6 : 4;
  }
  if (first === 38 && text.charCodeAt(at + 1) === 35) {
    const isHex = (text.charCodeAt(at + 2) | 32) === 120;
    let end = at + (isHex ? 3 : 2);
    let code = 0;
    const bound = end + 5;
    while (end < bound) {
      const digit = hexValue(text.charCodeAt(end));
      if (digit < 0 || (!isHex && digit > 9)) break;
      code = code * (isHex ? 16 : 10) + digit;
      end++;
    }
    if (text.charCodeAt(end) !== 59 || code < 32 || code > 0xffff) return 0;
    escapeCode = code;
    return end + 1 - at;
  }
  return 0;
}

/** Whether an escape that `normalizeText` decodes, or a percent-encoded continuation byte, begins at `at`. */
export function isEscape(text: string, at: number): boolean {
  return readEscape(text, at) > 0 || continuationAt(text, at) >= 0;
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
    if (code === 37 || code === 92 || code === 38) {
      const escape = readEscape(original, at);
      if (escape > 0) {
        width = escape;
        code = escapeCode;
      }
    } else if (code === 0xd835) {
      // Mathematical digits: five alphabets of ten digits, each digit a surrogate pair.
      const low = original.charCodeAt(at + 1);
      if (low >= 0xdfce && low <= 0xdfff) {
        width = 2;
        code = 48 + ((low - 0xdfce) % 10);
      }
    }
    if (code > 127) {
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

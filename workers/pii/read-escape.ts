// Reads the escapes of URLs, JSON, HTML, mail and terminals.
import { characterClasses } from './character-classes.ts';
import { codes } from './character-codes.ts';
import {
  continuationAt,
  type Escape,
  invisibleEscape,
  isPrintable,
  isWhiteControl,
  readEscapedUtf8,
} from './escape.ts';
import { hexAt } from './hexadecimal.ts';
import { readHtmlEscape } from './html-escape.ts';
import { readEvidentEscape } from './quoted-printable.ts';
import type { ScannedText } from './scanned-text.ts';

const { codeAt, isListed, listCodes, unitAt } = characterClasses;
const { AMPERSAND, BACKSLASH, BEYOND_ASCII, BLANK, CARET, EQUALS, ESCAPE, HASH, PERCENT, SLASH } = codes;

/**
 * A control sequence of a terminal, such as a colour. The character `ESC` is written as itself, as
 * JSON, C, Python and shells escape it, as `#033` by syslog, or as `^[` by `cat -v`.
 */
const CONTROL_SEQUENCE = new RegExp(
  `(?:${String.fromCharCode(ESCAPE)}|\\\\(?:u001b|x1b|033|e)|#033|\\^\\[)\\[[\\d;:?]{0,24}[A-Za-z]`,
  'iuy',
);

/** The second characters of control sequences, which reject most other texts: `#1`, `\"`. */
const SECOND_OF_CONTROL_SEQUENCE = listCodes('[ux0eUXE');

/** Reads the escape at `at`: `%40`, `%2540`, `%C3%A9`, `\u0040`, `\/`, `&#64;`, `\x1b[31m`. */
export function readEscape(text: ScannedText, at: number): Escape | undefined {
  switch (unitAt(text, at)) {
    case PERCENT:
      return readPercentEscape(text, at);
    case BACKSLASH:
      return readBackslashEscape(text, at);
    case AMPERSAND:
      return readHtmlEscape(text, at);
    case EQUALS:
      return readEvidentEscape(text, at);
    case ESCAPE:
    case HASH:
    case CARET:
      return readControlSequence(text, at);
    default:
      return undefined;
  }
}

function readPercentEscape(text: ScannedText, at: number): Escape | undefined {
  const twice = text[at + 1] === '2' && text[at + 2] === '5' ? hexAt(text, at + 3, 2) : -1;
  if (isPrintable(twice) || isWhiteControl(twice)) return { code: twice, length: 5 };
  const once = hexAt(text, at + 1, 2);
  if (once >= BEYOND_ASCII) return readEscapedUtf8(text, at, once, PERCENT);
  return isPrintable(once) || isWhiteControl(once) ? { code: once, length: 3 } : undefined;
}

function readBackslashEscape(text: ScannedText, at: number): Escape | undefined {
  if (codeAt(text, at + 1) === SLASH) return { code: SLASH, length: 2 };
  if (codeAt(text, at + 1) === BACKSLASH) return readTwiceEscaped(text, at);
  const digits = text[at + 1] === 'u' ? 4 : text[at + 1] === 'x' ? 2 : 0;
  const code = digits === 0 ? -1 : hexAt(text, at + 2, digits);
  return code < BLANK && !isWhiteControl(code) ? readControlSequence(text, at) : { code, length: 2 + digits };
}

/** JSON within JSON: `\\u0040`. Two backslashes before anything else are themselves. */
function readTwiceEscaped(text: ScannedText, at: number): Escape | undefined {
  if (text[at + 2] !== 'u') return undefined;
  const code = hexAt(text, at + 3, 4);
  return isPrintable(code) ? { code, length: 7 } : undefined;
}

function readControlSequence(text: ScannedText, at: number): Escape | undefined {
  if (!isListed(SECOND_OF_CONTROL_SEQUENCE, codeAt(text, at + 1))) return undefined;
  CONTROL_SEQUENCE.lastIndex = at;
  return CONTROL_SEQUENCE.test(text) ? invisibleEscape(CONTROL_SEQUENCE.lastIndex - at) : undefined;
}

/** Whether an escape, or the rest of an escaped character, begins at `at`. */
export function isEscape(text: ScannedText, at: number): boolean {
  return readEscape(text, at) !== undefined || continuationAt(text, at, PERCENT) >= 0;
}

// Reads the character references of HTML and XML: `&#64;`, `&#x40;`, `&nbsp;`, `&eacute;`.
import { characterClasses } from './character-classes.ts';
import { codes } from './character-codes.ts';
import type { Escape } from './escape.ts';
import { hexValue } from './hexadecimal.ts';
import type { ScannedText } from './scanned-text.ts';

const { codeAt } = characterClasses;
const { BLANK, CASE_BIT, LOWER_A, LOWER_Z, SEMICOLON } = codes;

/** `&#65535;` is the longest number that is read. */
const MAX_DIGITS = 5;
/** `&hellip;` is among the longest names that are read. */
const MAX_NAME_LENGTH = 8;

/** References that are written next to personal data or within its labels. */
const NAMED = new Map(
  Object.entries({
    nbsp: ' ',
    ensp: ' ',
    emsp: ' ',
    thinsp: ' ',
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    commat: '@',
    period: '.',
    colon: ':',
    equals: '=',
    sol: '/',
    hyphen: '-',
    dash: '-',
    ndash: '-',
    mdash: '-',
    minus: '-',
    shy: '\u00ad',
    zwnj: '\u200c',
    zwj: '\u200d',
    ordm: 'º',
    ordf: 'ª',
    oslash: 'ø',
    Oslash: 'Ø',
    aelig: 'æ',
    AElig: 'Æ',
    szlig: 'ß',
  }).map(([name, character]) => [name, character.charCodeAt(0)]),
);
/** `&eacute;` is read as `e`, because keywords are compared without accents. */
const ACCENTED_LETTER = /^[A-Za-z](?:acute|grave|circ|uml|tilde|cedil|ring|caron|ogon|dblac)$/u;

export function readHtmlEscape(text: ScannedText, at: number): Escape | undefined {
  return text[at + 1] === '#' ? readNumber(text, at) : readName(text, at);
}

function readNumber(text: ScannedText, at: number): Escape | undefined {
  const isHex = text[at + 2] === 'x' || text[at + 2] === 'X';
  const start = at + (isHex ? 3 : 2);
  let end = start;
  let code = 0;
  while (end < start + MAX_DIGITS) {
    const digit = hexValue(codeAt(text, end));
    if (digit < 0 || (!isHex && digit > 9)) break;
    code = code * (isHex ? 16 : 10) + digit;
    end++;
  }
  if (text[end] !== ';' || code < BLANK || code > 0xffff) return undefined;
  return { code, length: end + 1 - at };
}

function readName(text: ScannedText, at: number): Escape | undefined {
  const start = at + 1;
  let end = start;
  while (end - start < MAX_NAME_LENGTH && isLetter(codeAt(text, end))) end++;
  if (end === start || codeAt(text, end) !== SEMICOLON) return undefined;
  const name = text.slice(start, end);
  const code = NAMED.get(name) ?? (ACCENTED_LETTER.test(name) ? name.charCodeAt(0) : undefined);
  return code === undefined ? undefined : { code, length: end + 1 - at };
}

function isLetter(code: number): boolean {
  const lower = code | CASE_BIT;
  return lower >= LOWER_A && lower <= LOWER_Z;
}

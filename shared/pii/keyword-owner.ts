// Decides whether a keyword describes a number, or a value next to it: `sin=0.5 id=…`.
import { type Candidate } from './candidate.ts';
import { CLASSES, classAt, DIGIT, isQuoteOrBlank, isTextWordAt } from './characters.ts';
import type { OwnKey } from './own-key.ts';
import { execAt, testAt } from './sticky-pattern.ts';
import type { TextKeyword } from './text-keywords.ts';
import { hashWord, hashWords } from './words.ts';

/** The maximum number of characters from the end of a keyword to the delimiter of its key. */
const MAX_REST_OF_KEY = 24;
/** The rest of a key after a keyword, and the quotes and blanks before its delimiter. */
const REST_OF_KEY = /(?:[\w\u00aa-\u1fff\u2c00-\u2fff\u3040-\ufeff-]|\.(?=\w)){0,24}[\s"'\\`]{0,6}/y;
/** A run of as many digits is a number of its own, to which a keyword before it can belong. */
const LONG_NUMBER = /\d(?:[-./ ]?\d){6,}/gu;
/** Dates, times, addresses of hosts and object identifiers are not numbers with a keyword. */
const DATE_OR_HOST =
  /^(?:(?:19|20)\d\d[-./](?:0?[1-9]|1[0-2])[-./][0-3]?\d(?!\d)|[0-3]?\d[-./][01]?\d[-./](?:19|20)\d\d(?!\d)|(?:19|20)\d\d(?:0[1-9]|1[0-2])[0-3]\d(?:\d{4,6})?$|(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$|[0-2](?:\.\d{1,8}){4,14}$)/u;
const WORD = /[\p{L}\p{M}\d]+/gu;
/** Words between the values of a list. */
const CONJUNCTIONS = hashWords('and or to und oder y et e i och og en');
/**
 * What is between a keyword and the long number that it describes: `cédula titular (Uruguay): `.
 */
const BEFORE_NUMBER =
  '(?:[\\s_-]?n(?:[or]\\.?|[º°]|um(?:ber|mer)?))?(?:\\s(?:d[aeo]|del|of)\\s\\p{L}{1,16})?(?:\\s\\p{L}{4,12})?\\s?(?:\\([^()]{1,24}\\))?\\.?(?:\\s(?:is|ist|es|est|é|è))?[\\s:=/]{1,3}';
const FOLLOWING_NUMBER = new RegExp(`${BEFORE_NUMBER}(\\d(?:[-./ ]?\\d){6,})`, 'iuy');
/** The same with a sign for "number": `borrower DNI nº 51…`. */
const NUMBERED =
  /(?:\s(?:d[aeo]|del|di|du|der|des|of|van)(?:\s[^\s\d]{1,16}){1,2})?\.?:?\s[Nn](?:[or]\.|[º°]):?\s?\d[\d.-]{5,}\d/uy;
/** A word or a sign for "number", which ends a label. */
const NUMBER_SIGN = /(?:\b(?:n[or]\.?|num|number)|[#№]|\bn[º°])[\s:"']{0,3}$/iu;

/** The delimiter of the key that contains the keyword's end, or another character; its position. */
function findDelimiter(text: string, end: number, bound: number): number {
  const rest = execAt(REST_OF_KEY, text, end)?.[0].length ?? 0;
  return Math.min(bound, end + rest);
}

/** Whether a keyword before the number is the key of another value, or describes another number. */
export function belongsToAnotherValue(keyword: TextKeyword, number: Candidate, ownKey: OwnKey | undefined): boolean {
  if (ownKey !== undefined && keyword.start >= ownKey.start && keyword.end <= ownKey.end) return false;
  const { text, start } = number;
  const at = findDelimiter(text, keyword.end, Math.min(start, keyword.end + MAX_REST_OF_KEY));
  const delimiter = at < start ? text.charAt(at) : '';
  if (delimiter === '=' || delimiter === ':') {
    if (ownKey !== undefined && ownKey.start > at) return !isWithinValue(text, at + 1, ownKey.start);
    if (delimiter === '=' && !/^[\s=>"'[({\\]/u.test(text.charAt(at + 1)) && text.slice(at + 1, start).includes(' '))
      return true;
  }
  return (delimiter === '>' && isClosingTag(text, at)) || belongsToEarlierNumber(number, keyword.end);
}

function isClosingTag(text: string, end: number): boolean {
  return /<\/[\w:.-]{1,64}$/u.test(text.slice(Math.max(0, end - 66), end));
}

/**
 * Whether the value that begins at `from` is an object or a list that contains the inner key at
 * `keyStart`: `{"ssn": {"type": "string", "value": "…"}}`.
 */
function isWithinValue(text: string, from: number, keyStart: number): boolean {
  let at = from;
  while (at < keyStart && (isQuoteOrBlank(text.charAt(at)) || text.charAt(at) === '>')) at++;
  if (text.charAt(at) === '\n') return isIndented(text, from, keyStart);
  // The type of an object precedes it: `Pesel[value=44…]`, `array('value' => …`.
  while (at < keyStart && (isTextWordAt(text, at) || text.charAt(at) === '.')) at++;
  for (let depth = 0; at < keyStart; at++) {
    const character = text.charAt(at);
    if (character === '{' || character === '[' || character === '(') depth++;
    else if (character === '}' || character === ']' || character === ')') depth--;
    if (depth <= 0) return false;
  }
  return true;
}

/** Whether every line after the key that ends at `from` is indented further, as in YAML. */
function isIndented(text: string, from: number, keyStart: number): boolean {
  const indentOf = (line: string): number => line.length - line.trimStart().length;
  const outer = indentOf(text.slice(text.lastIndexOf('\n', from - 1) + 1, from));
  const inner = text.slice(text.indexOf('\n', from) + 1, keyStart).split('\n');
  return inner.every((line, index) => (index === inner.length - 1 ? line.length : indentOf(line)) > outer);
}

/** The end of the first long number in text[from, to), or -1. */
function findLongNumberEnd(text: string, from: number, to: number): number {
  let digits = 0;
  for (let at = from; at < to && digits < 7; at++) if (CLASSES[text.charCodeAt(at)] === DIGIT) digits++;
  if (digits < 7) return -1;
  for (const { index, 0: number } of text.slice(from, to).matchAll(LONG_NUMBER))
    if (!DATE_OR_HOST.test(number)) return from + index + number.length;
  return -1;
}

/**
 * Whether a long number and a word after it are between the keyword that ends at `from` and the
 * number.
 */
function belongsToEarlierNumber({ text, start }: Candidate, from: number): boolean {
  let at = findLongNumberEnd(text, from, start);
  if (at < 0) return false;
  // Letters after a digit are a part of the number: `762022602X`.
  while (at < start && isTextWordAt(text, at)) at++;
  return [...text.slice(at, start).matchAll(WORD)].some(([word]) => !CONJUNCTIONS.has(hashWord(word)));
}

/** Whether a long number is between the number and the keyword after it that begins at `to`. */
export function belongsToLaterNumber({ text, end }: Candidate, to: number): boolean {
  return findLongNumberEnd(text, end + 1, to) > 0;
}

/** Whether a label that ends with a sign for "number" is directly before the number. */
export function hasNumberSignBefore({ text, start }: Candidate): boolean {
  return NUMBER_SIGN.test(text.slice(Math.max(0, start - 12), start));
}

/** Whether a long number directly follows a keyword after the number. */
export function isBeforeLongNumber(text: string, keywordEnd: number): boolean {
  const number = execAt(FOLLOWING_NUMBER, text, keywordEnd)?.[1];
  return number !== undefined && !DATE_OR_HOST.test(number);
}

/** Whether the keyword, after a number, is the key or the element of the next value: `ssn=…`. */
export function isNextKey(text: string, { start, end }: TextKeyword): boolean {
  const at = findDelimiter(text, end, text.length);
  const character = text.charAt(text.charAt(at) === '#' || text.charAt(at) === '.' ? at + 1 : at);
  if (character === '>') return /<[\w:.-]{0,64}$/u.test(text.slice(Math.max(0, start - 65), start));
  return character === '=' || character === ':';
}

/**
 * Whether the keyword, after a number, describes the next number: `loan 40797095 borrower CPF nº
 * 898…`. Another number of the scheme directly after the keyword is enough.
 */
export function describesNextNumber({ text, shape }: Candidate, { end, targets }: TextKeyword): boolean {
  if (testAt(NUMBERED, text, end)) return true;
  if (text.charAt(end) !== ' ' || isTextWordAt(text, end + 1 + shape.length)) return false;
  const value = new Uint8Array(shape.length);
  for (let i = 0; i < shape.length; i++) {
    if (classAt(text, end + 1 + i) !== DIGIT) return false;
    value[i] = text.charCodeAt(end + 1 + i) - 48;
  }
  return shape.rules.some(({ target, id }) => targets.includes(target) && id.check(value, shape.length));
}

/**
 * Whether a digit or a colon is between the number and `from`. A number at the beginning of a line
 * with several fields is a time. A colon directly after the number does not count.
 */
export function hasFieldBetween({ text, end }: Candidate, from: number): boolean {
  return /[\d:]/u.test(text.slice(text.startsWith(': ', end) ? end + 1 : end, from));
}

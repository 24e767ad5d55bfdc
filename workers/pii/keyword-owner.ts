// Decides whether a keyword describes a number, or a value next to it: `sin=0.5 id=…`.
import type { Candidate } from './candidate.ts';
import { characterClasses } from './character-classes.ts';
import { codes } from './character-codes.ts';
import { findNameStart, isInClosingTag, isInKey } from './element-name.ts';
import { CONJUNCTIONS } from './non-personal-words.ts';
import type { NumberShape } from './number-shapes.ts';
import type { OwnKey } from './own-key.ts';
import type { ScannedText } from './scanned-text.ts';
import { testAt } from './sticky-pattern.ts';
import type { TextKeyword } from './text-keywords.ts';
import { hashWordAt, hashWords } from './word-hash.ts';

const { CLASSES, codeAt, DIGIT, isQuoteOrBlank, isTextWord, unitAt } = characterClasses;
const {
  APOSTROPHE,
  BACKSLASH,
  BLANK,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CLOSE_SQUARE,
  COLON,
  DIGIT_0,
  DOT,
  DOUBLE_QUOTE,
  EQUALS,
  GREATER_THAN,
  HASH,
  LESS_THAN,
  LINE_FEED,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_SQUARE,
} = codes;

/** The maximum number of characters from the end of a keyword to the delimiter of its key. */
const MAX_REST_OF_KEY = 24;
/** A run of as many digits is a number of its own, to which a keyword before it can belong. */
const MIN_OWN_NUMBER_LENGTH = 7;

/**
 * A number of at least seven characters after a keyword, also after the rest of its label: `nº`,
 * `de identidad`, `of the spouse`.
 */
const NEXT_NUMBER =
  /(?:\s(?:d[aeo]|del|di|du|der|des|of|van)(?:\s[^\s\d]{1,16}){1,2})?\.?:?\s[Nn](?:[or]\.|[º°]):?\s?\d[\d.-]{5,}\d/uy;

/**
 * The same with any form of digits, after the keyword, the rest of its label or its sign for
 * "number", and a word for a person: `cédula de identidad (Uruguay): 1…`, `cédula titular 97…`.
 */
const FOLLOWING_NUMBER =
  /(?:[\s_-]?n(?:[or]\.?|[º°]|um(?:ber|mer)?))?(?:\s(?:d[aeo]|del|of)\s\p{L}{1,16})?(?:\s(?:titular|cliente?|customer|pa[ct]ient\w?|holder|employee|empleado|trabajador))?\s?(?:\([^()]{1,24}\))?\.?(?:\s(?:is|ist|es|est|é|è))?[\s:=/]{1,3}(\d(?:[-./ ]?\d){6,})/iuy;

/** Whether a keyword before the number is the key of another value, or describes another number. */
export function belongsToAnotherValue(keyword: TextKeyword, number: Candidate, ownKey: OwnKey | undefined): boolean {
  if (ownKey !== undefined && keyword.start >= ownKey.start && keyword.end <= ownKey.end) return false;
  const { text } = number;
  const bound = Math.min(number.start, keyword.end + MAX_REST_OF_KEY);
  let at = keyword.end;
  while (at < bound && isInKey(text, at)) at++;
  while (at < bound && isQuoteOrBlank(unitAt(text, at))) at++;
  if (isAbsent(text, at) || isInClosingTag(text, at)) return true;
  const delimiter = at < bound ? unitAt(text, at) : 0;
  if ((delimiter === EQUALS || delimiter === COLON) && !isPlaceholder(text, at + 1)) {
    if (ownKey !== undefined && ownKey.start > at) {
      return !isWithinValue(text, at + 1, ownKey.start);
    } else if (delimiter === EQUALS && endsAtBlank(text, at + 1)) {
      for (let i = at + 1; i < number.start; i++) if (unitAt(text, i) === BLANK) return true;
    }
  }
  return belongsToEarlierNumber(number, keyword.end);
}

/** Words that say that a value is absent: `nationalId is null for customer 78…`. */
const ABSENT =
  /(?:(?:(?:is|was|ist|es|est|er)\s|[=:]\s?)["']?)?(?:null|nil|undefined|empty|missing|absent|ontbreekt|fehlt|ausente|mancante|manquante?|mangler|saknas|puuttuu)(?![\p{L}\d_])/iuy;

/** The first words of these messages, which reject most texts before the pattern. */
const ABSENT_WORDS = hashWords(
  'is was ist es est er null nil undefined empty missing absent ontbreekt fehlt ausente mancante manquant manquante mangler saknas puuttuu',
);
/** The maximum length of an equals sign or a colon with its blank and its quote. */
const MAX_SEPARATOR_LENGTH = 3;
const MAX_ABSENT_WORD_LENGTH = 9;

function isAbsent(text: ScannedText, at: number): boolean {
  let start = at;
  while (start < at + MAX_SEPARATOR_LENGTH && !isTextWord(codeAt(text, start))) start++;
  let end = start;
  while (end - start <= MAX_ABSENT_WORD_LENGTH && isTextWord(codeAt(text, end))) end++;
  return ABSENT_WORDS.has(hashWordAt(text, start, end)) && testAt(ABSENT, text, at);
}

/** Whether the keyword is in the name of an opening tag without attributes: `<dni>`. */
export function isOpeningTag(text: ScannedText, { start, end }: TextKeyword): boolean {
  const bound = end + MAX_REST_OF_KEY;
  let at = end;
  while (at < bound && isInKey(text, at)) at++;
  return codeAt(text, at) === GREATER_THAN && codeAt(text, findNameStart(text, start) - 1) === LESS_THAN;
}

/** Whether a line ends between `from` and the number, whose column has another name. */
export function isInEarlierLine({ text, start }: Candidate, from: number): boolean {
  return text.slice(from, start).includes('\n');
}

/** A parameter of an SQL statement, whose value is elsewhere: `= $1`, `= ?`, `= :1`, `= @p0`. */
const PLACEHOLDER = /\s?(?:\$\d|\?|:\w|@\w|%s)/uy;
const PLACEHOLDER_SIGNS = '$?:@%';

function isPlaceholder(text: ScannedText, at: number): boolean {
  const first = unitAt(text, at) === BLANK ? at + 1 : at;
  if (!PLACEHOLDER_SIGNS.includes(text.charAt(first))) return false;
  PLACEHOLDER.lastIndex = at;
  return PLACEHOLDER.test(text);
}

/** Whether the character ends a shortened word: `no.`, `SS#`. */
function isAbbreviation(code: number): boolean {
  return code === DOT || code === HASH;
}

/**
 * Whether the value that begins at `from` is an object or a list that contains the inner key at
 * `keyStart`. In {"ssn": {"type": "string", "value": "…"}}, the inner key belongs to the outer
 * key.
 */
function isWithinValue(text: ScannedText, from: number, keyStart: number): boolean {
  let at = from;
  // Ruby writes `=>`.
  if (unitAt(text, at) === GREATER_THAN) at++;
  while (at < keyStart && isQuoteOrBlank(unitAt(text, at))) at++;
  if (unitAt(text, at) === LINE_FEED) return isIndented(text, from, keyStart);
  // The type of an object precedes it: `Pesel[value=44…]`, `array('value' => …`.
  while (at < keyStart && (isTextWord(unitAt(text, at)) || unitAt(text, at) === DOT)) at++;
  for (let depth = 0; at < keyStart; at++) {
    const code = codeAt(text, at);
    if (code === OPEN_BRACE || code === OPEN_SQUARE || code === OPEN_BRACKET) depth++;
    else if (code === CLOSE_BRACE || code === CLOSE_SQUARE || code === CLOSE_BRACKET) depth--;
    if (depth <= 0) return false;
  }
  return true;
}

/**
 * Whether every line after the key that ends at `from`, to the inner key, is indented further than
 * the line of the key, as in YAML.
 */
function isIndented(text: ScannedText, from: number, keyStart: number): boolean {
  const outer = measureIndent(text, text.lastIndexOf('\n', from - 1) + 1);
  for (let at = text.indexOf('\n', from); at >= 0 && at < keyStart; at = text.indexOf('\n', at + 1))
    if (measureIndent(text, at + 1) <= outer) return false;
  return true;
}

/** The number of blanks at the beginning of the line at `start`. */
function measureIndent(text: ScannedText, start: number): number {
  let at = start;
  while (unitAt(text, at) === BLANK) at++;
  return at - start;
}

/**
 * Whether the value at `at` ends at the next blank, `pan=0.73 4111…`, because it is neither
 * quoted nor a list. The delimiter can be longer: `=>`, `==`.
 */
function endsAtBlank(text: ScannedText, at: number): boolean {
  const code = codeAt(text, at);
  return (
    code !== BLANK &&
    code !== EQUALS &&
    code !== GREATER_THAN &&
    code !== DOUBLE_QUOTE &&
    code !== APOSTROPHE &&
    code !== OPEN_SQUARE &&
    code !== OPEN_BRACKET &&
    code !== OPEN_BRACE &&
    code !== BACKSLASH
  );
}

/** A number of at least seven digits, which can be in groups. */
const LONG_NUMBER = /\d(?:[-./ ]?\d){6,}/gu;
/**
 * Dates, times, addresses of hosts and object identifiers are no numbers to which a keyword can
 * belong.
 */
const DATE_OR_HOST =
  /^(?:(?:19|20)\d\d[-./](?:0?[1-9]|1[0-2])[-./][0-3]?\d(?!\d)|[0-3]?\d[-./][01]?\d[-./](?:19|20)\d\d(?!\d)|(?:19|20)\d\d(?:0[1-9]|1[0-2])[0-3]\d(?:\d{4,6})?$|(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$|[0-2](?:\.\d{1,8}){4,14}$)/u;
const WORD = /[\p{L}\p{M}\d]+/gu;

/** Whether text[from, to) has as many digits as a long number. Rejects most texts. */
function hasDigits(text: ScannedText, from: number, to: number): boolean {
  let digits = 0;
  for (let at = from; at < to && digits < MIN_OWN_NUMBER_LENGTH; at++)
    if (CLASSES[unitAt(text, at)] === DIGIT) digits++;
  return digits === MIN_OWN_NUMBER_LENGTH;
}

/** The position of a value in a file: `in line 2367 1-10`. */
const POSITION =
  /(?<!\p{L})(?:line|row|col(?:umn)?|pos(?:ition)?|offset|zeile|spalte|ligne|l[ií]nea|fila|linha|riga|rad|rivi|regel)s?[\s:#]{1,2}$/iu;
const MAX_POSITION_LENGTH = 12;

/** Whether the number at `at` is a position, by the text from `from` on, which ends in a letter. */
function isPosition(text: ScannedText, from: number, at: number): boolean {
  const last = codeAt(text, at - 2);
  return at - from > 3 && last > DIGIT_0 + 9 && POSITION.test(text.slice(Math.max(from, at - MAX_POSITION_LENGTH), at));
}

/** The end of the first long number in text[from, to), or -1. */
function findLongNumberEnd(text: ScannedText, from: number, to: number): number {
  const part = text.slice(from, to);
  LONG_NUMBER.lastIndex = 0;
  // A match of `matchAll` takes longer.
  for (let found = LONG_NUMBER.exec(part); found !== null; found = LONG_NUMBER.exec(part)) {
    const { index, 0: number } = found;
    if (!DATE_OR_HOST.test(number) && !isPosition(text, from, from + index)) return from + index + number.length;
  }
  return -1;
}

/**
 * Whether a long number and a word after it are between the keyword that ends at `from` and the
 * number.
 */
function belongsToEarlierNumber({ text, start }: Candidate, from: number): boolean {
  if (!hasDigits(text, from, start)) return false;
  let at = findLongNumberEnd(text, from, start);
  if (at < 0) return false;
  // Letters after a digit are a part of the number: `762022602X`.
  while (at < start && isTextWord(unitAt(text, at))) at++;
  for (const { index, 0: word } of text.slice(at, start).matchAll(WORD))
    if (!CONJUNCTIONS.has(hashWordAt(text, at + index, at + index + word.length))) return true;
  return false;
}

const COLUMN = String.raw`(?:column|columna|coluna|colonne|colonna|kolom|kolumna|spalte)`;
const COLUMN_BEFORE = new RegExp(String.raw`(?<!\p{L})${COLUMN}[\s"':(]{1,3}$`, 'iu');
const COLUMN_AFTER = new RegExp(String.raw`^["')]?\s${COLUMN}(?!\p{L})`, 'iu');
const MAX_COLUMN_LENGTH = 12;

/** Whether the keyword is the name of a column in a message about a row: `tckn column fails`. */
export function isColumnName(text: string, { start, end }: TextKeyword): boolean {
  return (
    COLUMN_AFTER.test(text.slice(end, end + MAX_COLUMN_LENGTH)) ||
    COLUMN_BEFORE.test(text.slice(Math.max(0, start - MAX_COLUMN_LENGTH), start))
  );
}

/** Whether a long number is between the number and the keyword after it that begins at `to`. */
export function belongsToLaterNumber({ text, end }: Candidate, to: number): boolean {
  return hasDigits(text, end + 1, to) && findLongNumberEnd(text, end + 1, to) > 0;
}

/** A word or a sign for "number", which ends a label. */
const NUMBER_SIGN = /(?:\b(?:n[or]\.?|num|number)|[#№]|\bn[º°])[\s:"']{0,3}$/iu;
const MAX_SIGN_LENGTH = 12;

/** Whether a label that ends with a sign for "number" is directly before the number. */
export function hasLabelBefore({ text, start }: Candidate): boolean {
  return NUMBER_SIGN.test(text.slice(Math.max(0, start - MAX_SIGN_LENGTH), start));
}

/**
 * Whether a long number directly follows a keyword after the number. Such a keyword is no evidence
 * for a number without a check digit.
 */
export function isBeforeLongNumber(text: string, keywordEnd: number): boolean {
  FOLLOWING_NUMBER.lastIndex = keywordEnd;
  const number = FOLLOWING_NUMBER.exec(text)?.[1];
  return number !== undefined && !DATE_OR_HOST.test(number);
}

/** Whether the keyword that ends at `end` is a key or a part of a key: `ssn=…`. */
export function isKey(text: ScannedText, end: number): boolean {
  const bound = Math.min(text.length, end + MAX_REST_OF_KEY);
  let at = end;
  while (at < bound && isInKey(text, at)) at++;
  while (at < bound && (isQuoteOrBlank(unitAt(text, at)) || isAbbreviation(unitAt(text, at)))) at++;
  const code = at < text.length ? unitAt(text, at) : 0;
  return code === EQUALS || code === COLON;
}

/**
 * Whether the keyword, after a number, describes the next number: `loan 40797095 borrower CPF nº
 * 898…`. Another number of the scheme directly after the keyword is enough.
 */
export function describesNextNumber({ text, shape }: Candidate, keyword: TextKeyword): boolean {
  const { end } = keyword;
  const next = codeAt(text, end);
  if (next !== BLANK && next !== COLON && next !== DOT) return false;
  if (next === BLANK && isNumberOfScheme(text, end + 1, shape, keyword)) return true;
  NEXT_NUMBER.lastIndex = end;
  return NEXT_NUMBER.test(text);
}

/** Whether bare digits at `start` can be another number of the shape that the keyword names. */
function isNumberOfScheme(
  text: ScannedText,
  start: number,
  { length, rules }: NumberShape,
  { targets }: TextKeyword,
): boolean {
  const value = new Uint8Array(length);
  for (let i = 0; i < length; i++) {
    const code = codeAt(text, start + i);
    if (CLASSES[code] !== DIGIT) return false;
    value[i] = code - DIGIT_0;
  }
  if (isTextWord(codeAt(text, start + length))) return false;
  return rules.some(({ target, check }) => targets.includes(target) && check(value, length));
}

/**
 * Whether a digit or a colon is between the number and `from`. A number at the beginning of a line
 * with several fields is a time. A colon directly after the number does not count: `44051401359:
 * PESEL`.
 */
export function hasFieldBetween({ text, end }: Candidate, from: number): boolean {
  const ownColon = unitAt(text, end) === COLON && unitAt(text, end + 1) === BLANK ? 1 : 0;
  for (let i = end + ownColon; i < from; i++) {
    const code = unitAt(text, i);
    if (code >= DIGIT_0 && code <= COLON) return true;
  }
  return false;
}

// The context of a number: its direct key, which is directly before it (`key=`, `key: "`), and the
// keywords that describe it and not a value next to it: `sin=0.5 id=…`.

import { characters, execAt, isQuoteOrBlank, isTextWordAt, wordClassAt } from './characters.ts';
import {
  CARD_TARGET,
  FIRST_AMBIGUOUS_TARGET,
  GENERAL_TARGET,
  hashWord,
  hashWords,
  type TextKeyword,
} from './keyword-index.ts';
import type { Candidate, ScannedText } from './scanned-text.ts';

const { CLASSES, DIGIT, FOREIGN, WORD } = characters;

/** A key at text[start, end). */
export interface DirectKey {
  readonly start: number;
  readonly end: number;
}

/** Signs within keys, beside letters, digits and underscores. */
const KEY_SIGNS = '.`-×÷';
const MAX_KEY_LENGTH = 40;
const WHITE_SPACE = ' \t\n\v\f\r\u1680\u2028\u2029';
/** Characters between a delimiter and its value: `key=[{"`. */
const OPENS_VALUE = `${WHITE_SPACE}"'\`\\([{<#>`;
const MAX_OPENING_LENGTH = 8;
/** Characters between a key and its delimiter: `["key"] = `, `key::`. */
const CLOSES_KEY = `${WHITE_SPACE}"'\`\\]):`;
const MAX_CLOSING_LENGTH = 4;
const LETTER = /[A-Za-z\u00aa-\uffff]/u;
/** The name of the element whose content a number is: `<name>`, `<Data Name="ssn">`. */
const ELEMENT = /(?<=[<:]([\w.-]{1,40})>)|(?<=<\w{1,20}\s[Nn]ame="([\w.-]{1,40})">)/y;

/** Finds the key of the value at `valueStart`. A key has at least one letter. */
function findDirectKey(text: string, valueStart: number): DirectKey | undefined {
  const delimiterAt = skipBack(text, valueStart, OPENS_VALUE, MAX_OPENING_LENGTH) - 1;
  const delimiter = text.charAt(delimiterAt);
  if (delimiter !== '=' && delimiter !== ':') return undefined;
  const end = skipBack(text, delimiterAt, CLOSES_KEY, MAX_CLOSING_LENGTH);
  let start = end;
  while (start > 0 && end - start < MAX_KEY_LENGTH && isKeyCharacter(text, start - 1)) start--;
  if (!LETTER.test(text.slice(start, end))) return undefined;
  return { start: start + (text.charAt(start) === '`' ? 1 : 0), end };
}

/** The start of the `skipped` characters, at most `max`, directly before `end`. */
function skipBack(text: string, end: number, skipped: string, max: number): number {
  let start = end;
  while (start > 0 && end - start < max && skipped.includes(text.charAt(start - 1))) start--;
  return start;
}

/** Finds the name of the XML element whose content begins at `valueStart`. */
export function findElementName(text: string, valueStart: number): DirectKey | undefined {
  if (text.charAt(valueStart - 1) !== '>') return undefined;
  const found = execAt(ELEMENT, text, valueStart);
  if (found === null) return undefined;
  const end = valueStart - (found[1] === undefined ? 2 : 1); // `">` or `>`
  return { start: end - (found[1] ?? found[2] ?? '').length, end };
}

/** The maximum number of characters from the end of a keyword to the delimiter of its key. */
const MAX_REST_OF_KEY = 24;
/** Characters between a key with a keyword and its delimiter. */
const QUOTES = `${WHITE_SPACE}"'\\\``;
const MAX_QUOTES = 6;
/** Dates, times, addresses of hosts and object identifiers are not numbers with a keyword. */
const DATE_OR_HOST =
  /^(?:(?:19|20)\d\d[-./](?:0?[1-9]|1[0-2])[-./][0-3]?\d(?!\d)|[0-3]?\d[-./][01]?\d[-./](?:19|20)\d\d(?!\d)|(?:19|20)\d\d(?:0[1-9]|1[0-2])[0-3]\d(?:\d{4,6})?$|(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$|[0-2](?:\.\d{1,8}){4,14}$)/u;
const WORDS = /[\p{L}\p{M}\d]+/gu;
const MIN_LONGER_WORD = 4;
/** A longer word than the conjunctions of lists: `ssns 123456789 and 212456789`. */
const LONGER_WORD = /[\p{L}\p{M}]{4}/u;
/** A long number directly after a keyword: `CPF: 8…`, `DNI nº 5…`, `ID Number (RSA): 8…`. */
const FOLLOWING_NUMBER =
  /(?:\s\([^()]{1,24}\)|\sis)?\.?[\s:=/]{1,3}(?:n(?:[or]\.?|[º°]):?\s?)?(\d(?:[-./ ]?\d){6,})/iuy;
/** The delimiter of the key that contains the keyword's end, or another character; its position. */
function findDelimiter(text: string, end: number, bound: number): number {
  const keyBound = Math.min(bound, end + MAX_REST_OF_KEY);
  let at = end;
  while (at < keyBound && isInKey(text, at)) at++;
  const quotesBound = Math.min(bound, at + MAX_QUOTES);
  while (at < quotesBound && QUOTES.includes(text.charAt(at))) at++;
  return at;
}

/** Whether a key continues at `at`. A full stop needs a word after it. */
function isInKey(text: string, at: number): boolean {
  const character = text.charAt(at);
  if (character === '.') return wordClassAt(text, at + 1) !== 0;
  return character !== '`' && isKeyCharacter(text, at);
}

function isKeyCharacter(text: string, at: number): boolean {
  return ((CLASSES[text.charCodeAt(at)] as number) & (WORD | FOREIGN)) !== 0 || KEY_SIGNS.includes(text.charAt(at));
}

/** Whether a keyword before the number is the key of another value: `pesel=n/a order=44…`. */
function isKeyOfAnotherValue(
  keyword: TextKeyword,
  { text, start }: Candidate,
  directKey: DirectKey | undefined,
): boolean {
  const at = findDelimiter(text, keyword.end, Math.min(start, keyword.end + MAX_REST_OF_KEY));
  const delimiter = text.charAt(at);
  if (delimiter === '>') return isClosingTag(text, at);
  if (delimiter !== '=' && delimiter !== ':') return false;
  if (directKey !== undefined) return !isWithinValue(text, at + 1, directKey.start);
  return delimiter === '=' && !/^[\s=>"'[({\\]/u.test(text.charAt(at + 1)) && text.slice(at + 1, start).includes(' ');
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

/** The offsets of a number, half open. */
interface Span {
  readonly start: number;
  readonly end: number;
}

function isDateOrHost(text: string, { start, end }: Span): boolean {
  return DATE_OR_HOST.test(text.slice(start, end));
}

const MIN_LONG_NUMBER = 7;
const NO_NUMBERS: readonly Span[] = [];

/** The numbers of at least seven digits in text[from, to), also dates. */
function findLongNumbers({ text, units }: ScannedText, from: number, to: number): readonly Span[] {
  let numbers: Span[] | undefined;
  for (let at = from; at < to; at++) {
    if (CLASSES[units[at] as number] !== DIGIT) continue;
    const start = at;
    let digits = 1;
    for (;;) {
      const next = CLASSES[units[at + 1] as number] === DIGIT ? at + 1 : at + 2;
      if (next >= to || CLASSES[units[next] as number] !== DIGIT) break;
      if (next > at + 1 && !'-./ '.includes(text.charAt(at + 1))) break;
      at = next;
      digits++;
    }
    if (digits >= MIN_LONG_NUMBER) (numbers ??= []).push({ start, end: at + 1 });
  }
  return numbers ?? NO_NUMBERS;
}

/** Whether a long number directly follows a keyword after the number. */
function isBeforeLongNumber(text: string, keywordEnd: number): boolean {
  const number = execAt(FOLLOWING_NUMBER, text, keywordEnd)?.[1];
  return number !== undefined && !DATE_OR_HOST.test(number);
}

/** Whether the keyword, after a number, is the key or the element of the next value: `ssn=…`. */
function isNextKey(text: string, { start, end }: TextKeyword): boolean {
  const at = findDelimiter(text, end, text.length);
  const character = text.charAt(text.charAt(at) === '#' || text.charAt(at) === '.' ? at + 1 : at);
  if (character === '>') return /<[\w:.-]{0,64}$/u.test(text.slice(Math.max(0, start - 65), start));
  return character === '=' || character === ':';
}

/** Words between an ambiguous label and its number: persons, and what encloses a value. */
const NEUTRAL_WORDS = hashWords(
  'patient paciente pacient client cliente customer holder titular employee empleado trabajador payer platnyka ' +
    'de del td th dd b n r s u string value val query optional some parameters params args bind binds the duplicate key is 1',
);
/** The maximum distance between a keyword and a number, in characters. */
const MAX_DISTANCE_BEFORE = 48;
const MAX_DISTANCE_AFTER = 30;
const MAX_KEYWORD_LENGTH = 64;
/** The nearest keyword of a target. */
interface NearKeyword {
  readonly target: number;
  /** In characters. */
  distance: number;
  length: number;
  /** Whether the number's direct key contains the keyword. */
  isInDirectKey: boolean;
}

/** The keywords that are near enough to the number, before and after it. */
export function keywordsNear({ scanned, start, end }: Candidate): readonly TextKeyword[] {
  const keywords = scanned.keywordsBefore(end + MAX_DISTANCE_AFTER + 1);
  let low = 0;
  let high = keywords.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keywords[middle] as TextKeyword).start < start - MAX_DISTANCE_BEFORE - MAX_KEYWORD_LENGTH) low = middle + 1;
    else high = middle;
  }
  const near: TextKeyword[] = [];
  for (let i = low; i < keywords.length && (keywords[i] as TextKeyword).start <= end + MAX_DISTANCE_AFTER; i++)
    if ((keywords[i] as TextKeyword).end >= start - MAX_DISTANCE_BEFORE) near.push(keywords[i] as TextKeyword);
  return near;
}

/**
 * The context of a number: its direct key, and the keywords near it by target. A target is an index in
 * `NATIONAL_IDS`, `GENERAL_TARGET` or `CARD_TARGET`.
 */
export class NumberContext {
  readonly directKey: DirectKey | undefined;
  readonly #number: Candidate;
  /** One for each target. */
  readonly #near: NearKeyword[] = [];
  /** The long numbers before this one. */
  #earlier: readonly Span[] | undefined;
  /** The distance of the nearest keyword that names schemes only. */
  #schemeDistance = Infinity;

  constructor(number: Candidate, keywords: readonly TextKeyword[]) {
    const { text, start, end, attached } = number;
    this.#number = number;
    this.directKey = attached ?? findDirectKey(text, start);
    if (attached !== undefined) this.#addTargets(attached, 0, Infinity);
    // The key of the next value, `123456789 ssn=…`, and what follows do not describe this number.
    const nextKey = keywords.find((keyword) => keyword.start >= end && isNextKey(text, keyword))?.start ?? text.length;
    for (const keyword of keywords) {
      if (keyword.start >= nextKey) return;
      if (keyword.end <= start) this.#addBefore(keyword);
      else if (keyword.start >= end) {
        if (this.#hasNumberBefore(keyword)) return;
        this.#addAfter(keyword);
      }
    }
  }

  /** The distance of the nearest keyword, in characters. */
  get keywordDistance(): number {
    return this.#near.reduce((nearest, { distance }) => Math.min(nearest, distance), Infinity);
  }

  /**
   * Whether a general keyword is nearer than every keyword of a scheme, such as in `documento CPF`.
   */
  get isGeneralKeywordNearest(): boolean {
    return (this.keywordOf(GENERAL_TARGET)?.distance ?? Infinity) < this.#schemeDistance;
  }

  keywordOf(target: number): NearKeyword | undefined {
    for (const keyword of this.#near) if (keyword.target === target) return keyword;
    return undefined;
  }

  /** The ambiguous label of a national id directly before the number. */
  ambiguousKeywordOf(target: number): NearKeyword | undefined {
    return this.keywordOf(FIRST_AMBIGUOUS_TARGET + target);
  }

  /** Adds a keyword before the number, unless it belongs to another value. */
  #addBefore(keyword: TextKeyword): void {
    const { directKey } = this;
    const isInDirectKey = directKey !== undefined && keyword.start >= directKey.start && keyword.end <= directKey.end;
    if (!isInDirectKey && isKeyOfAnotherValue(keyword, this.#number, directKey)) return;
    if (!isInDirectKey && this.#describesEarlierNumber(keyword)) return;
    // Ambiguous labels are the last targets.
    const isDirect = (keyword.targets.at(-1) as number) < FIRST_AMBIGUOUS_TARGET || this.#isDirectlyBefore(keyword.end);
    this.#addTargets(keyword, this.#number.start - keyword.end, isDirect ? Infinity : FIRST_AMBIGUOUS_TARGET);
  }

  /** Whether the keyword describes a long number before this one: another word is between them. */
  #describesEarlierNumber(keyword: TextKeyword): boolean {
    const { scanned, text, start } = this.#number;
    if (start - keyword.end < MIN_LONG_NUMBER + MIN_LONGER_WORD) return false;
    this.#earlier ??= findLongNumbers(scanned, Math.max(0, start - MAX_DISTANCE_BEFORE), start);
    const first = this.#earlier.find((number) => number.start >= keyword.end && !isDateOrHost(text, number));
    if (first === undefined) return false;
    let at = first.end;
    // Letters after a digit are a part of the number: `762022602X`.
    while (at < start && isTextWordAt(text, at)) at++;
    return LONGER_WORD.test(text.slice(at, start));
  }

  /** Whether a long number is between this one and the keyword after it. */
  #hasNumberBefore(keyword: TextKeyword): boolean {
    const { scanned, text, end } = this.#number;
    return findLongNumbers(scanned, end + 1, keyword.start).some((number) => !isDateOrHost(text, number));
  }

  /** Adds a keyword after the number, unless it describes the next number. */
  #addAfter(keyword: TextKeyword): void {
    const number = this.#number;
    if (isBeforeLongNumber(number.text, keyword.end)) return;
    this.#addTargets(keyword, keyword.start - number.end, FIRST_AMBIGUOUS_TARGET);
  }

  /**
   * Whether only punctuation, and words that change no meaning, are between `end` and the number.
   */
  #isDirectlyBefore(end: number): boolean {
    const { text, start } = this.#number;
    const words = text.slice(end, start).match(WORDS);
    return words === null || words.every((word) => NEUTRAL_WORDS.has(hashWord(word)));
  }

  /** Adds the targets of a keyword that are less than `limit`. */
  #addTargets(keyword: TextKeyword, distance: number, limit: number): void {
    const { directKey } = this;
    const { start, end, targets } = keyword;
    const length = end - start;
    const isInDirectKey = directKey !== undefined && end > directKey.start && end <= directKey.end;
    if (targets[0] !== CARD_TARGET && !targets.includes(GENERAL_TARGET))
      this.#schemeDistance = Math.min(this.#schemeDistance, distance);
    for (const target of targets) {
      if (target >= limit) return;
      const known = this.keywordOf(target);
      if (known === undefined) this.#near.push({ target, distance, length, isInDirectKey });
      else {
        known.isInDirectKey ||= isInDirectKey;
        if (distance < known.distance) Object.assign(known, { distance, length });
      }
    }
  }
}

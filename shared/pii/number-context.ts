// The context of a number: its own key, which is directly before it (`key=`, `key: "`), and the
// keywords that describe it and not a value next to it: `sin=0.5 id=…`.

import { CLASSES, classAt, DIGIT, execAt, isQuoteOrBlank, isTextWordAt, testAt } from './characters.ts';
import {
  CARD_TARGET,
  FIRST_AMBIGUOUS_TARGET,
  GENERAL_TARGET,
  hashWord,
  hashWords,
  type TextKeyword,
} from './keyword-index.ts';
import { NATIONAL_IDS } from './national-ids.ts';
import type { Candidate } from './scanned-text.ts';

/** A key at text[start, end). */
export interface OwnKey {
  readonly start: number;
  readonly end: number;
}

const KEY_CHARACTER = '[\\w\\u00aa-\\u1fff\\u2c00-\\u2fff\\u3040-\\ufeff.`-]';
/** A key, its delimiter, and what opens the value: `key=[{"`, `["key"] = `, `key::`. */
const OWN_KEY = new RegExp(`(?<=(${KEY_CHARACTER}{1,40})([\\s"'\\\\\\])\`:]{0,4}[=:][\\s"'\`\\\\([{<#>]{0,8}))`, 'y');
const LETTER = /[A-Za-z\u00aa-\uffff]/u;
/** Words in quotes before the last word of a key: `"Aadhaar UID"`. */
const QUOTED_WORDS = /["'](?:[\p{L}\p{M}\d.]+ ){1,4}$/u;
/** The name of the element whose content a number is: `<name>`, `<Data Name="ssn">`. */
const ELEMENT = /(?<=[<:]([\w.-]{1,40})>)|(?<=<\w{1,20}\s[Nn]ame="([\w.-]{1,40})">)/y;

/** Finds the key of the value at `valueStart`. A key has at least one letter. */
function findOwnKey(text: string, valueStart: number): OwnKey | undefined {
  const found = execAt(OWN_KEY, text, valueStart);
  if (found === null) return undefined;
  const [, key = '', rest = ''] = found;
  if (!LETTER.test(key)) return undefined;
  const end = valueStart - rest.length;
  const start = end - key.length + (key.startsWith('`') ? 1 : 0);
  if (text.charAt(start - 1) !== ' ' || (rest.charAt(0) !== '"' && rest.charAt(0) !== "'")) return { start, end };
  const words = QUOTED_WORDS.exec(text.slice(Math.max(0, start - 40), start))?.[0];
  return { start: words === undefined ? start : start - words.length + 1, end };
}

/** Finds the name of the XML element whose content begins at `valueStart`. */
export function findElementName(text: string, valueStart: number): OwnKey | undefined {
  if (text.charAt(valueStart - 1) !== '>') return undefined;
  const found = execAt(ELEMENT, text, valueStart);
  if (found === null) return undefined;
  const end = valueStart - (found[1] === undefined ? 2 : 1); // `">` or `>`
  return { start: end - (found[1] ?? found[2] ?? '').length, end };
}

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
function belongsToAnotherValue(keyword: TextKeyword, number: Candidate, ownKey: OwnKey | undefined): boolean {
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
function belongsToLaterNumber({ text, end }: Candidate, to: number): boolean {
  return findLongNumberEnd(text, end + 1, to) > 0;
}

/** Whether a label that ends with a sign for "number" is directly before the number. */
function hasNumberSignBefore({ text, start }: Candidate): boolean {
  return NUMBER_SIGN.test(text.slice(Math.max(0, start - 12), start));
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

/**
 * Whether the keyword, after a number, describes the next number: `loan 40797095 borrower CPF nº
 * 898…`. Another number of the scheme directly after the keyword is enough.
 */
function describesNextNumber({ text, shape }: Candidate, { end, targets }: TextKeyword): boolean {
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
function hasFieldBetween({ text, end }: Candidate, from: number): boolean {
  return /[\d:]/u.test(text.slice(text.startsWith(': ', end) ? end + 1 : end, from));
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
/** The distance of a keyword with only a blank between it and the number. */
const NEXT_TO_NUMBER = 1;
/** The id of a document, which can be any paper: `documento id 123`. */
const DOCUMENT_ID = /^documentos?\s(?:id|ref)\W{1,3}$/iu;
/** The beginning of the words that make a card of Thailand an identity card: `บัตรประชาชน`. */
const THAI_ID_CARD = 'ประ';

/** The nearest keyword of a target. */
interface NearKeyword {
  readonly target: number;
  /** In characters. */
  distance: number;
  length: number;
  /** Whether the number's own key contains the keyword. */
  isInOwnKey: boolean;
}

/** The keywords that are near enough to the number, before and after it. */
export function keywordsNear({ scanned, start, end }: Candidate): readonly TextKeyword[] {
  const { keywords } = scanned;
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
 * The context of a number: its own key, and the keywords near it by target. A target is an index in
 * `NATIONAL_IDS`, `GENERAL_TARGET` or `CARD_TARGET`.
 */
export class NumberContext {
  readonly ownKey: OwnKey | undefined;
  readonly #number: Candidate;
  /** One for each target. */
  readonly #near: NearKeyword[] = [];
  /** The distance of the nearest keyword that names schemes only. */
  #schemeDistance = Infinity;

  constructor(number: Candidate, keywords: readonly TextKeyword[]) {
    const { text, start, end, glued } = number;
    this.#number = number;
    this.ownKey = glued ?? findOwnKey(text, start);
    if (glued !== undefined) this.#addTargets(glued, 0, Infinity);
    // The key of the next value, `123456789 ssn=…`, and what follows do not describe this number.
    const nextKey = keywords.find((keyword) => keyword.start >= end && isNextKey(text, keyword))?.start ?? text.length;
    for (const keyword of keywords) {
      if (keyword.start >= nextKey) break;
      if (keyword.end <= start) this.#addBefore(keyword);
      else if (keyword.start >= end) this.#addAfter(keyword);
    }
  }

  /** Whether the number's own key contains a keyword. */
  get hasKeywordInOwnKey(): boolean {
    return this.#near.some(({ isInOwnKey }) => isInOwnKey);
  }

  /** The distance of the nearest keyword, in characters. */
  get keywordDistance(): number {
    return this.#near.reduce((nearest, { distance }) => Math.min(nearest, distance), Infinity);
  }

  /** The distance of the nearest keyword that names a scheme or payment cards, in characters. */
  get namingDistance(): number {
    return this.#near.reduce(
      (nearest, { target, distance }) => (target === GENERAL_TARGET ? nearest : Math.min(nearest, distance)),
      Infinity,
    );
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
    const { text, start } = this.#number;
    const distance = start - keyword.end;
    if (distance > MAX_DISTANCE_BEFORE || this.#isOfOtherText(keyword)) return;
    if (belongsToAnotherValue(keyword, this.#number, this.ownKey)) return;
    if (keyword.targets.includes(GENERAL_TARGET) && DOCUMENT_ID.test(text.slice(keyword.start, start))) return;
    // Ambiguous labels are the last targets.
    const isDirect =
      (keyword.targets.at(-1) as number) < FIRST_AMBIGUOUS_TARGET ||
      keyword.end === this.ownKey?.end ||
      this.#isDirectlyBefore(keyword.end);
    this.#addTargets(keyword, distance, isDirect ? Infinity : FIRST_AMBIGUOUS_TARGET);
  }

  /** Adds a keyword after the number, unless it describes the next number. */
  #addAfter(keyword: TextKeyword): void {
    const number = this.#number;
    const { text, end } = number;
    const distance = keyword.start - end;
    if (distance > MAX_DISTANCE_AFTER || this.#isOfOtherText(keyword)) return;
    if (number.start === 0 && hasFieldBetween(number, keyword.start)) return;
    if (belongsToLaterNumber(number, keyword.start)) return;
    if (distance > NEXT_TO_NUMBER && describesNextNumber(number, keyword)) return;
    const isOfNext = isBeforeLongNumber(text, keyword.end);
    if (isOfNext && (this.ownKey !== undefined || hasNumberSignBefore(number))) return;
    if (!isOfNext) return this.#addTargets(keyword, distance, FIRST_AMBIGUOUS_TARGET);
    const canDescribe = (target: number): boolean =>
      target !== GENERAL_TARGET && (distance <= NEXT_TO_NUMBER || NATIONAL_IDS[target]?.evidence !== 'format');
    this.#addTargets(keyword, distance, FIRST_AMBIGUOUS_TARGET, keyword.targets.filter(canDescribe));
  }

  /**
   * Whether the keyword is the host of an address, an identity card, or the words of two columns.
   */
  #isOfOtherText({ start, end, targets }: TextKeyword): boolean {
    const { text } = this.#number;
    if (text.charAt(start - 1) === '@' && isTextWordAt(text, start - 2)) return true;
    if (targets[0] === CARD_TARGET) return text.startsWith(THAI_ID_CARD, end);
    return targets.includes(GENERAL_TARGET) && text.slice(start, end).includes(',');
  }

  /**
   * Whether only punctuation, and words that change no meaning, are between `end` and the number.
   */
  #isDirectlyBefore(end: number): boolean {
    const { text, start } = this.#number;
    return [...text.slice(end, start).matchAll(WORD)].every(([word]) => NEUTRAL_WORDS.has(hashWord(word)));
  }

  /** Adds the targets of a keyword that are less than `limit`. */
  #addTargets(keyword: TextKeyword, distance: number, limit: number, targets = keyword.targets): void {
    const { ownKey } = this;
    const { start, end } = keyword;
    const length = end - start;
    const isInOwnKey = ownKey !== undefined && end > ownKey.start && end <= ownKey.end;
    if (keyword.targets[0] !== CARD_TARGET && !keyword.targets.includes(GENERAL_TARGET))
      this.#schemeDistance = Math.min(this.#schemeDistance, distance);
    for (const target of targets) {
      if (target >= limit) return;
      const known = this.keywordOf(target);
      if (known === undefined) this.#near.push({ target, distance, length, isInOwnKey });
      else {
        known.isInOwnKey ||= isInOwnKey;
        if (distance < known.distance || (distance === known.distance && length > known.length))
          Object.assign(known, { distance, length });
      }
    }
  }
}

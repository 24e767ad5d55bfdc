// Reads the numbers of a text. A number is a chain of groups that `-`, `.`, `/` or `+` join, and
// continues across single blanks and one opening bracket. One or two words of letters can precede.

import { type CodeUnits, characters, execAt, testAt, wordClassAt, wordKindAt } from './characters.ts';
import { findAttachedKeyword, findCertificateKeyword, type TextKeyword } from './keyword-index.ts';
import { canBeQuotedPrintable, isEscapeAt } from './normalize-text.ts';
import type { NumberEvaluator } from './number-evaluator.ts';
import {
  findChainEnd,
  groupKey,
  isBeforeExpiry,
  isSeparatorAt,
  LETTERS,
  type NumberShape,
  type ShapeTree,
} from './number-shapes.ts';
import type { ScannedText } from './scanned-text.ts';

const { CLASSES, DIGIT, FOREIGN, LETTER, UNDERSCORE } = characters;

// Codes of characters.
const BLANK = 32;
const HASH = 35;
const PERCENT = 37;
const OPEN_BRACKET = 40;
const CLOSE_BRACKET = 41;
const HYPHEN = 45;
const SLASH = 47;
const EQUALS = 61;
const OPEN_SQUARE = 91;
const BACKSLASH = 92;
const CLOSE_SQUARE = 93;
const MIN_CARD_LENGTH = 13;
/** Letters that form an escape with a backslash before them. */
const ESCAPE_LETTERS = 'nrtbfv';
/** The maximum number of words before the first digit of a number. */
const MAX_PREFIX_WORDS = 2;
/** The classes of the last character of a keyword directly before a number. */
const ATTACHES = LETTER | FOREIGN | UNDERSCORE;
/**
 * The magnetic stripe of a card from its number on (ISO/IEC 7813): the name, the expiry date and
 * further data. Track 1 is `%B4111…^DOE/JOHN^2512…?`, track 2 is `;4111…=2512…?`, and chips write
 * track 2 as `4111…D2512…F`.
 */
const TRACK =
  /(\d{13,19})(?:(\^)[^^\r\n]{2,26}\^(?:\d\d(?:0[1-9]|1[0-2])|\^)(?:[\w .-]{0,60}\?|\w{0,60})|(?:=\d\d(?:0[1-9]|1[0-2])\d{0,60}\??|[Dd]\d\d(?:0[1-9]|1[0-2])\d{0,60}[Ff]?)(?!\w))/uy;

/** A date with a time, which begins most lines of many logs. */
const TIMESTAMP = /(?:19|20)\d\d-[01]\d-[0-3]\d[T ][0-2]\d:[0-5]\d/y;
const YEAR_LENGTH = 4;

/** A shape that the text at a position has, and where the number ends. */
interface ShapeEnd {
  readonly shape: NumberShape;
  readonly end: number;
}

const NO_SHAPES: readonly ShapeEnd[] = [];

/** The groups at a position that shapes have. */
interface Groups {
  /** The shapes that they have, from short to long. */
  readonly shapes: readonly ShapeEnd[];
  /** The key of the first group. */
  readonly firstKey: number;
  /** The end of the last group that only separators join to the first one. */
  readonly chainEnd: number;
}

/** Reads the numbers of texts and adds those that are personal data to the findings. */
export class NumberReader {
  readonly #tree: ShapeTree;
  readonly #evaluator: NumberEvaluator;

  constructor(tree: ShapeTree, evaluator: NumberEvaluator) {
    this.#tree = tree;
    this.#evaluator = evaluator;
  }

  /**
   * Reads the number that contains the digit at `digitAt`.
   * @returns where the scan continues, or -1 if an escape touches the number, so that the text must
   * be normalized first.
   */
  read(scanned: ScannedText, digitAt: number): number {
    const { text, units } = scanned;
    let start = digitAt;
    while (start > scanned.lastFindingEnd && (wordKindAt(units, start - 1) & (LETTER | UNDERSCORE)) !== 0) start--;
    const left = start === 0 ? 0 : (units[start - 1] as number);
    if (start === digitAt && units[start + YEAR_LENGTH] === HYPHEN && testAt(TIMESTAMP, text, start))
      return TIMESTAMP.lastIndex;
    if (!scanned.isNormalized && touchesEscape(scanned, start, left)) return -1;
    // The letter of an escape such as \n is not a part of the value after it.
    if (left === BACKSLASH && start < digitAt && ESCAPE_LETTERS.includes(text.charAt(start))) start++;
    const groups = this.#readGroups(units, start);
    return this.#readNumber(scanned, digitAt, start, groups) || skip(scanned, groups.chainEnd);
  }

  /** Reads the number at `start`, whose first digit is at `digitAt`. @returns its end, or 0. */
  #readNumber(scanned: ScannedText, digitAt: number, start: number, groups: Groups): number {
    const { text, units } = scanned;
    if (digitAt > 0 && ((CLASSES[units[digitAt - 1] as number] as number) & ATTACHES) !== 0) {
      const { shapes } = start === digitAt ? groups : this.#readGroups(units, digitAt);
      const attached = shapes.length === 0 ? undefined : findAttachedKeyword(text, digitAt);
      const end = attached === undefined ? 0 : this.#evaluate(scanned, digitAt, shapes, attached);
      if (end > 0) return end;
    }
    const left = start === 0 ? 0 : (units[start - 1] as number);
    if (left === HYPHEN && groups.shapes.length > 0) {
      const keyword = findCertificateKeyword(text, start);
      const end = keyword === undefined ? 0 : this.#evaluate(scanned, start, groups.shapes, keyword);
      if (end > 0) return end;
    }
    if (this.#tree.hasCards && canBeTrack(units, digitAt)) {
      const end = this.#readTrack(scanned, digitAt);
      if (end > 0) return end;
    }
    if (this.#tree.canFollowLetters(groups.firstKey, left)) {
      const end = this.#readWithPrefix(scanned, start, groups.firstKey);
      if (end > 0) return end;
    }
    return this.#evaluate(scanned, start, groups.shapes);
  }

  /** Adds the number at `start` in its longest form of personal data. @returns its end, or 0. */
  #evaluate(scanned: ScannedText, start: number, shapes: readonly ShapeEnd[], attached?: TextKeyword): number {
    const { text, lastFindingEnd } = scanned;
    for (let i = shapes.length - 1; i >= 0; i--) {
      const { shape, end } = shapes[i] as ShapeEnd;
      // A number before `@` belongs to an e-mail address.
      if (text.charAt(end) === '@' || isWithinChain(scanned, end)) continue;
      const finding = this.#evaluator.evaluate({ scanned, text, shape, start, end, attached, lastFindingEnd });
      if (finding !== undefined) return scanned.add(finding);
    }
    return 0;
  }

  /**
   * Reads the number at `start`, whose first group has the key, together with the words before it:
   * `AB 12 34 56 C`. @returns its end, or 0.
   */
  #readWithPrefix(scanned: ScannedText, start: number, firstKey: number): number {
    const { units } = scanned;
    const tree = this.#tree;
    const separator = units[start - 1] as number;
    let nextKey = firstKey;
    let wordStart = start;
    for (let words = 0; words < MAX_PREFIX_WORDS && units[wordStart - 1] === separator; words++) {
      const end = wordStart - 1;
      wordStart = findPrefixStart(units, end);
      if (wordStart === end || wordStart < scanned.lastFindingEnd) return 0;
      const key = end - wordStart + LETTERS;
      const canBegin = tree.next(tree.next(0, key, 0), nextKey, separator) > 0;
      const findingEnd = canBegin ? this.#evaluate(scanned, wordStart, this.#readGroups(units, wordStart).shapes) : 0;
      if (findingEnd > 0) return findingEnd;
      nextKey = key;
    }
    return 0;
  }

  /** Reads the groups at `start` as far as shapes have them. */
  #readGroups(units: CodeUnits, start: number): Groups {
    const tree = this.#tree;
    let shapes: ShapeEnd[] | undefined;
    let firstKey = 0;
    let chainEnd = start;
    let isChain = true;
    let separator = 0;
    for (let at = start, node = 0; ; ) {
      let end = at;
      let classes = 0;
      for (let kind = wordKindAt(units, end); kind !== 0; kind = wordKindAt(units, ++end)) classes |= kind;
      const key = groupKey(end - at, classes);
      if (at === start) firstKey = key;
      if (isChain) chainEnd = end;
      node = tree.next(node, key, separator);
      if (node === 0) break;
      const isJoined = isSeparatorAt(units, end);
      const shape = tree.shapes[node];
      const numberEnd = shape === undefined ? 0 : findNumberEnd(units, shape, end, isJoined);
      if (shape !== undefined && numberEnd > 0) (shapes ??= []).push({ shape, end: numberEnd });
      separator = units[end] as number;
      if (!isJoined && separator !== BLANK && separator !== OPEN_BRACKET && separator !== OPEN_SQUARE) break;
      isChain &&= isJoined;
      at = end + 1;
    }
    return { shapes: shapes ?? NO_SHAPES, firstKey, chainEnd };
  }

  /** Reads the track whose card number is at `cardStart`. @returns its end, or 0. */
  #readTrack(scanned: ScannedText, cardStart: number): number {
    const { text } = scanned;
    const track = execAt(TRACK, text, cardStart);
    if (track === null) return 0;
    const [{ length }, card = '', one] = track;
    const start = findTrackStart(text, cardStart, one !== undefined);
    if (start < scanned.lastFindingEnd) return 0;
    const finding = this.#evaluator.evaluateTrack(card, start, cardStart + length);
    return finding === undefined ? 0 : scanned.add(finding);
  }
}

/**
 * The end of a number of the given shape whose last group ends at `groupEnd`, and is joined to
 * another one if `isJoined`. It is 0 if the number goes on, or its bracket is not closed; never
 * within `12/25` or `1-2-3`.
 */
function findNumberEnd(
  units: CodeUnits,
  { separators, card }: NumberShape,
  groupEnd: number,
  isJoined: boolean,
): number {
  if (isJoined) return card !== 'none' && units[groupEnd] === SLASH ? groupEnd : 0;
  const opening = separators.at(-1);
  if (opening !== '(' && opening !== '[') return groupEnd;
  return units[groupEnd] === (opening === '(' ? CLOSE_BRACKET : CLOSE_SQUARE) ? groupEnd + 1 : 0;
}

/**
 * The end of the groups, of which one ends at `groupEnd`, that have no number; -1 if an escape
 * follows them.
 */
function skip({ text, units, isNormalized }: ScannedText, groupEnd: number): number {
  const chainEnd = findChainEnd(units, groupEnd);
  // A slash of JSON can be escaped: `710319\/2745`.
  return !isNormalized && units[chainEnd] === BACKSLASH && text.startsWith('\\/', chainEnd) ? -1 : chainEnd;
}

/** Whether the number at `start` is a part of an escape, or follows one. `left` precedes it. */
function touchesEscape(scanned: ScannedText, start: number, left: number): boolean {
  const { text } = scanned;
  switch (left) {
    case EQUALS:
      return canBeQuotedPrintable(text, start - 1) && scanned.isQuotedPrintable;
    case PERCENT:
    case BACKSLASH:
      return isEscapeAt(text, start - 1);
    case HASH:
      return isEscapeAt(text, start - 1) || isEscapeAt(text, start - 2);
    // `\e[36m` and `^[[36m` are colours of terminals.
    case OPEN_SQUARE:
      return isEscapeAt(text, start - 3);
    default:
      return false;
  }
}

/** Whether the digits at `start` are as many as a card has, and end as those of a track do. */
function canBeTrack(units: CodeUnits, start: number): boolean {
  if (CLASSES[units[start + MIN_CARD_LENGTH - 1] as number] !== DIGIT) return false;
  let end = start;
  while (CLASSES[units[end] as number] === DIGIT) end++;
  return end - start >= MIN_CARD_LENGTH && '^=Dd'.includes(String.fromCharCode(units[end] as number));
}

/** The start of the sentinel, the format code `B` or the number of a track; -1 within a word. */
function findTrackStart(text: string, cardStart: number, isTrack1: boolean): number {
  const start = isTrack1 ? cardStart - 1 : cardStart;
  if (isTrack1 && text.charAt(start).toUpperCase() !== 'B') return -1;
  const left = text.charAt(start - 1);
  if (left === (isTrack1 ? '%' : ';')) return start - 1;
  return wordClassAt(text, start - 1) === 0 && left !== '.' ? start : -1;
}

/** The start of the word of letters that ends at `end`; otherwise `end`. */
function findPrefixStart(units: CodeUnits, end: number): number {
  let start = end;
  while ((wordKindAt(units, start - 1) & LETTER) !== 0) start--;
  if (wordKindAt(units, start - 1) !== 0) return end;
  const isEscape =
    units[start - 1] === BACKSLASH && ESCAPE_LETTERS.includes(String.fromCharCode(units[start] as number));
  return isEscape ? start + 1 : start;
}

/** Whether the number that ends at `end` goes on after a slash, which begins no expiry date. */
function isWithinChain({ text, units }: ScannedText, end: number): boolean {
  return isSeparatorAt(units, end) && !isBeforeExpiry(text, end);
}

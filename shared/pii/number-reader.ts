// Reads the numbers of a text. A number is a chain of groups that `-`, `.`, `/` or `+` join, and
// continues across single blanks and one opening bracket. One or two words of letters can precede.

import { type CodeUnits, characters, execAt, testAt, wordClassAt, wordKindAt } from './characters.ts';
import type { Finding } from './finding.ts';
import { findAttachedKeyword, findCertificateKeyword, type TextKeyword } from './keyword-index.ts';
import { canBeQuotedPrintable, isEscapeAt } from './normalize-text.ts';
import type { NumberEvaluator } from './number-evaluator.ts';
import {
  findChainEnd,
  groupKey,
  isBeforeExpiry,
  isSeparator,
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

/** The state of the scan of a text. */
export interface Scan {
  readonly scanned: ScannedText;
  /** Whether the escapes of the text are decoded. */
  readonly isNormalized: boolean;
  readonly findings: Finding[];
  /** The end of the last finding. The next finding cannot begin before it. */
  lastFindingEnd: number;
}

/** A shape that the text at a position has, and where the number ends. */
interface ShapeEnd {
  readonly shape: NumberShape;
  readonly end: number;
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
  read(scan: Scan, digitAt: number): number {
    const { text, units } = scan.scanned;
    let start = digitAt;
    while (start > scan.lastFindingEnd && (wordKindAt(units, start - 1) & (LETTER | UNDERSCORE)) !== 0) start--;
    const left = start === 0 ? 0 : (units[start - 1] as number);
    if (start === digitAt && units[start + YEAR_LENGTH] === HYPHEN && testAt(TIMESTAMP, text, start))
      return TIMESTAMP.lastIndex;
    if (!scan.isNormalized && touchesEscape(scan.scanned, start, left)) return -1;
    // The letter of an escape such as \n is not a part of the value after it.
    if (left === BACKSLASH && start < digitAt && ESCAPE_LETTERS.includes(text.charAt(start))) start++;
    return this.#readNumber(scan, digitAt, start) || this.#skip(scan, digitAt);
  }

  /** Reads the number at `start`, whose first digit is at `digitAt`. @returns its end, or 0. */
  #readNumber(scan: Scan, digitAt: number, start: number): number {
    const { text, units } = scan.scanned;
    if (digitAt > 0 && ((CLASSES[units[digitAt - 1] as number] as number) & ATTACHES) !== 0) {
      const attached = findAttachedKeyword(text, digitAt);
      const end = attached === undefined ? 0 : this.#readAt(scan, digitAt, attached);
      if (end > 0) return end;
    }
    if (units[start - 1] === HYPHEN) {
      const keyword = findCertificateKeyword(text, start);
      const end = keyword === undefined ? 0 : this.#readAt(scan, start, keyword);
      if (end > 0) return end;
    }
    if (this.#tree.hasCards && wordKindAt(units, digitAt + MIN_CARD_LENGTH - 1) === DIGIT) {
      const end = this.#readTrack(scan, digitAt);
      if (end > 0) return end;
    }
    const separator = start === 0 ? 0 : (units[start - 1] as number);
    if (separator === BLANK || isSeparator(separator)) {
      const end = this.#readWithPrefix(scan, start, separator);
      if (end > 0) return end;
    }
    return this.#readAt(scan, start, undefined);
  }

  /** The end of the groups from `start` on, which have no number. */
  #skip(scan: Scan, digitAt: number): number {
    const { text, units } = scan.scanned;
    const chainEnd = findChainEnd(units, digitAt);
    // A slash of JSON can be escaped: `710319\/2745`.
    if (!scan.isNormalized && units[chainEnd] === BACKSLASH && text.startsWith('\\/', chainEnd)) return -1;
    return chainEnd;
  }

  /**
   * Reads the number at `start`, in its longest form that is personal data. @returns its end, or 0.
   */
  #readAt(scan: Scan, start: number, attached: TextKeyword | undefined): number {
    const { scanned, lastFindingEnd } = scan;
    const { text } = scanned;
    const ends = this.#findShapes(scanned.units, start);
    if (ends === undefined) return 0;
    for (let i = ends.length - 1; i >= 0; i--) {
      const { shape, end } = ends[i] as ShapeEnd;
      // A number before `@` belongs to an e-mail address.
      if (text.charAt(end) === '@' || isWithinChain(scanned, end)) continue;
      const finding = this.#evaluator.evaluate({ scanned, text, shape, start, end, attached, lastFindingEnd });
      if (finding !== undefined) return add(scan, finding);
    }
    return 0;
  }

  /**
   * Reads the number together with the words before it, `AB 12 34 56 C`. @returns its end, or 0.
   */
  #readWithPrefix(scan: Scan, start: number, separator: number): number {
    const { units } = scan.scanned;
    let wordStart = start;
    for (let words = 0; words < MAX_PREFIX_WORDS && units[wordStart - 1] === separator; words++) {
      const end = wordStart - 1;
      wordStart = findPrefixStart(units, end);
      if (wordStart === end || wordStart < scan.lastFindingEnd) return 0;
      const canBegin = this.#tree.next(0, end - wordStart + LETTERS) > 0;
      const findingEnd = canBegin ? this.#readAt(scan, wordStart, undefined) : 0;
      if (findingEnd > 0) return findingEnd;
    }
    return 0;
  }

  /** The shapes of the text at `start`, from short to long. */
  #findShapes(units: CodeUnits, start: number): readonly ShapeEnd[] | undefined {
    let ends: ShapeEnd[] | undefined;
    let node = 0;
    let separator = 0;
    let at = start;
    for (;;) {
      let end = at;
      let classes = 0;
      for (let kind = wordKindAt(units, end); kind !== 0; kind = wordKindAt(units, ++end)) classes |= kind;
      node = this.#tree.next(node, groupKey(end - at, classes, separator));
      if (node === 0) return ends;
      const shape = this.#tree.shapes[node];
      if (shape !== undefined) {
        const numberEnd = this.#findNumberEnd(units, shape, end);
        if (numberEnd > 0) (ends ??= []).push({ shape, end: numberEnd });
      }
      separator = units[end] as number;
      if (separator !== BLANK && separator !== OPEN_BRACKET && separator !== OPEN_SQUARE && !isSeparatorAt(units, end))
        return ends;
      at = end + 1;
    }
  }

  /**
   * The end of a number of the given shape whose last group ends at `groupEnd`; 0 if the number
   * goes on, never within `12/25` or `1-2-3`, or if its bracket is not closed.
   */
  #findNumberEnd(units: CodeUnits, { separators, card }: NumberShape, groupEnd: number): number {
    if (isSeparatorAt(units, groupEnd)) return card !== 'none' && units[groupEnd] === SLASH ? groupEnd : 0;
    const opening = separators.at(-1);
    if (opening !== '(' && opening !== '[') return groupEnd;
    return units[groupEnd] === (opening === '(' ? CLOSE_BRACKET : CLOSE_SQUARE) ? groupEnd + 1 : 0;
  }

  /** Reads the track whose card number is at `cardStart`. @returns its end, or 0. */
  #readTrack(scan: Scan, cardStart: number): number {
    const { text } = scan.scanned;
    const track = execAt(TRACK, text, cardStart);
    if (track === null) return 0;
    const [{ length }, card = '', one] = track;
    const start = findTrackStart(text, cardStart, one !== undefined);
    if (start < scan.lastFindingEnd) return 0;
    const finding = this.#evaluator.evaluateTrack(card, start, cardStart + length);
    return finding === undefined ? 0 : add(scan, finding);
  }
}

function add(scan: Scan, finding: Finding): number {
  scan.findings.push(finding);
  scan.lastFindingEnd = finding.end;
  return finding.end;
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

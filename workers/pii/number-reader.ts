// Reads a number in steps, which are in one file because they share the groups of the number.
//
// A chain is a sequence of groups joined by `-`, `.`, `/` or `+`. A run continues a chain across
// single blanks and one opening bracket. A prefix is one or two words of letters before the chain.
import { characterClasses } from './character-classes.ts';
import { codes } from './character-codes.ts';
import type { Finding } from './finding.ts';
import {
  type CountryPrefix,
  canBeGlued,
  findCountryPrefix,
  findGluedKeyword,
  findSemanticPrefix,
  followsKeyword,
} from './glued-keyword.ts';
import {
  canContinueRun,
  canEndPrefix,
  findChainEnd,
  findIbanEnd,
  isBeforeExpiry,
  isOpening,
  isSeparatorAt,
} from './group-boundaries.ts';
import { buildGroupFilters, type GroupFilters, SEPARATOR_BITS } from './group-filters.ts';
import type { NumberEvaluator } from './number-evaluator.ts';
import { MAX_PREFIX_WORDS, NumberGroups } from './number-groups.ts';
import {
  encodeGroup,
  GROUP_CODES,
  LETTERS,
  MAX_GROUPS,
  NO_GROUP,
  type NumberShape,
  type ShapeTable,
  shapeIndex,
} from './number-shapes.ts';
import { canBeQuotedPrintable, isEscapedSign, namesQuotedPrintable } from './quoted-printable.ts';
import { isEscape } from './read-escape.ts';
import type { ScannedText } from './scanned-text.ts';
import type { TextKeyword } from './text-keywords.ts';
import { findTimestampEnd, YEAR_END } from './timestamp.ts';
import { readTrack } from './track-data.ts';

const { codeAt, CLASSES, CONNECTORS, DIGIT, LETTER, UNDERSCORE, UPPER, WORD, unitAt, wordClassAt } = characterClasses;
const {
  AT_SIGN,
  BACKSLASH,
  BEYOND_ASCII,
  BLANK,
  CARET,
  CLOSE_BRACKET,
  CLOSE_SQUARE,
  DIGIT_0,
  DIGIT_9,
  EQUALS,
  HASH,
  HYPHEN,
  OPEN_BRACKET,
  OPEN_SQUARE,
  PERCENT,
  SLASH,
} = codes;

/** Letters that form an escape with a backslash before them. */
const ESCAPE_LETTERS = 'nrtbfv';
/** Digits alone have a shape from this length on. */
const MIN_DIGITS = 7;
/** The minimum length of a card number. */
const MIN_CARD_LENGTH = 13;
/** The length of track data of a chip with a card number of 13 digits: `…D2512`. */
const MIN_CHIP_TRACK_LENGTH = 18;
const MAX_PREFIX_LENGTH = 6;
/** The maximum length of a prefix in lower case, and of a group of letters in a run. */
const MAX_LETTERS = 2;
/** The maximum length of a group that a run adds. */
const MAX_RUN_GROUP_LENGTH = 13;
/** The code of the first group of an IBAN: four digits and letters. */
const IBAN_GROUP = encodeGroup(4, DIGIT | LETTER);

/** The findings of a text so far. */
export interface Scan {
  findings: Finding[];
  /** The end of the last finding. The next finding cannot begin before it. */
  lastFindingEnd: number;
  /** Whether a header names quoted-printable; undefined until a number needs to know. */
  isQuotedPrintable: boolean | undefined;
}

/** Reads the numbers of a text and adds those that are personal data to the findings. */
export class NumberReader {
  readonly #table: ShapeTable;
  readonly #filters: GroupFilters;
  readonly #evaluator: NumberEvaluator;
  readonly #scan: Scan;
  readonly #groups = new NumberGroups();
  /** The keyword directly before the number that is being read. */
  #gluedKeyword: TextKeyword | undefined;

  constructor(table: ShapeTable, evaluator: NumberEvaluator, scan: Scan) {
    this.#table = table;
    this.#filters = buildGroupFilters(table);
    this.#evaluator = evaluator;
    this.#scan = scan;
  }

  /**
   * Skips a number that is too short for any shape, if no connector is next to it and no group
   * continues it. Most numbers in a log are like this.
   * @returns its end, or 0 if the number must be read.
   */
  skipShortNumber(text: ScannedText, digitIndex: number): number {
    const left = digitIndex > 0 ? unitAt(text, digitIndex - 1) : BLANK;
    if (isConnected(left)) return 0;
    let end = digitIndex + 1;
    while (end < text.length && end - digitIndex < MIN_DIGITS) {
      const code = unitAt(text, end);
      if (code < DIGIT_0 || code > DIGIT_9) break;
      end++;
    }
    const length = end - digitIndex;
    if (end >= text.length) return length < MIN_DIGITS ? end : 0;
    const right = unitAt(text, end);
    if (right === BLANK ? this.#continuesAfterBlank(text, digitIndex, end) : isConnected(right)) return 0;
    // Few schemes have seven digits. Bytes and times have them in most lines.
    return length < MIN_DIGITS || !followsKeyword(text, digitIndex) ? end : 0;
  }

  /** Whether the digits can be the beginning of a number with blanks. */
  #continuesAfterBlank(text: ScannedText, start: number, end: number): boolean {
    const length = end - start;
    const { canFollowPrefix, canStartRun } = this.#filters;
    if (canStartRun[length] === 0 && canFollowPrefix[length] === 0) return false;
    if (!canContinueRun(text, end + 1)) return false;
    if (!endsShortRun(text, end + 1, MIN_DIGITS - length)) return true;
    return canFollowPrefix[length] === 1 && canEndPrefix(text, start - 2);
  }

  /**
   * Reads the number that contains the digit at `digitIndex`.
   * @returns where the scan continues, or -1 if an escape touches the number, so that the text must
   * be normalized first.
   */
  read(text: ScannedText, digitIndex: number, isNormalized: boolean): number {
    let start = digitIndex;
    const lowest = this.#scan.lastFindingEnd;
    while (start > lowest && (wordClassAt(text, start - 1) & (LETTER | UNDERSCORE)) !== 0) start--;
    const left = start > 0 ? unitAt(text, start - 1) : BLANK;
    if (!isNormalized && this.#touchesEscape(text, start, left)) return -1;
    const yearEnd = digitIndex + YEAR_END;
    const hasYear = yearEnd < text.length && unitAt(text, yearEnd) === HYPHEN;
    if (hasYear && start === digitIndex && left < BEYOND_ASCII && left !== HYPHEN) {
      const end = findTimestampEnd(text, start);
      if (end > 0) return end;
    }
    // The letter of an escape such as \n is not a part of the value after it.
    if (left === BACKSLASH && start < digitIndex && ESCAPE_LETTERS.includes(text.charAt(start))) start++;

    if ((start < digitIndex || left >= BEYOND_ASCII) && canBeGlued(text, digitIndex)) {
      const end = this.#readGluedNumber(text, digitIndex);
      if (end > 0) return end;
    }
    const chainEnd = this.#readChain(text, start);
    const right = chainEnd < text.length ? unitAt(text, chainEnd) : 0;
    if (!isNormalized && right === BACKSLASH && continuesAfterEscape(text, chainEnd)) return -1;
    if (right === CARET || right === EQUALS || chainEnd - digitIndex >= MIN_CHIP_TRACK_LENGTH) {
      const end = this.#readTrack(text, digitIndex);
      if (end > 0) return end;
    }
    if (this.#groups.count === 0) return this.#skipChain(text, start, chainEnd, left);
    // A number before `@` belongs to an e-mail address.
    return right === AT_SIGN ? chainEnd : this.#readGroups(text, start, chainEnd, left, right);
  }

  /**
   * Whether the number at `start` is a part of an escape, or follows one. `left` precedes the
   * number. Escapes of signs in quoted-printable count if the text names the encoding.
   */
  #touchesEscape(text: ScannedText, start: number, left: number): boolean {
    const at = start - 1;
    if (left !== EQUALS) return touchesEscape(text, start, left);
    if (!canBeQuotedPrintable(text, at)) return false;
    return (
      isEscape(text, at) || (isEscapedSign(text, at) && (this.#scan.isQuotedPrintable ??= namesQuotedPrintable(text)))
    );
  }

  /**
   * Reads the number whose chain is text[start, chainEnd), between the characters `left` and
   * `right`. Most chains have no shape, so `read` is short enough for V8 to inline the calls that
   * these need.
   * @returns where the scan continues.
   */
  #readGroups(text: ScannedText, start: number, chainEnd: number, left: number, right: number): number {
    const country = left === HYPHEN ? findSemanticPrefix(text, start) : undefined;
    if (country !== undefined) return this.#readWithCountry(text, start, country, 2) || chainEnd;
    const groups = this.#groups;
    const { count } = groups;
    const firstCode = groups.codes[groups.first] as number;
    if (count === 1 && firstCode === IBAN_GROUP && right === BLANK) {
      const end = findIbanEnd(text, start);
      if (end > 0) return end;
    }
    const { canFollowPrefix, isPrefixSeparator } = this.#filters;
    if (
      canFollowPrefix[firstCode] === 1 &&
      isPrefixSeparator[left < BEYOND_ASCII ? left : 0] === 1 &&
      canEndPrefix(text, start - 2)
    ) {
      const end = this.#readWithPrefix(text, start);
      if (end > 0) return end;
      groups.reset(count);
    }
    const end = this.#readWithoutPrefix(text, start, chainEnd);
    return end > 0 ? end : chainEnd;
  }

  /**
   * Reads the number at `start` if a keyword directly precedes it.
   * @returns the end of a finding, or 0.
   */
  #readGluedNumber(text: ScannedText, start: number): number {
    this.#gluedKeyword = findGluedKeyword(text, start);
    if (this.#gluedKeyword === undefined) return this.#readWithCountry(text, start, findCountryPrefix(text, start), 1);
    const chainEnd = this.#readChain(text, start);
    const end = this.#groups.count === 0 ? 0 : this.#readWithoutPrefix(text, start, chainEnd);
    this.#gluedKeyword = undefined;
    return end;
  }

  /**
   * Skips a chain without a shape. Its first groups are a number if its country precedes it:
   * `PNOEE-45906117466-SDLP-Q`. Its first group can be one before a slash: `44051401359/A`.
   */
  #skipChain(text: ScannedText, start: number, chainEnd: number, left: number): number {
    const country = left === HYPHEN ? findSemanticPrefix(text, start) : undefined;
    const isBeforeSlash = country === undefined && codeAt(text, chainEnd - 2) === SLASH;
    const end = isBeforeSlash
      ? this.#readBeforeSlash(text, start, chainEnd - 2)
      : this.#readWithCountry(text, start, country, 2);
    return end > 0 ? end : findChainEnd(text, chainEnd);
  }

  /** Reads the digits text[start, end) before a slash. @returns the end of a finding, or 0. */
  #readBeforeSlash(text: ScannedText, start: number, end: number): number {
    if (this.#readGroup(text, start, 0) !== end) return 0;
    const shape = this.#findShape(1);
    return shape !== undefined && this.#addIfPersonal(text, shape, start, end) ? end : 0;
  }

  /**
   * Reads the number of one group at `start`, or of up to `maxGroups` joined by hyphens, after the
   * name of its country.
   * @returns the end of a finding, or 0.
   */
  #readWithCountry(text: ScannedText, start: number, prefix: CountryPrefix | undefined, maxGroups: number): number {
    if (prefix === undefined) return 0;
    const { country, keyword: gluedKeyword } = prefix;
    const { lastFindingEnd } = this.#scan;
    let end = start - 1;
    for (let count = 0; count < maxGroups && (count === 0 || codeAt(text, end) === HYPHEN); count++) {
      end = this.#readGroup(text, end + 1, count);
      if (end === 0) return 0;
      const shape = this.#findShape(count + 1);
      if (shape === undefined) continue;
      const finding = this.#evaluator.evaluate({
        text,
        shape,
        start,
        end,
        gluedKeyword,
        lastFindingEnd,
        column: undefined,
      });
      if (finding?.country === country && this.#add(finding)) return end;
    }
    return 0;
  }

  /**
   * Reads the group at `start` as the last of `index + 1` joined by hyphens.
   * @returns its end; 0 if no shape has such a group.
   */
  #readGroup(text: ScannedText, start: number, index: number): number {
    let end = start;
    let classes = 0;
    for (; end < text.length && wordClassAt(text, end) !== 0; end++) classes |= wordClassAt(text, end);
    const code = encodeGroup(end - start, classes);
    if (code === NO_GROUP) return 0;
    const groups = this.#groups;
    groups.reset(index + 1);
    if (index > 0) groups.separators[MAX_PREFIX_WORDS + index - 1] = HYPHEN;
    groups.set(MAX_PREFIX_WORDS + index, start, end, code, 0);
    return end;
  }

  /**
   * Reads the number whose chain is text[start, chainEnd), with the groups after it or alone.
   * @returns the end of a finding, or 0.
   */
  #readWithoutPrefix(text: ScannedText, start: number, chainEnd: number): number {
    const { codes: groupCodes, first, count } = this.#groups;
    const right = chainEnd < text.length ? unitAt(text, chainEnd) : 0;
    const canStartRun = this.#filters.canStartRun[groupCodes[first] as number] === 1;
    if (canStartRun && (isOpening(right) || (right === BLANK && canContinueRun(text, chainEnd + 1)))) {
      const end = this.#readRun(text);
      if (end > 0) return end;
    }
    const shape = this.#findShape(count);
    return shape !== undefined && this.#addIfPersonal(text, shape, start, chainEnd) ? chainEnd : 0;
  }

  /**
   * Reads the groups of the chain at `start`. There are no groups if no shape has them.
   * @returns the end of the last group that was read.
   */
  #readChain(text: ScannedText, start: number): number {
    const groups = this.#groups;
    const { separatorBits } = this.#filters;
    groups.reset(0);
    let count = 0;
    let at = start;
    let previousCode = 0;
    let previousSeparatorBit = 0;
    for (;;) {
      const groupStart = at;
      let classes = 0;
      let characterClass = wordClassAt(text, at);
      do {
        classes |= characterClass;
        at++;
        characterClass = at < text.length ? wordClassAt(text, at) : 0;
      } while (characterClass !== 0);
      const code = encodeGroup(at - groupStart, classes);
      if (code === NO_GROUP || count === MAX_GROUPS) return at;
      if (count > 0 && ((separatorBits[previousCode * GROUP_CODES + code] as number) & previousSeparatorBit) === 0)
        return at;
      const separator = at < text.length ? unitAt(text, at) : 0;
      const isJoined =
        isSeparatorAt(text, at, separator) && (at - start < MIN_CARD_LENGTH || !isBeforeExpiry(text, at));
      groups.set(MAX_PREFIX_WORDS + count, groupStart, at, code, isJoined ? separator : 0);
      count++;
      if (!isJoined) break;
      previousCode = code;
      previousSeparatorBit = SEPARATOR_BITS[separator] as number;
      at++;
    }
    groups.count = count;
    return at;
  }

  /** Reads the track data whose card number is at `cardStart`. @returns its end, or 0. */
  #readTrack(text: ScannedText, cardStart: number): number {
    const track = this.#filters.hasCards ? readTrack(text, cardStart, this.#scan.lastFindingEnd) : undefined;
    return track !== undefined && this.#add(this.#evaluator.evaluateTrack(text, track)) ? track.end : 0;
  }

  /**
   * Reads the number together with its prefix, `AB 12 34 56 C`.
   * @returns the end of a finding, or 0.
   */
  #readWithPrefix(text: ScannedText, start: number): number {
    const groups = this.#groups;
    const separator = unitAt(text, start - 1);
    let prefixStart = start;
    for (let words = 1; words <= MAX_PREFIX_WORDS && groups.count < MAX_GROUPS; words++) {
      const end = prefixStart - 1;
      if (end < 1 || unitAt(text, end) !== separator) return 0;
      prefixStart = findPrefixStart(text, end);
      if (prefixStart === end) return 0;
      const chainCount = groups.count;
      groups.addPrefix(prefixStart, end, end - prefixStart + LETTERS, separator);
      const findingEnd = this.#readRun(text);
      if (findingEnd > 0) return findingEnd;
      groups.count = chainCount + 1;
    }
    return 0;
  }

  /**
   * Adds the groups that follow after single blanks, separators and at most one opening bracket.
   * Then evaluates the matching shapes, longest first, until one is personal data.
   * @returns the end of a finding, or 0.
   */
  #readRun(text: ScannedText): number {
    this.#addRunGroups(text);
    const { starts, ends, separators, first, count } = this.#groups;
    const start = starts[first] as number;
    for (let last = first + count - 1; last > first; last--) {
      // The number ends at a blank or before an expiry date, never within `12/25` or `1-2-3`.
      const separator = separators[last];
      if (separator !== 0 && separator !== BLANK && !isBeforeExpiry(text, ends[last] as number)) continue;
      const shape = this.#findShape(last - first + 1);
      if (shape === undefined) continue;
      const end = findRunEnd(text, shape, ends[last] as number);
      if (end > 0 && this.#addIfPersonal(text, shape, start, end)) return end;
    }
    return 0;
  }

  /** Adds the groups that continue the run in any shape, and the separator after the last one. */
  #addRunGroups(text: ScannedText): void {
    const { separatorBits } = this.#filters;
    const groups = this.#groups;
    let last = groups.first + groups.count - 1;
    const lastPossible = groups.first + MAX_GROUPS - 1;
    groups.separators[last] = 0;
    while (last < lastPossible) {
      const end = groups.ends[last] as number;
      const separator = end < text.length ? unitAt(text, end) : 0;
      if (separator !== BLANK && !isOpening(separator) && !isSeparatorAt(text, end, separator)) break;
      const start = end + 1;
      const bound = Math.min(text.length, start + MAX_RUN_GROUP_LENGTH + 1);
      let at = start;
      let classes = 0;
      for (; at < bound; at++) {
        const characterClass = wordClassAt(text, at);
        if (characterClass === 0) break;
        classes |= characterClass;
      }
      const length = at - start;
      if (length === 0 || length > MAX_RUN_GROUP_LENGTH || (classes & UNDERSCORE) !== 0) break;
      if ((classes & DIGIT) === 0 && length > MAX_LETTERS) break;
      groups.separators[last] = separator;
      const code = encodeGroup(length, classes);
      const pair = (groups.codes[last] as number) * GROUP_CODES + code;
      if (((separatorBits[pair] as number) & (SEPARATOR_BITS[separator] as number)) === 0) break;
      last++;
      groups.set(last, start, at, code, 0);
      if (isOpening(separator)) break;
    }
    groups.count = last - groups.first + 1;
  }

  /** The shape of the first `count` groups. */
  #findShape(count: number): NumberShape | undefined {
    const { codes: groupCodes, separators, first } = this.#groups;
    const separator = count > 1 ? (separators[first] as number) : 0;
    const shapes = this.#table[count]?.[shapeIndex(groupCodes[first] as number, separator)];
    if (shapes === undefined) return undefined;
    next: for (const shape of shapes) {
      for (let i = 1; i < count; i++) {
        if (shape.groups[i] !== groupCodes[first + i]) continue next;
        if (shape.separators[i - 1] !== separators[first + i - 1]) continue next;
      }
      return shape;
    }
    return undefined;
  }

  /** Adds the number to the findings if it is personal data. @returns whether it is. */
  #addIfPersonal(text: ScannedText, shape: NumberShape, start: number, end: number): boolean {
    const { lastFindingEnd } = this.#scan;
    const gluedKeyword = this.#gluedKeyword;
    return this.#add(
      this.#evaluator.evaluate({ text, shape, start, end, gluedKeyword, lastFindingEnd, column: undefined }),
    );
  }

  #add(finding: Finding | undefined): boolean {
    if (finding === undefined) return false;
    this.#scan.findings.push(finding);
    this.#scan.lastFindingEnd = finding.end;
    return true;
  }
}

/**
 * Whether a group of fewer than `length` digits is at `start`, and nothing continues it: the time
 * in `Jun 14 15:16:01`.
 */
function endsShortRun(text: ScannedText, start: number, length: number): boolean {
  let at = start;
  while (at < text.length && wordClassAt(text, at) === DIGIT) {
    at++;
    if (at - start >= length) return false;
  }
  if (at === start || at === text.length) return at > start;
  const right = unitAt(text, at);
  return right < BEYOND_ASCII && right !== BLANK && !isOpening(right) && CONNECTORS[right] === 0;
}

function isConnected(code: number): boolean {
  return code >= BEYOND_ASCII || CONNECTORS[code] === 1;
}

/** The same for all characters but an equals sign. */
function touchesEscape(text: ScannedText, start: number, left: number): boolean {
  switch (left) {
    case PERCENT:
    case BACKSLASH:
      return isEscape(text, start - 1);
    case HASH:
      return isEscape(text, start - 1) || (start > 1 && isEscape(text, start - 2));
    // `\e[36m` and `^[[36m` are colours of terminals.
    case OPEN_SQUARE:
      return start > 2 && isEscape(text, start - 3);
    default:
      return false;
  }
}

/** Whether the number continues after the backslash at `end`, an escaped slash: `710319\/2745`. */
function continuesAfterEscape(text: ScannedText, end: number): boolean {
  return (
    end + 2 < text.length &&
    unitAt(text, end + 1) === SLASH &&
    wordClassAt(text, end - 1) === DIGIT &&
    wordClassAt(text, end + 2) === DIGIT
  );
}

/** The start of the word that ends at `end` if it can be a prefix; otherwise `end`. */
function findPrefixStart(text: ScannedText, end: number): number {
  let start = end;
  while (start > 0 && end - start <= MAX_PREFIX_LENGTH && (wordClassAt(text, start - 1) & LETTER) !== 0) start--;
  const left = start > 0 ? unitAt(text, start - 1) : BLANK;
  if (((CLASSES[left] as number) & WORD) !== 0) return end;
  // The letter of an escape such as \n is not a part of the prefix.
  if (left === BACKSLASH && start < end - 1 && ESCAPE_LETTERS.includes(text.charAt(start))) start++;
  const length = end - start;
  if (length > MAX_PREFIX_LENGTH) return end;
  return length > MAX_LETTERS && wordClassAt(text, end - 1) !== UPPER ? end : start;
}

/**
 * The end of a run of the given shape whose last group ends at `groupEnd`; 0 if the group continues
 * or its bracket is not closed.
 */
function findRunEnd(text: ScannedText, { separators, card }: NumberShape, groupEnd: number): number {
  const right = groupEnd < text.length ? unitAt(text, groupEnd) : 0;
  if (isSeparatorAt(text, groupEnd, right)) return card !== 'none' && isBeforeExpiry(text, groupEnd) ? groupEnd : 0;
  const opening = separators[separators.length - 1] as number;
  if (!isOpening(opening)) return groupEnd;
  return right === (opening === OPEN_BRACKET ? CLOSE_BRACKET : CLOSE_SQUARE) ? groupEnd + 1 : 0;
}

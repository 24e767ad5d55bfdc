// The inner loop of the scanner: splits a number into groups and looks up its shape. Its functions
// are in one file because they share the groups of the current number in module-level arrays.
// Reading a number allocates memory only for a finding.
//
// A chain is a sequence of groups joined by `-`, `.`, `/` or `+`. A run continues a chain across
// single blanks and one opening bracket. A prefix is one or two words of letters before the chain.
import { characters } from './character-kinds.ts';
import { endsWithCardCode, evaluateNumber } from './evaluate-number.ts';
import type { Finding } from './finding.ts';
import {
  canContinueRun,
  canEndPrefix,
  findChainEnd,
  findIbanEnd,
  isOpening,
  isSeparatorAt,
} from './group-boundaries.ts';
import { isEscape } from './normalize-text.ts';
import {
  buildGroupFilters,
  encodeGroup,
  GROUP_CODES,
  LETTERS,
  MAX_GROUPS,
  type NumberShape,
  SEPARATOR_BITS,
  type ShapeTable,
} from './number-shapes.ts';

const { BACKSLASH, BLANK, CONNECTORS, DIGIT, LETTER, OPEN_BRACKET, UNDERSCORE, UPPER, wordKindAt } = characters;
const AT_SIGN = 64;

/** The progress of a scan. */
export interface ScanProgress {
  findings: Finding[];
  /** The end of the last finding. The next finding cannot begin before it. */
  lastFindingEnd: number;
}

/** The groups of the current number, in text order. */
const groupStarts = new Int32Array(MAX_GROUPS + 1);
const groupEnds = new Int32Array(MAX_GROUPS + 1);
const groupCodes = new Int32Array(MAX_GROUPS + 1);
/** `separators[i]` follows group i; 0 after the last group. */
const separators = new Int32Array(MAX_GROUPS + 1);

/**
 * Creates a function that reads a number of a text and adds it to the findings of `progress` if it
 * is personal data.
 */
export function createNumberReader(
  table: ShapeTable,
  progress: ScanProgress,
): (text: string, digitIndex: number, isNormalized: boolean) => number {
  const { canStartRun, canFollowPrefix, isPrefixSeparator, separatorBits } = buildGroupFilters(table);

  /**
   * Reads the number that contains the digit at `digitIndex`, and adds the number to the findings
   * if it is personal data.
   * @returns where the scan continues, or -1 if an escape touches the number, so that the text must
   * be normalized first.
   */
  function readNumber(text: string, digitIndex: number, isNormalized: boolean): number {
    const short = findShortNumberEnd(text, digitIndex);
    if (short > 0) return short;
    let start = digitIndex;
    while (start > progress.lastFindingEnd && (wordKindAt(text, start - 1) & (LETTER | UNDERSCORE)) !== 0) start--;
    const left = start > 0 ? text.charCodeAt(start - 1) : BLANK;
    if (!isNormalized && (left === 37 || left === BACKSLASH || left === 35)) {
      const escapeStart = left === 35 ? start - 2 : start - 1;
      if (escapeStart >= 0 && isEscape(text, escapeStart)) return -1;
    }
    // The letter of an escape such as \n is not a part of the value after it.
    if (left === BACKSLASH && start < digitIndex && 'nrtbfv'.includes(text.charAt(start))) start++;

    let count = 0;
    let at = start;
    let previousCode = 0;
    let previousSeparatorBit = 0;
    for (;;) {
      const groupStart = at;
      let kinds = 0;
      let kind = wordKindAt(text, at);
      do {
        kinds |= kind;
        at++;
        kind = at < text.length ? wordKindAt(text, at) : 0;
      } while (kind !== 0);
      const code =
        (kinds & UNDERSCORE) !== 0 ? -1 : encodeGroup(at - groupStart, (kinds & DIGIT) !== 0, (kinds & LETTER) !== 0);
      if (
        code < 0 ||
        count >= MAX_GROUPS ||
        (count > 0 && ((separatorBits[previousCode * GROUP_CODES + code] as number) & previousSeparatorBit) === 0)
      )
        return findChainEnd(text, at);
      groupStarts[count] = groupStart;
      groupEnds[count] = at;
      groupCodes[count] = code;
      const separator = at < text.length ? text.charCodeAt(at) : 0;
      const isJoined = isSeparatorAt(text, at, separator);
      separators[count] = isJoined ? separator : 0;
      count++;
      if (!isJoined) break;
      previousCode = code;
      previousSeparatorBit = SEPARATOR_BITS[separator] as number;
      at++;
    }
    const chainEnd = at;
    const right = chainEnd < text.length ? text.charCodeAt(chainEnd) : 0;
    // A number before `@` belongs to an e-mail address.
    if (right === AT_SIGN) return chainEnd;

    const first = groupCodes[0] as number;
    // A group of four characters with digits and letters can begin an IBAN.
    if (count === 1 && first === 36 && right === BLANK) {
      const end = findIbanEnd(text, start);
      if (end > 0) return end;
    }
    const hasPrefix =
      canFollowPrefix[first] === 1 && isPrefixSeparator[left < 128 ? left : 0] === 1 && canEndPrefix(text, start - 2);
    if (hasPrefix) {
      const end = readWithPrefix(text, start, count);
      if (end > 0) return end;
      // A failed `readWithPrefix` leaves its prefix groups in the arrays, so the groups are read
      // again.
      if (groupStarts[0] !== start) rereadGroups(text, start, count);
    }
    if (canStartRun[first] === 1 && (isOpening(right) || (right === BLANK && canContinueRun(text, chainEnd + 1)))) {
      const end = readRun(text, count);
      if (end > 0) return end;
    }
    const shape = findShape(count);
    if (shape !== undefined) addIfPersonal(text, shape, start, chainEnd, false);
    return chainEnd;
  }

  /**
   * Skips a number that is too short for any shape, if no connector is next to it and no group
   * continues it. Most numbers in a log are like this.
   * @returns its end, or 0 if the number must be read.
   */
  function findShortNumberEnd(text: string, digitIndex: number): number {
    const left = digitIndex > 0 ? text.charCodeAt(digitIndex - 1) : BLANK;
    if (left > 127 || CONNECTORS[left] === 1) return 0;
    let end = digitIndex + 1;
    while (end < text.length && end - digitIndex < 7) {
      const code = text.charCodeAt(end);
      if (code < 48 || code > 57) break;
      end++;
    }
    if (end >= text.length) return end - digitIndex < 7 ? end : 0;
    const right = text.charCodeAt(end);
    if (right === BLANK) {
      if (canStartRun[end - digitIndex] === 0 && canFollowPrefix[end - digitIndex] === 0) return end;
      return canContinueRun(text, end + 1) ? 0 : end;
    }
    return right < 128 && CONNECTORS[right] === 0 ? end : 0;
  }

  /** Reads the `count` groups of a number again, from `start`. */
  function rereadGroups(text: string, start: number, count: number): void {
    let at = start;
    for (let i = 0; i < count; i++) {
      groupStarts[i] = at;
      let kinds = 0;
      while (at < text.length && wordKindAt(text, at) !== 0) kinds |= wordKindAt(text, at++);
      groupEnds[i] = at;
      groupCodes[i] = encodeGroup(at - (groupStarts[i] as number), (kinds & DIGIT) !== 0, (kinds & LETTER) !== 0);
      separators[i] = i + 1 < count ? text.charCodeAt(at) : 0;
      at++;
    }
  }

  /**
   * Reads the number together with its prefix, `AB 12 34 56 C`. @returns the end of a finding,
   * or 0.
   */
  function readWithPrefix(text: string, start: number, chainCount: number): number {
    const separator = text.charCodeAt(start - 1);
    let count = chainCount;
    let head = start;
    for (let words = 0; words < 2 && count < MAX_GROUPS; words++) {
      const end = head - 1;
      if (end < 1 || text.charCodeAt(end) !== separator) return 0;
      let from = end;
      while (from > 0 && end - from < 7 && (wordKindAt(text, from - 1) & LETTER) !== 0) from--;
      if (from === end || end - from > 6 || (from > 0 && wordKindAt(text, from - 1) !== 0)) return 0;
      // Words in lower case are a prefix only if they have at most two letters.
      if (end - from > 2 && wordKindAt(text, end - 1) !== UPPER) return 0;
      for (let i = count; i > 0; i--) {
        groupStarts[i] = groupStarts[i - 1] as number;
        groupEnds[i] = groupEnds[i - 1] as number;
        groupCodes[i] = groupCodes[i - 1] as number;
        separators[i] = separators[i - 1] as number;
      }
      groupStarts[0] = from;
      groupEnds[0] = end;
      groupCodes[0] = end - from + 32 * LETTERS;
      separators[0] = separator;
      head = from;
      count++;
      const findingEnd = readRun(text, count);
      if (findingEnd > 0) return findingEnd;
    }
    return 0;
  }

  /**
   * Adds the groups that follow after single blanks, separators and at most one opening bracket.
   * Then evaluates the matching shapes, longest first, until one is personal data.
   * @returns the end of a finding, or 0.
   */
  function readRun(text: string, chainCount: number): number {
    let count = chainCount;
    while (count < MAX_GROUPS) {
      const end = groupEnds[count - 1] as number;
      const separator = end < text.length ? text.charCodeAt(end) : 0;
      const isJoined = separator === BLANK || isOpening(separator) || isSeparatorAt(text, end, separator);
      if (!isJoined) break;
      let at = end + 1;
      let kinds = 0;
      while (at < text.length && at - end <= 14) {
        const kind = wordKindAt(text, at);
        if (kind === 0) break;
        kinds |= kind;
        at++;
      }
      const length = at - end - 1;
      if (length === 0 || length > 13 || (kinds & UNDERSCORE) !== 0 || (at < text.length && wordKindAt(text, at) !== 0))
        break;
      if ((kinds & DIGIT) === 0 && length > 2) break;
      separators[count - 1] = separator;
      groupStarts[count] = end + 1;
      groupEnds[count] = at;
      groupCodes[count] = encodeGroup(length, (kinds & DIGIT) !== 0, (kinds & LETTER) !== 0);
      separators[count] = 0;
      count++;
      if (isOpening(separator)) break;
    }
    for (let groups = count; groups > 1; groups--) {
      const next = groups < count ? (separators[groups - 1] as number) : 0;
      // The number ends at a blank, never within `12/25` or `1-2-3`.
      if (next !== 0 && next !== BLANK) continue;
      const shape = findShape(groups);
      if (shape === undefined) continue;
      let end = groupEnds[groups - 1] as number;
      if (isSeparatorAt(text, end, end < text.length ? text.charCodeAt(end) : 0)) continue;
      const opening = shape.separators.at(-1) as number;
      if (isOpening(opening)) {
        if (text.charCodeAt(end) !== (opening === OPEN_BRACKET ? 41 : 93)) continue;
        end++;
      }
      const start = groupStarts[0] as number;
      if (endsWithCardCode(text, shape, start, groupEnds[3] as number)) continue;
      if (addIfPersonal(text, shape, start, end, true)) return end;
    }
    return 0;
  }

  function findShape(count: number): NumberShape | undefined {
    const shapes = table[count]?.[groupCodes[0] as number];
    if (shapes === undefined) return undefined;
    next: for (const shape of shapes) {
      for (let i = 1; i < count; i++) {
        if (shape.groups[i] !== groupCodes[i] || shape.separators[i - 1] !== separators[i - 1]) continue next;
      }
      return shape;
    }
    return undefined;
  }

  /** Adds the number to the findings if it is personal data. @returns whether it is. */
  function addIfPersonal(
    text: string,
    shape: NumberShape,
    start: number,
    end: number,
    crossesBlanks: boolean,
  ): boolean {
    const finding = evaluateNumber(text, shape, start, end, crossesBlanks, progress.lastFindingEnd);
    if (finding === undefined) return false;
    progress.findings.push(finding);
    progress.lastFindingEnd = end;
    return true;
  }

  return readNumber;
}

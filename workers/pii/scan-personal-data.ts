// Scans a text in one pass. Every finding contains a digit or an `@`, so the scan stops at these only. A number is
// split into groups, and its shape is looked up. The schemes of that shape verify the value first, then the words
// around it. The file is long because the inner loop shares its state in module variables, so that it allocates no
// memory.
import type { PiiType } from '../../shared/pii-kinds/pii-kind.ts';
import type { PiiScheme } from '../../shared/pii-kinds/pii-kinds.ts';
import { findEmailAddress } from './email-address.ts';
import { CARD_TARGET, GENERAL_TARGET } from './keyword-index.ts';
import { COUNTRY_OF_SCHEME, NATIONAL_ID_RULES } from './national-ids/national-id-rules.ts';
import { isEscape, normalizeCodeUnit, normalizeText } from './normalize-text.ts';
import {
  findNonPersonalLabel,
  hasKeywordNear,
  isGeneralKeywordNearest,
  isInOwnKey,
  isKeywordNear,
  keywordDistance,
  keywordLength,
  readContext,
  resetContext,
} from './number-context.ts';
import {
  buildShapeTable,
  encodeGroup,
  GROUP_CODES,
  LETTERS,
  MAX_GROUPS,
  type NumberShape,
  type ShapeRule,
  type ShapeTable,
} from './number-shapes.ts';
import { type CardMatch, matchCard } from './payment-card.ts';
import { keepStringMethodsFast } from './string-methods.ts';

export interface Finding {
  type: PiiType;
  /** UTF-16 offsets in the scanned text, half open. */
  start: number;
  end: number;
  /** ISO 3166-1 alpha-2; national ids only. */
  country?: string;
  /** 0 to 1. */
  confidence: number;
  /** The evidence: a check digit, a keyword near the value, or only the form with its dates and ranges. */
  rule: 'checksum' | 'context' | 'format';
  /** The row of `PII_KINDS`. */
  scheme: PiiScheme;
}

export interface ScannerOptions {
  /** Default: all. */
  kinds?: readonly PiiType[];
  /** Countries of the national ids, ISO 3166-1 alpha-2 in either case. Default: all. */
  countries?: readonly string[];
}

const DIGIT = 1;
const UPPER = 2;
const LOWER = 4;
const UNDERSCORE = 8;
const LETTER = UPPER | LOWER;
const AT = 16;
/** A character with an ASCII equivalent, or an invisible one: the text must be normalized first. */
const ENCODED = 32;

/** The kind of every UTF-16 code unit, so that a lookup needs no comparison first. */
const KIND = new Uint8Array(65536);
for (let code = 128; code < 65536; code++) if (normalizeCodeUnit(code) !== 0 || code === 0xd835) KIND[code] = ENCODED;
for (let code = 48; code < 58; code++) KIND[code] = DIGIT;
for (let code = 65; code < 91; code++) KIND[code] = UPPER;
for (let code = 97; code < 123; code++) KIND[code] = LOWER;
KIND[95] = UNDERSCORE;
KIND[64] = AT;
const WORD = DIGIT | LETTER | UNDERSCORE;

/** Characters that may connect a number with the text next to it, or begin an escape. */
const JOINS = new Uint8Array(128);
for (let code = 0; code < 128; code++) if (((KIND[code] as number) & (WORD | AT)) !== 0) JOINS[code] = 1;
for (const character of '-./+(%\\#') JOINS[character.charCodeAt(0)] = 1;

const BLANK = 32;
const HYPHEN = 45;
const DOT = 46;
const SLASH = 47;
const PLUS = 43;
const OPEN_BRACKET = 40;
const OPEN_SQUARE = 91;
const BACKSLASH = 92;

/** What the characters next to a number mean for it. */
const CLEAR = 0;
/** It is attached to other text (`x-123…`, `….json`, `/path/123`) and needs a keyword. */
const ATTACHED = 1;
/** It is a part of something else, such as an amount, a phone number or a fraction, and is not a finding. */
const EMBEDDED = 2;

function wordKindAt(text: string, at: number): number {
  return (KIND[text.charCodeAt(at)] as number) & WORD;
}

/** The groups of the current number, in text order. */
const groupStarts = new Int32Array(MAX_GROUPS + 1);
const groupEnds = new Int32Array(MAX_GROUPS + 1);
const groupCodes = new Int32Array(MAX_GROUPS + 1);
/** `separators[i]` follows group i; 0 after the last group. */
const separators = new Int32Array(MAX_GROUPS + 1);
/** Indexes of the shape's rules that the current number passes. */
const passingRules = new Int32Array(NATIONAL_ID_RULES.length);
/** The current number without separators: 0 to 9 for digits, 10 to 35 for letters. */
const value = new Uint8Array(40);

let valueHasLower = false;

function readValue(text: string, start: number, end: number): void {
  let length = 0;
  valueHasLower = false;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    const kind = KIND[code] as number;
    if (kind === DIGIT) value[length++] = code - 48;
    else if (kind === UPPER) value[length++] = code - 55;
    else if (kind === LOWER) {
      value[length++] = code - 87;
      valueHasLower = true;
    }
  }
}

const SEPARATOR_BIT = new Uint8Array(128);
['-', '.', '/', '+', ' ', '(', '['].forEach((separator, i) => {
  SEPARATOR_BIT[separator.charCodeAt(0)] = 1 << i;
});

/**
 * Filters that reject groups before a shape is looked up. `separatorBits` has, for the codes of two adjacent groups,
 * the bits of the separators that any shape has between them: it rejects a timestamp at its second group.
 */
function buildGroupFilters(table: ShapeTable): {
  canStartRun: Uint8Array;
  canFollowPrefix: Uint8Array;
  isPrefixSeparator: Uint8Array;
  separatorBits: Uint8Array;
} {
  const canStartRun = new Uint8Array(GROUP_CODES);
  const canFollowPrefix = new Uint8Array(GROUP_CODES);
  const isPrefixSeparator = new Uint8Array(128);
  const separatorBits = new Uint8Array(GROUP_CODES * GROUP_CODES);
  for (const row of table) {
    for (const shapes of row) {
      for (const shape of shapes ?? []) {
        shape.separators.forEach((separator, i) => {
          const pair = (shape.groups[i] as number) * GROUP_CODES + (shape.groups[i + 1] as number);
          separatorBits[pair] = (separatorBits[pair] as number) | (SEPARATOR_BIT[separator] as number);
        });
        if (shape.separators.includes(BLANK) || shape.separators.some(isOpening))
          canStartRun[shape.groups[0] as number] = 1;
        const digits = shape.groups.findIndex((group) => group < LETTERS * 32);
        if (digits > 0) {
          canFollowPrefix[shape.groups[digits] as number] = 1;
          isPrefixSeparator[shape.separators[digits - 1] as number] = 1;
        }
      }
    }
  }
  return { canStartRun, canFollowPrefix, isPrefixSeparator, separatorBits };
}

/**
 * Creates a pure function that returns the findings of a text in order and without overlaps. Its time is linear in the
 * length of any text.
 */
export function createScanner(options: ScannerOptions = {}): (text: string) => Finding[] {
  keepStringMethodsFast();
  const kinds = options.kinds ?? ['email', 'national_id', 'payment_card'];
  const countries =
    options.countries === undefined ? undefined : new Set(options.countries.map((code) => code.toUpperCase()));
  const rules = NATIONAL_ID_RULES.map((rule, target) => ({ rule, target })).filter(
    ({ rule }) => kinds.includes('national_id') && countries?.has(COUNTRY_OF_SCHEME.get(rule.scheme) ?? '') !== false,
  );
  const includesEmail = kinds.includes('email');
  const table = buildShapeTable(rules, kinds.includes('payment_card'));
  const { canStartRun, canFollowPrefix, isPrefixSeparator, separatorBits } = buildGroupFilters(table);

  let findings: Finding[] = [];
  let lastEmailEnd = 0;
  let needsDecoding = false;
  /** The end of the last finding: no other begins before it. */
  let lastFindingEnd = 0;

  /**
   * Reads the number that contains the digit at `digit`, and adds it if it is a finding.
   * @returns where to continue.
   */
  function readNumber(text: string, digit: number, decoded: boolean): number {
    const short = findShortNumberEnd(text, digit);
    if (short > 0) return short;
    let start = digit;
    while (start > lastFindingEnd && (wordKindAt(text, start - 1) & (LETTER | UNDERSCORE)) !== 0) start--;
    const left = start > 0 ? text.charCodeAt(start - 1) : BLANK;
    if (!decoded && (left === 37 || left === BACKSLASH || left === 35)) {
      const escapeStart = left === 35 ? start - 2 : start - 1;
      if (escapeStart >= 0 && isEscape(text, escapeStart)) {
        needsDecoding = true;
        return digit;
      }
    }
    // The letter of an escape such as \n is not a part of the value after it.
    if (left === BACKSLASH && start < digit && 'nrtbfv'.includes(text.charAt(start))) start++;

    let count = 0;
    let at = start;
    let previous = 0;
    let bit = 0;
    for (;;) {
      const groupStart = at;
      let bits = 0;
      let kind = wordKindAt(text, at);
      do {
        bits |= kind;
        at++;
        kind = at < text.length ? wordKindAt(text, at) : 0;
      } while (kind !== 0);
      const code =
        (bits & UNDERSCORE) !== 0 ? -1 : encodeGroup(at - groupStart, (bits & DIGIT) !== 0, (bits & LETTER) !== 0);
      if (
        code < 0 ||
        count >= MAX_GROUPS ||
        (count > 0 && ((separatorBits[previous * GROUP_CODES + code] as number) & bit) === 0)
      )
        return findChainEnd(text, at);
      groupStarts[count] = groupStart;
      groupEnds[count] = at;
      groupCodes[count] = code;
      const separator = at < text.length ? text.charCodeAt(at) : 0;
      const joins = isSeparatorAt(text, at, separator);
      separators[count] = joins ? separator : 0;
      count++;
      if (!joins) break;
      previous = code;
      bit = SEPARATOR_BIT[separator] as number;
      at++;
    }
    const chainEnd = at;
    const right = chainEnd < text.length ? text.charCodeAt(chainEnd) : 0;
    if (right === 64) return chainEnd;

    const first = groupCodes[0] as number;
    if (count === 1 && first === 36 && right === BLANK) {
      const end = findIbanEnd(text, start);
      if (end > 0) return end;
    }
    const hasPrefix =
      canFollowPrefix[first] === 1 && isPrefixSeparator[left < 128 ? left : 0] === 1 && canEndPrefix(text, start - 2);
    if (hasPrefix) {
      const end = readWithPrefix(text, start, count);
      if (end > 0) return end;
      // `readWithPrefix` has changed the groups.
      if (groupStarts[0] !== start) rereadGroups(text, start, count);
    }
    if (canStartRun[first] === 1 && (isOpening(right) || (right === BLANK && canContinueRun(text, chainEnd + 1)))) {
      const end = readRun(text, count);
      if (end > 0) return end;
    }
    const shape = findShape(count);
    if (shape !== undefined) evaluateNumber(text, shape, start, chainEnd, false);
    return chainEnd;
  }

  /**
   * Skips a number that is shorter than all shapes and connected to nothing, as most numbers of a log are.
   * @returns its end, or 0 if the number must be read.
   */
  function findShortNumberEnd(text: string, digit: number): number {
    const left = digit > 0 ? text.charCodeAt(digit - 1) : BLANK;
    if (left > 127 || JOINS[left] === 1) return 0;
    let end = digit + 1;
    while (end < text.length && end - digit < 7) {
      const code = text.charCodeAt(end);
      if (code < 48 || code > 57) break;
      end++;
    }
    if (end >= text.length) return end - digit < 7 ? end : 0;
    const right = text.charCodeAt(end);
    if (right === BLANK) {
      if (canStartRun[end - digit] === 0 && canFollowPrefix[end - digit] === 0) return end;
      return canContinueRun(text, end + 1) ? 0 : end;
    }
    return right < 128 && JOINS[right] === 0 ? end : 0;
  }

  /** Restores the groups of a number that was read before. */
  function rereadGroups(text: string, start: number, count: number): void {
    let at = start;
    for (let i = 0; i < count; i++) {
      groupStarts[i] = at;
      let bits = 0;
      while (at < text.length && wordKindAt(text, at) !== 0) bits |= wordKindAt(text, at++);
      groupEnds[i] = at;
      groupCodes[i] = encodeGroup(at - (groupStarts[i] as number), (bits & DIGIT) !== 0, (bits & LETTER) !== 0);
      separators[i] = i + 1 < count ? text.charCodeAt(at) : 0;
      at++;
    }
  }

  /** Reads the number with the one or two words before it, `AB 12 34 56 C`. @returns the end of a finding, or 0. */
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
   * Adds groups after single blanks and one bracket, and evaluates the longest shape that fits.
   * @returns the end of a finding, or 0.
   */
  function readRun(text: string, chainCount: number): number {
    let count = chainCount;
    while (count < MAX_GROUPS) {
      const end = groupEnds[count - 1] as number;
      const separator = end < text.length ? text.charCodeAt(end) : 0;
      const isJoin = separator === BLANK || isOpening(separator) || isSeparatorAt(text, end, separator);
      if (!isJoin) break;
      let at = end + 1;
      let bits = 0;
      while (at < text.length && at - end <= 14) {
        const kind = wordKindAt(text, at);
        if (kind === 0) break;
        bits |= kind;
        at++;
      }
      const length = at - end - 1;
      if (length === 0 || length > 13 || (bits & UNDERSCORE) !== 0 || (at < text.length && wordKindAt(text, at) !== 0))
        break;
      if ((bits & DIGIT) === 0 && length > 2) break;
      separators[count - 1] = separator;
      groupStarts[count] = end + 1;
      groupEnds[count] = at;
      groupCodes[count] = encodeGroup(length, (bits & DIGIT) !== 0, (bits & LETTER) !== 0);
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
      if (endsWithCardCode(text, shape)) continue;
      if (evaluateNumber(text, shape, groupStarts[0] as number, end, true)) return end;
    }
    return 0;
  }

  /**
   * Whether the fifth group is the security code after a card of 16 digits, `4111 1111 1111 1111 123`. Cards of 19
   * digits are rare.
   */
  function endsWithCardCode(text: string, shape: NumberShape): boolean {
    if (shape.card !== 'standard' || shape.length !== 19 || shape.groups.length !== 5) return false;
    readValue(text, groupStarts[0] as number, groupEnds[3] as number);
    return matchCard(value, 16, true)?.needsKeyword === false;
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

  /** Adds the number of a known shape to the findings if it is one. @returns whether it is. */
  function evaluateNumber(text: string, shape: NumberShape, start: number, end: number, spaced: boolean): boolean {
    if (shape.alwaysNeedsKeyword && !hasKeywordNear(text, start, end)) return false;
    readValue(text, start, end);
    const { length } = shape;
    const card = shape.card === 'none' ? undefined : matchCard(value, length, shape.groups.length > 1);
    let passingCount = 0;
    for (let i = 0; i < shape.rules.length; i++) {
      if ((shape.rules[i] as ShapeRule).check(value, length)) passingRules[passingCount++] = i;
    }
    if (passingCount === 0 && card === undefined) return false;
    const surroundings = classifySurroundings(text, start, end, shape);
    if (surroundings === EMBEDDED) return false;
    readContext(text, start, end);
    const label = findNonPersonalLabel(text, shape.groups.length === 1 && !shape.hasLetters);
    const hasNeighbour = spaced && hasDigitNeighbour(text, start, end, 1, 9, lastFindingEnd);
    let best: Finding | undefined;
    let bestScore = 0;
    if (card !== undefined) {
      best = evaluateCard(text, shape, card, label, start, end, surroundings, spaced);
      if (best !== undefined) bestScore = isKeywordNear(CARD_TARGET) ? 30 : 20;
    }
    for (let i = 0; i < passingCount; i++) {
      const rule = shape.rules[passingRules[i] as number] as ShapeRule;
      const { target, needsOwnKeyword, isChecked } = rule;
      const hasOwnKeyword = isKeywordNear(target);
      const isOwn = isInOwnKey(target) || (isInOwnKey(GENERAL_TARGET) && !needsOwnKeyword);
      if ((label === 'key' || label === 'word') && !isOwn && !(isChecked && shape.hasLetters)) continue;
      const mustHaveKeyword =
        rule.needsKeyword ||
        surroundings === ATTACHED ||
        (valueHasLower && !rule.anyCase) ||
        hasNeighbour ||
        rule.isAmbiguous?.(value, length) === true;
      let score: number;
      if (hasOwnKeyword)
        score =
          40 + (isOwn ? 5 : 0) + (isChecked ? 1 : 0) - keywordDistance(target) / 100 + keywordLength(target) / 10_000;
      else if (!mustHaveKeyword) score = isChecked ? 22 : 21;
      else if (isGeneralKeywordNearest() && !needsOwnKeyword && !hasNeighbour) score = 10 + (isChecked ? 1 : 0);
      else continue;
      if (surroundings === ATTACHED && keywordDistance(hasOwnKeyword ? target : GENERAL_TARGET) > 24) continue;
      if (score <= bestScore) continue;
      bestScore = score;
      best = {
        type: 'national_id',
        start,
        end,
        country: rule.country,
        confidence: confidenceOf(isChecked, hasOwnKeyword, mustHaveKeyword),
        rule: mustHaveKeyword ? 'context' : isChecked ? 'checksum' : 'format',
        scheme: rule.scheme,
      };
    }
    if (best === undefined) return false;
    findings.push(best);
    lastFindingEnd = end;
    return true;
  }

  function evaluateCard(
    text: string,
    shape: NumberShape,
    card: CardMatch,
    label: ReturnType<typeof findNonPersonalLabel>,
    start: number,
    end: number,
    surroundings: number,
    spaced: boolean,
  ): Finding | undefined {
    const isBare = shape.groups.length === 1;
    const hasCardKeyword = isKeywordNear(CARD_TARGET);
    const mustHaveKeyword =
      card.needsKeyword ||
      shape.card === 'unusual' ||
      surroundings === ATTACHED ||
      (spaced && hasDigitNeighbour(text, start, end, 4, 7, lastFindingEnd) && !isFollowedByCards(text, end));
    if (mustHaveKeyword && !hasCardKeyword) return undefined;
    if (isBare && !isInOwnKey(CARD_TARGET)) {
      if (label === 'key' || (label !== 'none' && !hasCardKeyword)) return undefined;
    }
    return {
      type: 'payment_card',
      start,
      end,
      confidence: hasCardKeyword ? 0.99 : isBare ? 0.9 : 0.95,
      rule: mustHaveKeyword ? 'context' : 'checksum',
      scheme: card.scheme,
    };
  }

  function scanText(text: string, decoded: boolean): void {
    findings = [];
    lastEmailEnd = 0;
    lastFindingEnd = 0;
    needsDecoding = false;
    resetContext();
    let at = 0;
    const { length } = text;
    while (at < length) {
      const kind = (KIND[text.charCodeAt(at)] as number) & (DIGIT | AT | ENCODED);
      if (kind === 0) at++;
      else if (kind === DIGIT) {
        at = readNumber(text, at, decoded);
        if (needsDecoding) return;
      } else if (kind === AT) at = includesEmail ? readEmailAddress(text, at) : at + 1;
      else if (decoded) at++;
      else {
        needsDecoding = true;
        return;
      }
    }
  }

  /** Reads the address around the `@` at `at`, and adds it if it is a finding. @returns where to continue. */
  function readEmailAddress(text: string, at: number): number {
    const address = findEmailAddress(text, at, lastEmailEnd);
    if (address === undefined) return at + 1;
    // A number within the local part may have been added as a finding.
    while (findings.length > 0 && (findings[findings.length - 1] as Finding).end > address.start) findings.pop();
    findings.push({
      type: 'email',
      start: address.start,
      end: address.end,
      confidence: 0.99,
      rule: 'format',
      scheme: 'email',
    });
    lastEmailEnd = address.end;
    lastFindingEnd = address.end;
    return address.end;
  }

  return (text) => {
    scanText(text, false);
    if (!needsDecoding) return findings;
    const normalized = normalizeText(text);
    scanText(normalized.text, true);
    for (const finding of findings) {
      finding.end = normalized.ends[finding.end - 1] as number;
      finding.start = normalized.starts[finding.start] as number;
    }
    return findings;
  };
}

/**
 * The confidence in a national id, by its check digit, a keyword of its scheme, and whether its form needs a keyword.
 */
function confidenceOf(isChecked: boolean, hasOwnKeyword: boolean, mustHaveKeyword: boolean): number {
  if (hasOwnKeyword) return isChecked ? 0.99 : 0.9;
  if (mustHaveKeyword) return isChecked ? 0.85 : 0.6;
  return isChecked ? 0.95 : 0.75;
}

/**
 * Whether the character at `at` can be the last letter of a prefix, `AB` or `RSSMRA`. A prefix in lower case has at
 * most two letters.
 */
function canEndPrefix(text: string, at: number): boolean {
  if (at < 0) return false;
  const kind = wordKindAt(text, at);
  if (kind === UPPER) return true;
  return kind === LOWER && (at < 2 || wordKindAt(text, at - 1) === 0 || wordKindAt(text, at - 2) === 0);
}

/** Whether a group of digits, or a group that can be a check character, begins at `at`. */
function canContinueRun(text: string, at: number): boolean {
  if (at >= text.length) return false;
  const kind = wordKindAt(text, at);
  if ((kind & LETTER) === 0) return kind === DIGIT;
  // One or two letters, or a letter before digits.
  const next = at + 1 < text.length ? wordKindAt(text, at + 1) : 0;
  if ((next & LETTER) === 0) return true;
  const afterNext = at + 2 < text.length ? wordKindAt(text, at + 2) : 0;
  return (afterNext & LETTER) === 0;
}

/**
 * Whether the character at `at` separates two groups: `-` always, `.` before a digit, `/` and `+` between digits, `.`
 * and `/` before a single letter.
 */
function isSeparatorAt(text: string, at: number, separator: number): boolean {
  if (separator !== HYPHEN && separator !== DOT && separator !== SLASH && separator !== PLUS) return false;
  if (at + 1 >= text.length) return false;
  const next = wordKindAt(text, at + 1);
  if (separator === HYPHEN) return next !== 0;
  if (separator === DOT) return next === DIGIT || isSingleLetter(text, at + 1, next);
  if (next !== DIGIT && separator === SLASH) return isSingleLetter(text, at + 1, next & UPPER);
  return next === DIGIT && wordKindAt(text, at - 1) === DIGIT;
}

/** The end of the chain of groups with separators that contains the group that ends at `end`. */
function findChainEnd(text: string, end: number): number {
  let at = end;
  while (at < text.length && isSeparatorAt(text, at, text.charCodeAt(at))) {
    at++;
    while (at < text.length && wordKindAt(text, at) !== 0) at++;
  }
  return at;
}

function isOpening(code: number): boolean {
  return code === OPEN_BRACKET || code === OPEN_SQUARE;
}

function isSingleLetter(text: string, at: number, kind: number): boolean {
  return (kind & LETTER) !== 0 && (at + 1 >= text.length || wordKindAt(text, at + 1) === 0);
}

/**
 * The end of the IBAN in groups of four that begins at `start`, `GB29 NWBK 6016 1331 9268 19`, or 0. Its groups can
 * look like other numbers.
 */
function findIbanEnd(text: string, start: number): number {
  if ((wordKindAt(text, start) & LETTER) === 0 || (wordKindAt(text, start + 1) & LETTER) === 0) return 0;
  if (wordKindAt(text, start + 2) !== DIGIT || wordKindAt(text, start + 3) !== DIGIT) return 0;
  let at = start + 4;
  let length = 4;
  while (length < 34 && at < text.length && text.charCodeAt(at) === BLANK) {
    let end = at + 1;
    while (end < text.length && end - at <= 5 && (wordKindAt(text, end) & (DIGIT | UPPER)) !== 0) end++;
    const group = end - at - 1;
    if (group === 0 || group > 4) break;
    length += group;
    at = end;
    if (group < 4) break;
  }
  return length >= 15 ? at : 0;
}

/** `CLEAR`, `ATTACHED` or `EMBEDDED`, by the characters next to the number. */
function classifySurroundings(text: string, start: number, end: number, shape: NumberShape): number {
  let verdict = CLEAR;
  if (start > 0) {
    const left = text.charCodeAt(start - 1);
    const before = start > 1 ? text.charCodeAt(start - 2) : BLANK;
    const beforeKind = (KIND[before] as number) & WORD;
    if (left === 36 || left === 64 || left === 0x20ac || left === 0xa3 || left === 0xa5) return EMBEDDED;
    if (left === PLUS && beforeKind === 0 && !shape.hasLetters) return EMBEDDED;
    if (left === DOT) {
      if (beforeKind === DIGIT || (beforeKind === 0 && !shape.hasLetters && before !== DOT)) return EMBEDDED;
      if (beforeKind !== 0) verdict = ATTACHED;
    } else if (left === HYPHEN) {
      if (beforeKind !== 0) verdict = ATTACHED;
      else if (shape.groups.length === 1 && !shape.hasLetters) verdict = ATTACHED;
    } else if (left === SLASH && shape.separators.includes(SLASH)) return EMBEDDED;
    else if (left === SLASH && shape.groups.length === 1) verdict = ATTACHED;
    else if (left < 128 && ((KIND[left] as number) & WORD) !== 0 && before !== BACKSLASH) {
      // Only an escape (`\n123`) may touch a number.
      return EMBEDDED;
    }
  }
  if (end < text.length) {
    const right = text.charCodeAt(end);
    const after = end + 1 < text.length ? text.charCodeAt(end + 1) : BLANK;
    const afterKind = (KIND[after] as number) & WORD;
    if (right === 37 && !shape.hasLetters) return EMBEDDED;
    if (right === DOT && (afterKind & LOWER) !== 0) verdict = ATTACHED;
    else if (right === SLASH && shape.separators.includes(SLASH)) return EMBEDDED;
    else if (right === SLASH && afterKind !== 0 && shape.groups.length === 1) verdict = ATTACHED;
    else if (right === HYPHEN && afterKind !== 0) verdict = ATTACHED;
    // Asterisks mask further digits, except on both sides of the number, where they are emphasis.
    else if ((right === 42 && text.charCodeAt(start - 1) !== 42) || (right === HYPHEN && after === 42)) return EMBEDDED;
    else if (right < 128 && ((KIND[right] as number) & WORD) !== 0) return EMBEDDED;
  }
  return verdict;
}

/** Whether whole cards in groups of four follow text[…end). */
function isFollowedByCards(text: string, end: number): boolean {
  let groups = 0;
  let at = end;
  while (at + 4 < text.length && text.charCodeAt(at) === BLANK && groups < 9) {
    for (let i = 1; i < 5; i++) if (wordKindAt(text, at + i) !== DIGIT) return groups > 0 && groups % 4 === 0;
    if (at + 5 < text.length && wordKindAt(text, at + 5) !== 0) break;
    at += 5;
    groups++;
  }
  return groups > 0 && groups % 4 === 0;
}

/** The number of digits in the group text[start, end); also its length if it is a group of a hex dump. 0 for words. */
function countDigits(text: string, start: number, end: number): number {
  const length = end - start;
  let digits = 0;
  for (let i = start; i < end; i++) if (wordKindAt(text, i) === DIGIT) digits++;
  return digits === length || (length === 4 && digits > 0) ? length : 0;
}

/**
 * Whether a group of `minDigits` to `maxDigits` digits is one blank before or after text[start, end). A finding that
 * ends at `lastFindingEnd` does not count.
 */
function hasDigitNeighbour(
  text: string,
  start: number,
  end: number,
  minDigits: number,
  maxDigits: number,
  lastFindingEnd: number,
): boolean {
  if (start > lastFindingEnd + 1 && text.charCodeAt(start - 1) === BLANK) {
    let at = start - 1;
    while (at > 0 && start - at < 10 && wordKindAt(text, at - 1) !== 0) at--;
    const digits = countDigits(text, at, start - 1);
    // A plus begins a phone number.
    const isWhole = at === 0 || text.charCodeAt(at - 1) === BLANK || text.charCodeAt(at - 1) === PLUS;
    if (isWhole && digits >= minDigits && digits <= maxDigits) return true;
  }
  if (end + 1 < text.length && text.charCodeAt(end) === BLANK) {
    let at = end + 1;
    while (at < text.length && at - end < 10 && wordKindAt(text, at) !== 0) at++;
    const digits = countDigits(text, end + 1, at);
    const isWhole =
      at >= text.length ||
      (wordKindAt(text, at) === 0 && !isSeparatorAt(text, at, text.charCodeAt(at)) && text.charCodeAt(at) !== 58);
    if (isWhole && digits >= minDigits && digits <= maxDigits) return true;
  }
  return false;
}

// One pass over a line: digits and `@` are the only places where anything can begin. A number is cut into groups, its shape is looked
// up, and only what has a shape is checked, first by arithmetic, then by the words around it. One reason for the file's length: the
// inner loop shares its state through module variables, which is what keeps it free of allocations.
import type { PiiType } from '../../shared/pii-kinds/pii-kind.ts';
import type { PiiScheme } from '../../shared/pii-kinds/pii-kinds.ts';
import { findEmailAddress } from './email-address.ts';
import { CARD_TARGET, GENERAL_TARGET } from './key-word-index.ts';
import {
  beginText,
  distanceOf,
  hasKeyWordNear,
  isGeneralWordNear,
  isNear,
  isOwnKey,
  lengthOf,
  otherThing,
  readContext,
} from './key-words.ts';
import { COUNTRY_OF_SCHEME, NATIONAL_ID_RULES } from './national-ids/national-id-rules.ts';
import {
  buildShapeTable,
  GROUP_CODES,
  groupCode,
  LETTERS,
  MOST_GROUPS,
  type NumberShape,
  type ShapeRule,
  type ShapeTable,
} from './number-shapes.ts';
import { type CardMatch, matchCard } from './payment-card.ts';
import { isEscape, plainCode, readableText } from './readable-text.ts';
import { keepStringMethodsFast } from './string-methods.ts';

export interface Finding {
  type: PiiType;
  /** UTF-16 offsets in the text as given, half open. */
  start: number;
  end: number;
  /** ISO 3166-1 alpha-2; national ids only. */
  country?: string;
  /** 0 to 1. */
  confidence: number;
  /** What decided: a check digit, a key word near by, or the form (dates and ranges included) alone. */
  rule: 'checksum' | 'context' | 'format';
  /** The row of the table of kinds. */
  scheme: PiiScheme;
}

export interface ScannerOptions {
  /** All three when left out. */
  kinds?: readonly PiiType[];
  /** ISO 3166-1 alpha-2 codes of the national ids to look for; all when left out. */
  countries?: readonly string[];
}

const DIGIT = 1;
const UPPER = 2;
const LOWER = 4;
const UNDERSCORE = 8;
const LETTER = UPPER | LOWER;
const AT = 16;
/** Stands for another character, or for none: the text has to be made readable first. */
const ENCODED = 32;

/** By code unit, all of them: one look instead of a comparison and a look. */
const KIND = new Uint8Array(65536);
for (let code = 128; code < 65536; code++) if (plainCode(code) !== 0 || code === 0xd835) KIND[code] = ENCODED;
for (let code = 48; code < 58; code++) KIND[code] = DIGIT;
for (let code = 65; code < 91; code++) KIND[code] = UPPER;
for (let code = 97; code < 123; code++) KIND[code] = LOWER;
KIND[95] = UNDERSCORE;
KIND[64] = AT;
const WORD = DIGIT | LETTER | UNDERSCORE;

/** What may join a number to its neighbours, or be the beginning of an escape. */
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

/** How far a number's surroundings allow it to count. */
const CLEAN = 0;
/** It hangs on other text (`x-123…`, `….json`, `/path/123`): a key word must speak for it. */
const HANGING = 1;
/** It is a part of something else: an amount, a phone number, a fraction. */
const BROKEN = 2;

function wordKind(text: string, at: number): number {
  return (KIND[text.charCodeAt(at)] as number) & WORD;
}

/** Groups of the number at hand, in text order. */
const groupStarts = new Int32Array(MOST_GROUPS + 1);
const groupEnds = new Int32Array(MOST_GROUPS + 1);
const groupCodes = new Int32Array(MOST_GROUPS + 1);
/** `separators[i]` stands after group i; 0 after the last. */
const separators = new Int32Array(MOST_GROUPS + 1);
/** Which rules of the shape the number passes. */
const passed = new Int32Array(NATIONAL_ID_RULES.length);
/** The number without separators: 0 to 9, 10 to 35 for letters. */
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
 * What the table says about groups without looking shapes up. `neighbours`: by two groups' codes, the bits of the separators that any
 * shape has between them, so that a time stamp is given up at its second group.
 */
function createShapeSets(table: ShapeTable): {
  startsRun: Uint8Array;
  followsLetters: Uint8Array;
  separatorOf: Uint8Array;
  neighbours: Uint8Array;
} {
  const startsRun = new Uint8Array(GROUP_CODES);
  const followsLetters = new Uint8Array(GROUP_CODES);
  const separatorOf = new Uint8Array(128);
  const neighbours = new Uint8Array(GROUP_CODES * GROUP_CODES);
  for (const row of table) {
    for (const shapes of row) {
      for (const shape of shapes ?? []) {
        shape.separators.forEach((separator, i) => {
          const pair = (shape.groups[i] as number) * GROUP_CODES + (shape.groups[i + 1] as number);
          neighbours[pair] = (neighbours[pair] as number) | (SEPARATOR_BIT[separator] as number);
        });
        if (shape.separators.includes(BLANK) || shape.separators.some(isOpening))
          startsRun[shape.groups[0] as number] = 1;
        const digits = shape.groups.findIndex((group) => group < LETTERS * 32);
        if (digits > 0) {
          followsLetters[shape.groups[digits] as number] = 1;
          separatorOf[shape.separators[digits - 1] as number] = 1;
        }
      }
    }
  }
  return { startsRun, followsLetters, separatorOf, neighbours };
}

/** A pure function from a text to its findings, in order and without overlaps. Linear in the text's length for any text. */
export function createScanner(options: ScannerOptions = {}): (text: string) => Finding[] {
  keepStringMethodsFast();
  const kinds = options.kinds ?? ['email', 'national_id', 'payment_card'];
  const countries =
    options.countries === undefined ? undefined : new Set(options.countries.map((code) => code.toUpperCase()));
  const rules = NATIONAL_ID_RULES.map((rule, target) => ({ rule, target })).filter(
    ({ rule }) => kinds.includes('national_id') && countries?.has(COUNTRY_OF_SCHEME.get(rule.scheme) ?? '') !== false,
  );
  const wantsEmail = kinds.includes('email');
  const table = buildShapeTable(rules, kinds.includes('payment_card'));
  const { startsRun, followsLetters, separatorOf, neighbours } = createShapeSets(table);

  let findings: Finding[] = [];
  let lastEmailEnd = 0;
  let needsDecoding = false;
  /** The end of the last finding. */
  let floor = 0;

  /** Looks at the number that contains the digit at `digit`; gives the place to go on from. */
  function readNumber(text: string, digit: number, decoded: boolean): number {
    const short = shortNumberEnd(text, digit);
    if (short > 0) return short;
    let start = digit;
    while (start > floor && (wordKind(text, start - 1) & (LETTER | UNDERSCORE)) !== 0) start--;
    const left = start > 0 ? text.charCodeAt(start - 1) : BLANK;
    if (!decoded && (left === 37 || left === BACKSLASH || left === 35)) {
      const escapeStart = left === 35 ? start - 2 : start - 1;
      if (escapeStart >= 0 && isEscape(text, escapeStart)) {
        needsDecoding = true;
        return digit;
      }
    }
    // \n, \t and the like in front of a value are no part of it.
    if (left === BACKSLASH && start < digit && 'nrtbfv'.includes(text.charAt(start))) start++;

    let count = 0;
    let at = start;
    let previous = 0;
    let bit = 0;
    for (;;) {
      const groupStart = at;
      let bits = 0;
      let kind = wordKind(text, at);
      do {
        bits |= kind;
        at++;
        kind = at < text.length ? wordKind(text, at) : 0;
      } while (kind !== 0);
      const code =
        (bits & UNDERSCORE) !== 0 ? -1 : groupCode(at - groupStart, (bits & DIGIT) !== 0, (bits & LETTER) !== 0);
      if (
        code < 0 ||
        count >= MOST_GROUPS ||
        (count > 0 && ((neighbours[previous * GROUP_CODES + code] as number) & bit) === 0)
      )
        return chainEndFrom(text, at);
      groupStarts[count] = groupStart;
      groupEnds[count] = at;
      groupCodes[count] = code;
      const separator = at < text.length ? text.charCodeAt(at) : 0;
      const joins = joinsNextGroup(text, at, separator);
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
      const end = spacedIbanEnd(text, start);
      if (end > 0) return end;
    }
    const hasPrefix =
      followsLetters[first] === 1 && separatorOf[left < 128 ? left : 0] === 1 && mayEndPrefix(text, start - 2);
    if (hasPrefix) {
      const end = readWithPrefix(text, start, count);
      if (end > 0) return end;
      // A prefix moved the groups: read them again without it.
      if (groupStarts[0] !== start) restoreGroups(text, start, count);
    }
    if (startsRun[first] === 1 && (isOpening(right) || (right === BLANK && mayContinueRun(text, chainEnd + 1)))) {
      const end = readRun(text, count);
      if (end > 0) return end;
    }
    const shape = findShape(count);
    if (shape !== undefined) judge(text, shape, start, chainEnd, false);
    return chainEnd;
  }

  /** The end of a number that is too short to be anything and joined to nothing: most numbers of a log. 0 when it has to be looked at. */
  function shortNumberEnd(text: string, digit: number): number {
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
      if (startsRun[end - digit] === 0 && followsLetters[end - digit] === 0) return end;
      return mayContinueRun(text, end + 1) ? 0 : end;
    }
    return right < 128 && JOINS[right] === 0 ? end : 0;
  }

  /** Groups again from `start`, which was read before. */
  function restoreGroups(text: string, start: number, count: number): void {
    let at = start;
    for (let i = 0; i < count; i++) {
      groupStarts[i] = at;
      let bits = 0;
      while (at < text.length && wordKind(text, at) !== 0) bits |= wordKind(text, at++);
      groupEnds[i] = at;
      groupCodes[i] = groupCode(at - (groupStarts[i] as number), (bits & DIGIT) !== 0, (bits & LETTER) !== 0);
      separators[i] = i + 1 < count ? text.charCodeAt(at) : 0;
      at++;
    }
  }

  /** Tries the number with the one or two upper-case words before it: `AB 12 34 56 C`. Gives the end of a finding, or 0. */
  function readWithPrefix(text: string, start: number, chainCount: number): number {
    const separator = text.charCodeAt(start - 1);
    let count = chainCount;
    let head = start;
    for (let words = 0; words < 2 && count < MOST_GROUPS; words++) {
      const end = head - 1;
      if (end < 1 || text.charCodeAt(end) !== separator) return 0;
      let from = end;
      while (from > 0 && end - from < 7 && (wordKind(text, from - 1) & LETTER) !== 0) from--;
      if (from === end || end - from > 6 || (from > 0 && wordKind(text, from - 1) !== 0)) return 0;
      // Lower-case words before a number are words, unless they are as short as a prefix.
      if (end - from > 2 && wordKind(text, end - 1) !== UPPER) return 0;
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
      const end2 = readRun(text, count);
      if (end2 > 0) return end2;
    }
    return 0;
  }

  /** Extends the groups over single blanks (and one bracket) and judges the longest shape that fits. Gives the end of a finding, or 0. */
  function readRun(text: string, chainCount: number): number {
    let count = chainCount;
    while (count < MOST_GROUPS) {
      const end = groupEnds[count - 1] as number;
      const separator = end < text.length ? text.charCodeAt(end) : 0;
      const isJoin = separator === BLANK || isOpening(separator) || joinsNextGroup(text, end, separator);
      if (!isJoin) break;
      let at = end + 1;
      let bits = 0;
      while (at < text.length && at - end <= 14) {
        const kind = wordKind(text, at);
        if (kind === 0) break;
        bits |= kind;
        at++;
      }
      const length = at - end - 1;
      if (length === 0 || length > 13 || (bits & UNDERSCORE) !== 0 || (at < text.length && wordKind(text, at) !== 0))
        break;
      if ((bits & DIGIT) === 0 && length > 2) break;
      separators[count - 1] = separator;
      groupStarts[count] = end + 1;
      groupEnds[count] = at;
      groupCodes[count] = groupCode(length, (bits & DIGIT) !== 0, (bits & LETTER) !== 0);
      separators[count] = 0;
      count++;
      if (isOpening(separator)) break;
    }
    for (let groups = count; groups > 1; groups--) {
      const next = groups < count ? (separators[groups - 1] as number) : 0;
      // A shape ends at a blank, not in the middle of `12/25` or `1-2-3`.
      if (next !== 0 && next !== BLANK) continue;
      const shape = findShape(groups);
      if (shape === undefined) continue;
      let end = groupEnds[groups - 1] as number;
      if (joinsNextGroup(text, end, end < text.length ? text.charCodeAt(end) : 0)) continue;
      const opening = shape.separators.at(-1) as number;
      if (isOpening(opening)) {
        if (text.charCodeAt(end) !== (opening === OPEN_BRACKET ? 41 : 93)) continue;
        end++;
      }
      if (endsInCardCode(text, shape)) continue;
      if (judge(text, shape, groupStarts[0] as number, end, true)) return end;
    }
    return 0;
  }

  /** Whether the fifth group is the code beside a card of 16 digits, `4111 1111 1111 1111 123`: cards of 19 digits are rare. */
  function endsInCardCode(text: string, shape: NumberShape): boolean {
    if (shape.card !== 'standard' || shape.length !== 19 || shape.groups.length !== 5) return false;
    readValue(text, groupStarts[0] as number, groupEnds[3] as number);
    return matchCard(value, 16, true)?.needsWord === false;
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

  /** Decides whether a number of a known shape is a finding, and adds it. */
  function judge(text: string, shape: NumberShape, start: number, end: number, spaced: boolean): boolean {
    if (shape.alwaysNeedsWord && !hasKeyWordNear(text, start, end)) return false;
    readValue(text, start, end);
    const { length } = shape;
    const card = shape.card === 'no' ? undefined : matchCard(value, length, shape.groups.length > 1);
    let passing = 0;
    for (let i = 0; i < shape.rules.length; i++) {
      if ((shape.rules[i] as ShapeRule).check(value, length)) passed[passing++] = i;
    }
    if (passing === 0 && card === undefined) return false;
    const surroundings = judgeSurroundings(text, start, end, shape);
    if (surroundings === BROKEN) return false;
    readContext(text, start, end);
    const other = otherThing(text, shape.groups.length === 1 && !shape.hasLetters);
    const hasNeighbour = spaced && hasDigitNeighbour(text, start, end, 1, 9, floor);
    let best: Finding | undefined;
    let bestScore = 0;
    if (card !== undefined) {
      best = judgeCard(text, shape, card, other, start, end, surroundings, spaced);
      if (best !== undefined) bestScore = isNear(CARD_TARGET) ? 30 : 20;
    }
    for (let i = 0; i < passing; i++) {
      const rule = shape.rules[passed[i] as number] as ShapeRule;
      const { target, needsOwnWord, isChecked } = rule;
      const ownWord = isNear(target);
      const own = isOwnKey(target) || (isOwnKey(GENERAL_TARGET) && !needsOwnWord);
      if ((other === 'key' || other === 'word') && !own && !(isChecked && shape.hasLetters)) continue;
      const mustHaveWord =
        rule.needsWord ||
        surroundings === HANGING ||
        (valueHasLower && !rule.anyCase) ||
        hasNeighbour ||
        rule.doubtful?.(value, length) === true;
      let score: number;
      if (ownWord)
        score = 40 + (own ? 5 : 0) + (isChecked ? 1 : 0) - distanceOf(target) / 100 + lengthOf(target) / 10_000;
      else if (!mustHaveWord) score = isChecked ? 22 : 21;
      else if (isGeneralWordNear() && !needsOwnWord && !hasNeighbour) score = 10 + (isChecked ? 1 : 0);
      else continue;
      if (surroundings === HANGING && distanceOf(ownWord ? target : GENERAL_TARGET) > 24) continue;
      if (score <= bestScore) continue;
      bestScore = score;
      best = {
        type: 'national_id',
        start,
        end,
        country: rule.country,
        confidence: confidenceOf(isChecked, ownWord, mustHaveWord),
        rule: mustHaveWord ? 'context' : isChecked ? 'checksum' : 'format',
        scheme: rule.scheme,
      };
    }
    if (best === undefined) return false;
    findings.push(best);
    floor = end;
    return true;
  }

  function judgeCard(
    text: string,
    shape: NumberShape,
    card: CardMatch,
    other: ReturnType<typeof otherThing>,
    start: number,
    end: number,
    surroundings: number,
    spaced: boolean,
  ): Finding | undefined {
    const isBare = shape.groups.length === 1;
    const hasWord = isNear(CARD_TARGET);
    const mustHaveWord =
      card.needsWord ||
      shape.card === 'unusual' ||
      surroundings === HANGING ||
      (spaced && hasDigitNeighbour(text, start, end, 4, 7, floor) && !standsInRowOfCards(text, end));
    if (mustHaveWord && !hasWord) return undefined;
    if (isBare && !isOwnKey(CARD_TARGET)) {
      if (other === 'key' || (other !== 'no' && !hasWord)) return undefined;
    }
    return {
      type: 'payment_card',
      start,
      end,
      confidence: hasWord ? 0.99 : isBare ? 0.9 : 0.95,
      rule: mustHaveWord ? 'context' : 'checksum',
      scheme: card.scheme,
    };
  }

  function scanText(text: string, decoded: boolean): void {
    findings = [];
    lastEmailEnd = 0;
    floor = 0;
    needsDecoding = false;
    beginText();
    let at = 0;
    const { length } = text;
    while (at < length) {
      const kind = (KIND[text.charCodeAt(at)] as number) & (DIGIT | AT | ENCODED);
      if (kind === 0) at++;
      else if (kind === DIGIT) {
        at = readNumber(text, at, decoded);
        if (needsDecoding) return;
      } else if (kind === AT) at = wantsEmail ? readAddress(text, at) : at + 1;
      else if (decoded) at++;
      else {
        needsDecoding = true;
        return;
      }
    }
  }

  /** Looks at the address around the `@` at `at`; gives the place to go on from. */
  function readAddress(text: string, at: number): number {
    const address = findEmailAddress(text, at, lastEmailEnd);
    if (address === undefined) return at + 1;
    // A number inside the local part was taken for a finding of its own.
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
    floor = address.end;
    return address.end;
  }

  return (text) => {
    scanText(text, false);
    if (!needsDecoding) return findings;
    const readable = readableText(text);
    scanText(readable.text, true);
    for (const finding of findings) {
      finding.end = readable.ends[finding.end - 1] as number;
      finding.start = readable.starts[finding.start] as number;
    }
    return findings;
  };
}

/** How sure a national id is: what speaks for it is its check digit, a key word of its own, and a form that needs no word. */
function confidenceOf(isChecked: boolean, ownWord: boolean, mustHaveWord: boolean): number {
  if (ownWord) return isChecked ? 0.99 : 0.9;
  if (mustHaveWord) return isChecked ? 0.85 : 0.6;
  return isChecked ? 0.95 : 0.75;
}

/** Whether the letter at `at` may end the letters of a number, `AB` or `RSSMRA`: lower-case ones are two at most. */
function mayEndPrefix(text: string, at: number): boolean {
  if (at < 0) return false;
  const kind = wordKind(text, at);
  if (kind === UPPER) return true;
  return kind === LOWER && (at < 2 || wordKind(text, at - 1) === 0 || wordKind(text, at - 2) === 0);
}

/** Whether a group of digits, or of letters as short as a check character, begins at `at`. */
function mayContinueRun(text: string, at: number): boolean {
  if (at >= text.length) return false;
  const kind = wordKind(text, at);
  if ((kind & LETTER) === 0) return kind === DIGIT;
  // One or two letters, or a letter before digits.
  const next = at + 1 < text.length ? wordKind(text, at + 1) : 0;
  if ((next & LETTER) === 0) return true;
  const afterNext = at + 2 < text.length ? wordKind(text, at + 2) : 0;
  return (afterNext & LETTER) === 0;
}

/** Whether the character at `at` joins two groups: `-` always, `.` before a digit, `/` and `+` between digits. */
function joinsNextGroup(text: string, at: number, separator: number): boolean {
  if (separator !== HYPHEN && separator !== DOT && separator !== SLASH && separator !== PLUS) return false;
  if (at + 1 >= text.length) return false;
  const next = wordKind(text, at + 1);
  if (separator === HYPHEN) return next !== 0;
  if (separator === DOT) return next === DIGIT || isSingleLetter(text, at + 1, next);
  if (next !== DIGIT && separator === SLASH) return isSingleLetter(text, at + 1, next & UPPER);
  return next === DIGIT && wordKind(text, at - 1) === DIGIT;
}

/** The end of the chain of groups of which one ends at `end`. */
function chainEndFrom(text: string, end: number): number {
  let at = end;
  while (at < text.length && joinsNextGroup(text, at, text.charCodeAt(at))) {
    at++;
    while (at < text.length && wordKind(text, at) !== 0) at++;
  }
  return at;
}

function isOpening(code: number): boolean {
  return code === OPEN_BRACKET || code === OPEN_SQUARE;
}

function isSingleLetter(text: string, at: number, kind: number): boolean {
  return (kind & LETTER) !== 0 && (at + 1 >= text.length || wordKind(text, at + 1) === 0);
}

/** The end of an IBAN in groups of four, `GB29 NWBK 6016 1331 9268 19`, whose groups look like other numbers; 0 when it is none. */
function spacedIbanEnd(text: string, start: number): number {
  if ((wordKind(text, start) & LETTER) === 0 || (wordKind(text, start + 1) & LETTER) === 0) return 0;
  if (wordKind(text, start + 2) !== DIGIT || wordKind(text, start + 3) !== DIGIT) return 0;
  let at = start + 4;
  let length = 4;
  while (length < 34 && at < text.length && text.charCodeAt(at) === BLANK) {
    let end = at + 1;
    while (end < text.length && end - at <= 5 && (wordKind(text, end) & (DIGIT | UPPER)) !== 0) end++;
    const group = end - at - 1;
    if (group === 0 || group > 4) break;
    length += group;
    at = end;
    if (group < 4) break;
  }
  return length >= 15 ? at : 0;
}

/** What the characters next to a number make of it. */
function judgeSurroundings(text: string, start: number, end: number, shape: NumberShape): number {
  let verdict = CLEAN;
  if (start > 0) {
    const left = text.charCodeAt(start - 1);
    const before = start > 1 ? text.charCodeAt(start - 2) : BLANK;
    const beforeKind = (KIND[before] as number) & WORD;
    if (left === 36 || left === 64 || left === 0x20ac || left === 0xa3 || left === 0xa5) return BROKEN;
    if (left === PLUS && beforeKind === 0 && !shape.hasLetters) return BROKEN;
    if (left === DOT) {
      if (beforeKind === DIGIT || (beforeKind === 0 && !shape.hasLetters && before !== DOT)) return BROKEN;
      if (beforeKind !== 0) verdict = HANGING;
    } else if (left === HYPHEN) {
      if (beforeKind !== 0) verdict = HANGING;
      else if (shape.groups.length === 1 && !shape.hasLetters) verdict = HANGING;
    } else if (left === SLASH && shape.separators.includes(SLASH)) return BROKEN;
    else if (left === SLASH && shape.groups.length === 1) verdict = HANGING;
    else if (left < 128 && ((KIND[left] as number) & WORD) !== 0 && before !== BACKSLASH) {
      // Only an escape (`\n123`) may touch a number.
      return BROKEN;
    }
  }
  if (end < text.length) {
    const right = text.charCodeAt(end);
    const after = end + 1 < text.length ? text.charCodeAt(end + 1) : BLANK;
    const afterKind = (KIND[after] as number) & WORD;
    if (right === 37 && !shape.hasLetters) return BROKEN;
    if (right === DOT && (afterKind & LOWER) !== 0) verdict = HANGING;
    else if (right === SLASH && shape.separators.includes(SLASH)) return BROKEN;
    else if (right === SLASH && afterKind !== 0 && shape.groups.length === 1) verdict = HANGING;
    else if (right === HYPHEN && afterKind !== 0) verdict = HANGING;
    // Masked on, unless the stars stand on both sides: *emphasis*.
    else if ((right === 42 && text.charCodeAt(start - 1) !== 42) || (right === HYPHEN && after === 42)) return BROKEN;
    else if (right < 128 && ((KIND[right] as number) & WORD) !== 0) return BROKEN;
  }
  return verdict;
}

/** Whether the groups of four that follow text[…end) are whole cards themselves: one card after the other. */
function standsInRowOfCards(text: string, end: number): boolean {
  let groups = 0;
  let at = end;
  while (at + 4 < text.length && text.charCodeAt(at) === BLANK && groups < 9) {
    for (let i = 1; i < 5; i++) if (wordKind(text, at + i) !== DIGIT) return groups > 0 && groups % 4 === 0;
    if (at + 5 < text.length && wordKind(text, at + 5) !== 0) break;
    at += 5;
    groups++;
  }
  return groups > 0 && groups % 4 === 0;
}

/** The digits of a group beside a number; four letters and digits count as well, those of a hex dump. 0 for words. */
function neighbourDigits(text: string, start: number, end: number): number {
  const length = end - start;
  let digits = 0;
  for (let i = start; i < end; i++) if (wordKind(text, i) === DIGIT) digits++;
  return digits === length || (length === 4 && digits > 0) ? length : 0;
}

/** Whether a group of `shortest` to `longest` digits stands one blank before or after text[start, end); a finding that ends at `floor` is none. */
function hasDigitNeighbour(
  text: string,
  start: number,
  end: number,
  shortest: number,
  longest: number,
  floor: number,
): boolean {
  if (start > floor + 1 && text.charCodeAt(start - 1) === BLANK) {
    let at = start - 1;
    while (at > 0 && start - at < 10 && wordKind(text, at - 1) !== 0) at--;
    const digits = neighbourDigits(text, at, start - 1);
    // A plus is the beginning of a telephone number.
    const isWhole = at === 0 || text.charCodeAt(at - 1) === BLANK || text.charCodeAt(at - 1) === PLUS;
    if (isWhole && digits >= shortest && digits <= longest) return true;
  }
  if (end + 1 < text.length && text.charCodeAt(end) === BLANK) {
    let at = end + 1;
    while (at < text.length && at - end < 10 && wordKind(text, at) !== 0) at++;
    const digits = neighbourDigits(text, end + 1, at);
    const isWhole =
      at >= text.length ||
      (wordKind(text, at) === 0 && !joinsNextGroup(text, at, text.charCodeAt(at)) && text.charCodeAt(at) !== 58);
    if (isWhole && digits >= shortest && digits <= longest) return true;
  }
  return false;
}

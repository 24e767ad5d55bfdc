import { characters } from './characters.ts';
import { isYearMonthDay, numberAt } from './checks.ts';
import type { Finding } from './finding.ts';
import {
  CARD_TARGET,
  FIRST_AMBIGUOUS_TARGET,
  GENERAL_TARGET,
  hashWords,
  TARGETS,
  type TextKeyword,
} from './keyword-index.ts';
import { COUNTRIES } from './national-ids.ts';
import { findNonPersonalLabel, type NonPersonalLabel } from './non-personal-label.ts';
import { keywordsNear, NumberContext } from './number-context.ts';
import type { ShapeRule } from './number-shapes.ts';
import {
  CLEAR,
  classifySurroundings,
  EMBEDDED,
  hasDigitNeighbour,
  IN_PATH,
  isInDigitColumns,
} from './number-surroundings.ts';
import { type CardMatch, matchCard } from './payment-card.ts';
import { type Candidate, hasOneGroup, type ScannedText } from './scanned-text.ts';

const { CLASSES, DIGIT, LETTER, LOWER, UPPER } = characters;

/** The hashes of the words that name a country: its names, cities and authorities. */
const WORDS_BY_COUNTRY = new Map(
  COUNTRIES.map(({ code, adjectives, words }) => [code, hashWords([...adjectives, words].join(' '))]),
);

/** Whether a word of the text names the country: `SUNAT`, `Perú`. */
function namesCountry({ wordHashes }: ScannedText, country: string): boolean {
  for (const hash of WORDS_BY_COUNTRY.get(country) ?? []) if (wordHashes.has(hash)) return true;
  return false;
}

/**
 * The scores of the schemes that a number can belong to. The highest score names the finding; the
 * earlier scheme wins a tie. A keyword of the scheme outweighs a form that needs no keyword, and
 * this outweighs a general keyword.
 */
const SCORES = { ownKeyword: 40, cardWithKeyword: 30, freeForm: 21, cardWithoutKeyword: 20, generalKeyword: 10 };
const CHECK_DIGIT_BONUS = 1;
/** Added if the keyword is in the number's direct key. */
const OWN_KEY_BONUS = 5;
/** Added if a word of the text names the country. It outweighs a longer label, not the direct key. */
const COUNTRY_BONUS = 4;
/** A keyword of this distance in characters is worth one point less. */
const DISTANCE_PER_POINT = 100;
/** A keyword of this length is worth one point more: `cédula de ciudadanía` outweighs `cédula`. */
const LENGTH_PER_POINT = 9;

/**
 * The confidence in a national id, by the evidence for its scheme, with and without check digits.
 */
const CONFIDENCE = {
  ownKeyword: { checked: 0.99, unchecked: 0.9 },
  freeForm: { checked: 0.95, unchecked: 0.75 },
  generalKeyword: { checked: 0.85, unchecked: 0.6 },
} as const;
const CARD_CONFIDENCE = { keyword: 0.99, grouped: 0.95, bare: 0.9 } as const;

/** A number that is attached to other text needs a keyword within this distance. */
const MAX_DISTANCE_IF_ATTACHED = 24;
/** From this length on, letters and check digits are enough in a path. */
const MIN_LENGTH_IN_PATH = 11;
/** The length of a date without separators, and how far a keyword of such a number is at most. */
const DATE_LENGTH = 8;
const MAX_DISTANCE_OF_DATE = 12;
/** Shorter digits in groups are often an amount: `cc 1.234.567`. */
const MIN_GROUPED_LENGTH = 8;
/** So many checks take less time than reading the words of a text. */
const MAX_RULES_CHECKED_FIRST = 8;
/** Longer than any shape. */
const MAX_VALUE_LENGTH = 40;
interface ScoredFinding {
  readonly finding: Finding;
  readonly score: number;
}

/** A number that passes a check, and what is next to it. */
class Evidence {
  readonly number: Candidate;
  readonly context: NumberContext;
  readonly surroundings: number;
  #label: NonPersonalLabel | undefined;

  constructor(number: Candidate, keywords: readonly TextKeyword[], surroundings: number) {
    this.number = number;
    this.context = new NumberContext(number, keywords);
    this.surroundings = surroundings;
  }

  /** A keyword in the number's direct key outweighs it. */
  get label(): NonPersonalLabel {
    this.#label ??= findNonPersonalLabel(this.number, this.context);
    return this.#label;
  }
}

const NO_RULES: readonly ShapeRule[] = [];

/**
 * Decides whether a number of a known shape is personal data: by its check digits, the characters
 * next to it, and the words around it.
 */
export class NumberEvaluator {
  /** The current number without separators: 0 to 9 for digits, 10 to 35 for letters. */
  readonly #value = new Uint8Array(MAX_VALUE_LENGTH);
  #hasLower = false;
  /** The count of the numbers that have been compared with keywords. */
  #count = 0;
  /** By target: the count when a keyword of it was last near a number. */
  readonly #lastNear = new Float64Array(TARGETS);

  evaluate(number: Candidate): Finding | undefined {
    const { scanned, shape } = number;
    this.#readValue(number);
    const card = shape.card === 'none' ? undefined : matchCard(this.#value, shape.length, !hasOneGroup(number));
    const areCheckedFirst = shape.rules.length <= MAX_RULES_CHECKED_FIRST && !scanned.hasReadKeywords;
    let rules = areCheckedFirst ? this.#findPassing(shape.rules, shape.length) : shape.rules;
    if (rules.length === 0 && card === undefined) return undefined;
    const keywords = keywordsNear(number);
    rules = this.#findSupported(rules, number, keywords);
    if (!areCheckedFirst) rules = this.#findPassing(rules, shape.length);
    if (rules.length === 0 && card === undefined) return undefined;
    const surroundings = classifySurroundings(number);
    if (surroundings === EMBEDDED) return undefined;
    const evidence = new Evidence(number, keywords, surroundings);
    let best = card === undefined ? undefined : evaluateCard(evidence, card);
    for (const rule of rules) {
      const match = this.#evaluateRule(evidence, rule);
      if (match !== undefined && (best === undefined || isBetter(number.scanned, match, best))) best = match;
    }
    return best?.finding;
  }

  /** Track data is evidence for its card number, so the number needs no keyword. */
  evaluateTrack(card: string, start: number, end: number): Finding | undefined {
    const scheme = matchCard(Uint8Array.from(card, Number), card.length, false)?.scheme;
    if (scheme === undefined) return undefined;
    return { type: 'payment_card', start, end, confidence: CARD_CONFIDENCE.keyword, rule: 'checksum', scheme };
  }

  /** Reads the number without separators. */
  #readValue({ scanned: { units }, start, end }: Candidate): void {
    const value = this.#value;
    let length = 0;
    let classes = 0;
    for (let at = start; at < end; at++) {
      const code = units[at] as number;
      const kind = (CLASSES[code] as number) & (DIGIT | LETTER);
      if (kind === 0) continue;
      value[length++] = code - (kind === DIGIT ? 48 : kind === UPPER ? 55 : 87);
      classes |= kind;
    }
    this.#hasLower = (classes & LOWER) !== 0;
  }

  /** The rules whose check the current number passes. */
  #findPassing(rules: readonly ShapeRule[], length: number): readonly ShapeRule[] {
    let passing: ShapeRule[] | undefined;
    for (const rule of rules) if (rule.check(this.#value, length)) (passing ??= []).push(rule);
    return passing ?? NO_RULES;
  }

  /** The rules that need no keyword, or that have one near the number which can be evidence. */
  #findSupported(
    rules: readonly ShapeRule[],
    { shape, attached }: Candidate,
    keywords: readonly TextKeyword[],
  ): readonly ShapeRule[] {
    if (attached !== undefined) return rules;
    if (keywords.length === 0 && shape.rulesNeedKeyword) return NO_RULES;
    const count = ++this.#count;
    const lastNear = this.#lastNear;
    for (const { targets } of keywords) for (const target of targets) lastNear[target] = count;
    if (lastNear[GENERAL_TARGET] === count) return rules;
    let supported: ShapeRule[] | undefined;
    for (const rule of rules) {
      const isNear = lastNear[rule.target] === count || lastNear[FIRST_AMBIGUOUS_TARGET + rule.target] === count;
      if (isNear || !rule.needsKeyword) (supported ??= []).push(rule);
    }
    return supported ?? NO_RULES;
  }

  /** Whether the current number of eight digits can be a date of birth: `19830622`. */
  #isDate({ shape }: Candidate): boolean {
    if (shape.length !== DATE_LENGTH || shape.groups.length > 1) return false;
    const year = numberAt(this.#value, 0, 4);
    return year >= 1900 && year < 2036 && isYearMonthDay(this.#value, 2);
  }

  #evaluateRule(evidence: Evidence, rule: ShapeRule): ScoredFinding | undefined {
    const { number, context, surroundings } = evidence;
    const { shape } = number;
    const { id, target } = rule;
    const isUnchecked = id.isUnchecked?.(this.#value, shape.length) === true;
    const isChecked = id.evidence !== 'format' && !isUnchecked;
    const needsOwnKeyword = rule.needsOwnKeyword || isUnchecked;
    const ambiguous = context.ambiguousKeywordOf(target);
    const isAmbiguousEnough =
      !needsOwnKeyword || (!isUnchecked && shape.groups.length > 1 && shape.length >= MIN_GROUPED_LENGTH);
    const keyword = context.keywordOf(target) ?? (isAmbiguousEnough ? ambiguous : undefined);
    const general = context.keywordOf(GENERAL_TARGET);
    const distance = (keyword ?? general)?.distance ?? Infinity;
    const isInDirectKey = keyword?.isInDirectKey === true || general?.isInDirectKey === true;
    const hasCheckedLetters = isChecked && shape.hasLetters;
    const isDistinct = hasCheckedLetters && shape.length >= MIN_LENGTH_IN_PATH;
    if (!isInDirectKey && evidence.label !== 'none') {
      const outweighsWord =
        (hasCheckedLetters && id.isWeak !== true && (isDistinct || !hasOneGroup(number))) ||
        (isChecked && !rule.needsKeyword && !shape.separators.includes(' ') && shape.groups.length > 3);
      if (evidence.label === 'key' || (evidence.label === 'word' && !outweighsWord)) return undefined;
    }
    const isAttached = isDistinct ? surroundings > IN_PATH : surroundings > CLEAR;
    if (isAttached && distance > MAX_DISTANCE_IF_ATTACHED) return undefined;
    if (!isInDirectKey && distance > MAX_DISTANCE_OF_DATE && this.#isDate(number)) return undefined;
    const hasNeighbour = shape.separators.includes(' ') && hasDigitNeighbour(number, 1, 9);
    const needsKeyword =
      rule.needsKeyword ||
      isAttached ||
      hasNeighbour ||
      (this.#hasLower && id.anyCase !== true) ||
      id.isAmbiguous?.(this.#value, shape.length) === true;
    let kind: keyof typeof CONFIDENCE;
    let score = isChecked ? CHECK_DIGIT_BONUS : 0;
    if (keyword !== undefined) {
      kind = 'ownKeyword';
      score +=
        (isInDirectKey ? OWN_KEY_BONUS : 0) + keyword.length / LENGTH_PER_POINT - keyword.distance / DISTANCE_PER_POINT;
    } else if (!needsKeyword) {
      kind = 'freeForm';
    } else if (context.isGeneralKeywordNearest && !hasNeighbour && !needsOwnKeyword) kind = 'generalKeyword';
    else return undefined;
    const { country, scheme } = id;
    const confidence = isChecked ? CONFIDENCE[kind].checked : CONFIDENCE[kind].unchecked;
    const reason = needsKeyword ? 'context' : isChecked ? 'checksum' : 'format';
    const { start, end } = number;
    return {
      finding: { type: 'national_id', start, end, country, confidence, rule: reason, scheme },
      score: SCORES[kind] + score,
    };
  }
}

/**
 * Whether the match has the higher score. If two countries share the label of the number, a word of
 * one of them anywhere in the text decides: `SUNAT: DNI 41…`.
 */
function isBetter(scanned: ScannedText, match: ScoredFinding, best: ScoredFinding): boolean {
  const lead = match.score - best.score;
  const [country, other] = [match.finding.country, best.finding.country];
  if (Math.abs(lead) > COUNTRY_BONUS || country === undefined || other === undefined) return lead > 0;
  const bonus = COUNTRY_BONUS * (Number(namesCountry(scanned, country)) - Number(namesCountry(scanned, other)));
  return lead + bonus > 0;
}

function evaluateCard(evidence: Evidence, card: CardMatch): ScoredFinding | undefined {
  const { number, context, surroundings } = evidence;
  const { shape, start, end } = number;
  const isBare = hasOneGroup(number);
  const keyword = context.keywordOf(CARD_TARGET);
  const hasKeyword = keyword !== undefined;
  const needsKeyword =
    card.needsKeyword || shape.card === 'unusual' || surroundings !== CLEAR || isInDigitColumns(number);
  if (needsKeyword && !hasKeyword) return undefined;
  if (keyword?.isInDirectKey !== true && evidence.label === 'key') return undefined;
  if (isBare && !hasKeyword && evidence.label !== 'none') return undefined;
  const confidence = hasKeyword ? CARD_CONFIDENCE.keyword : isBare ? CARD_CONFIDENCE.bare : CARD_CONFIDENCE.grouped;
  const rule = needsKeyword ? 'context' : 'checksum';
  return {
    finding: { type: 'payment_card', start, end, confidence, rule, scheme: card.scheme },
    score: hasKeyword ? SCORES.cardWithKeyword : SCORES.cardWithoutKeyword,
  };
}

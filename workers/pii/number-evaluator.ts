import { isYearMonthDay, numberAt } from '../../shared/pii/checksums.ts';
import { type Candidate, hasOneGroup, isBareDigits, isDigitsAndCheck } from './candidate.ts';
import { hasCardFields } from './card-fields.ts';
import { characterClasses } from './character-classes.ts';
import { codes } from './character-codes.ts';
import { beginsCell, findColumn } from './column-header.ts';
import { isInDigitColumns } from './digit-columns.ts';
import { findFarLabel } from './far-label.ts';
import type { Finding } from './finding.ts';
import { findCertificateKeyword, findHl7Keyword } from './glued-keyword.ts';
import { CARD_TARGET, FIRST_AMBIGUOUS_TARGET, GENERAL_TARGET } from './keyword-index.ts';
import { findNonPersonalLabel, type NonPersonalLabel } from './non-personal-label.ts';
import { NumberContext } from './number-context.ts';
import type { NumberShape, ShapeRule } from './number-shapes.ts';
import {
  ATTACHED,
  CLEAR,
  classifySurroundings,
  EMBEDDED,
  hasDigitNeighbour,
  IN_PATH,
  isFileName,
} from './number-surroundings.ts';
import { type CardMatch, matchCard } from './payment-card.ts';
import type { ScannedText } from './scanned-text.ts';
import { TextCountries } from './text-countries.ts';
import { MAX_DISTANCE_BEFORE, MAX_TYPE_DISTANCE, type TextKeyword, type TextKeywords } from './text-keywords.ts';
import type { Track } from './track-data.ts';
import { hasUnknownLabel } from './unknown-label.ts';
import { ValueList } from './value-list.ts';

const { codeAt, CLASSES, DIGIT, LOWER, UPPER, unitAt } = characterClasses;
const { BLANK, COLON, COMMA, DIGIT_0, LOWER_A, UPPER_A } = codes;

const FIRST_DIGIT_OF_CARDS = DIGIT_0 + 4;

/**
 * The scores of the schemes that a number can belong to. The highest score names the finding; the
 * earlier scheme wins a tie. A keyword of the scheme outweighs a form that needs no keyword, and
 * this outweighs a general keyword.
 */
const SCORES = { ownKeyword: 40, cardWithKeyword: 30, freeForm: 21, cardWithoutKeyword: 20, generalKeyword: 10 };
/** Added for a check digit. */
const CHECK_DIGIT_BONUS = 1;
/** Added if the keyword is in the number's own key. */
const OWN_KEY_BONUS = 5;
/** Added if a word of the text names the country. It outweighs a longer label, not the own key. */
const COUNTRY_BONUS = 4;
/** A keyword of this distance in characters is worth one point less. */
const DISTANCE_PER_POINT = 100;
/**
 * A keyword of this length is worth one point more, so that `cédula de ciudadanía` outweighs
 * `cédula` with a check digit.
 */
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

/** So many checks take less time than reading the words of a text. */
const MAX_RULES_CHECKED_FIRST = 8;
/** A number that is attached to other text needs a keyword within this distance. */
const MAX_DISTANCE_IF_ATTACHED = 24;
/** From this length on, letters and check digits are enough in a path. */
const MIN_LENGTH_IN_PATH = 11;
/** The length of a date without separators, and how far a keyword of such a number is at most. */
const DATE_LENGTH = 8;
const MAX_DISTANCE_OF_DATE = 12;
/** Digits without a check digit that name a file need a keyword within this distance. */
const MAX_DISTANCE_OF_FILE_NAME = 2;
const CARD_GROUP_LENGTH = 4;
/** The word `ids` with a blank, a quote and the character before it. */
const MAX_ID_WORD_LENGTH = 6;
/** The minimum and maximum length of the usual card numbers. */
const USUAL_CARD_LENGTH = { min: 14, max: 16 };
/** Shorter digits in groups are often an amount: `cc 1.234.567`. */
const MIN_GROUPED_LENGTH = 8;
/** Longer than any shape. */
const MAX_VALUE_LENGTH = 40;
/**
 * The lengths of a group of digits that can be a part of the same value as the number next to it.
 */
const NATIONAL_ID_NEIGHBOUR = { min: 1, max: 9 };

/** A number that passes a check, and what is next to it. */
interface Evidence {
  readonly number: Candidate;
  readonly context: NumberContext;
  /** Undefined until it is needed. A keyword in the number's own key outweighs it. */
  label: NonPersonalLabel | undefined;
  /** `CLEAR`, or `IN_PATH` or `ATTACHED` if the number can be a part of other text. */
  readonly surroundings: number;
}

interface ScoredFinding {
  readonly finding: Finding;
  readonly score: number;
  /** The target of a scheme with check digits; otherwise -1. */
  readonly listTarget: number;
}

const NO_RULES: readonly ShapeRule[] = [];

/**
 * Decides whether a number of a known shape is personal data: by its check digits, the characters
 * next to it, and the words around it.
 */
export class NumberEvaluator {
  readonly #keywords: TextKeywords;
  readonly #countries = new TextCountries();
  readonly #list = new ValueList();
  /** The current number without separators: 0 to 9 for digits, 10 to 35 for letters. */
  readonly #value = new Uint8Array(MAX_VALUE_LENGTH);
  #hasLower = false;
  /** For each target, the last number that has a keyword of it near. */
  readonly #nearTargets = new Float64Array(2 * FIRST_AMBIGUOUS_TARGET);
  /** The current number, counted from the first text, and the last one whose targets were read. */
  #numberIndex = 0;
  #targetsIndex = 0;

  constructor(keywords: TextKeywords) {
    this.#keywords = keywords;
  }

  evaluate(candidate: Candidate): Finding | undefined {
    const number = this.#withFarKeyword(candidate);
    const { text, shape, start, end } = number;
    const keywords = this.#keywords;
    const isCheckedFirst = !keywords.isRead && shape.rules.length <= MAX_RULES_CHECKED_FIRST;
    const alwaysNeedsKeyword = shape.alwaysNeedsKeyword && number.gluedKeyword === undefined;
    let card = alwaysNeedsKeyword && canHaveFields(number) ? this.#matchCard(number) : undefined;
    const needsKeyword = alwaysNeedsKeyword && card === undefined;
    if (needsKeyword && !isCheckedFirst && !keywords.isNear(text, start, end)) return undefined;
    card ??= this.#matchCard(number);
    const rules = this.#findPassingRules(number, isCheckedFirst);
    if (rules.length === 0 && (card === undefined || (needsKeyword && !keywords.isNear(text, start, end))))
      return undefined;
    const surroundings = classifySurroundings(number);
    if (surroundings === EMBEDDED) return undefined;
    const context = new NumberContext(number, keywords);
    const evidence: Evidence = { number, context, label: undefined, surroundings };
    let best = card === undefined ? undefined : evaluateCard(evidence, card);
    for (const rule of rules) {
      const match = this.#evaluateRule(evidence, rule);
      if (match !== undefined) best = best === undefined ? match : this.#findBetter(text, best, match);
    }
    if (best !== undefined) this.#list.remember(number, best.finding, best.listTarget);
    return best?.finding;
  }

  /** The number with a keyword or the name of a column that can be far before it. */
  #withFarKeyword(number: Candidate): Candidate {
    const { text, start, gluedKeyword } = number;
    if (gluedKeyword !== undefined || isAfterWord(text, start)) return number;
    const label = (beginsCell(number) ? findColumn(number) : undefined) ?? findFarLabel(number);
    const keyword =
      label === undefined
        ? (this.#list.keywordOf(number) ?? findCertificateKeyword(number) ?? findHl7Keyword(number))
        : this.#keywords.findWithin(text, label);
    if (keyword !== undefined) return { ...number, gluedKeyword: keyword };
    return label === undefined ? number : { ...number, column: label };
  }

  /**
   * The match with the higher score, or `first`. If two countries share the label of the number, a
   * word of one of them anywhere in the text decides: `SUNAT: DNI 41…`.
   */
  #findBetter(text: ScannedText, first: ScoredFinding, second: ScoredFinding): ScoredFinding {
    let lead = first.score - second.score;
    const canDecide = first.finding.country !== second.finding.country && Math.abs(lead) <= COUNTRY_BONUS;
    if (canDecide) lead += this.#countryBonus(text, first) - this.#countryBonus(text, second);
    return lead < 0 ? second : first;
  }

  #countryBonus(text: ScannedText, { finding: { country } }: ScoredFinding): number {
    return country !== undefined && this.#countries.in(text).has(country) ? COUNTRY_BONUS : 0;
  }

  /** Track data is evidence for its card number, so the number needs no keyword. */
  evaluateTrack(text: ScannedText, { start, end, cardStart, cardEnd }: Track): Finding | undefined {
    this.#readValue(text, cardStart, cardEnd);
    const card = matchCard(this.#value, cardEnd - cardStart, false);
    if (card === undefined) return undefined;
    const { scheme } = card;
    return { type: 'payment_card', start, end, confidence: CARD_CONFIDENCE.keyword, rule: 'checksum', scheme };
  }

  /** Reads the number, and finds the brand of its card. */
  #matchCard(number: Candidate): CardMatch | undefined {
    const { text, shape, start, end } = number;
    this.#readValue(text, start, end);
    return shape.card === 'none' ? undefined : matchCard(this.#value, shape.length, !hasOneGroup(number));
  }

  /** Reads text[start, end) without separators. */
  #readValue(text: ScannedText, start: number, end: number): void {
    const value = this.#value;
    let length = 0;
    let hasLower = false;
    for (let at = start; at < end; at++) {
      const code = unitAt(text, at);
      const kind = CLASSES[code] as number;
      if (kind === DIGIT) value[length++] = code - DIGIT_0;
      else if (kind === UPPER) value[length++] = code - UPPER_A + 10;
      else if (kind === LOWER) {
        value[length++] = code - LOWER_A + 10;
        hasLower = true;
      }
    }
    this.#hasLower = hasLower;
  }

  /** Whether the current number of eight digits can be a date of birth: `19830622`. */
  #isDate(): boolean {
    const value = this.#value;
    const year = numberAt(value, 0, 4);
    return year >= 1900 && year < 2036 && isYearMonthDay(value, 2);
  }

  /**
   * The rules of the shape that the current number passes, and that need no keyword or have one
   * near that can be their evidence. This takes less time than the context of the number, and
   * rejects many.
   */
  #findPassingRules(number: Candidate, isCheckedFirst: boolean): readonly ShapeRule[] {
    const { rules, length } = number.shape;
    const value = this.#value;
    let passing: ShapeRule[] | undefined;
    this.#numberIndex++;
    for (const rule of rules) {
      if (!isCheckedFirst && !this.#canHaveEvidence(number, rule)) continue;
      if (!rule.check(value, length)) continue;
      if (!isCheckedFirst || this.#canHaveEvidence(number, rule)) (passing ??= []).push(rule);
    }
    return passing ?? NO_RULES;
  }

  /** Whether the rule needs no keyword, or one that can be its evidence is near the number. */
  #canHaveEvidence(number: Candidate, { needsKeyword, target }: ShapeRule): boolean {
    if (!needsKeyword || number.gluedKeyword !== undefined) return true;
    const near = this.#nearTargets;
    const index = this.#numberIndex;
    if (this.#targetsIndex !== index) this.#readNearTargets(number);
    return near[GENERAL_TARGET] === index || near[target] === index || near[FIRST_AMBIGUOUS_TARGET + target] === index;
  }

  /** Marks the targets of the keywords near the number. */
  #readNearTargets({ text, start, end }: Candidate): void {
    const near = this.#nearTargets;
    const index = this.#numberIndex;
    this.#targetsIndex = index;
    if (!this.#keywords.isNear(text, start, end)) return;
    const { all, first } = this.#keywords;
    for (let i = first; i < all.length && (all[i] as TextKeyword).start <= end + MAX_TYPE_DISTANCE; i++) {
      const keyword = all[i] as TextKeyword;
      if (keyword.end < start - MAX_DISTANCE_BEFORE) continue;
      for (const target of keyword.targets) near[target] = index;
    }
  }

  /** Whether the label of a number that needs no keyword can name something else. */
  #isLabelledOtherwise(number: Candidate, context: NumberContext, rule: ShapeRule): boolean {
    if (context.isGeneralKeywordNearest) return false;
    if (isGroupedLikeCard(number.shape)) return context.keywordOf(CARD_TARGET) !== undefined;
    if (context.hasKeywordInOwnKey) return false;
    return (rule.isWeak || isDigitsAndCheck(number)) && hasUnknownLabel(number, context.ownKey);
  }

  /**
   * The ambiguous label of the rule directly before the number. Without a check digit, the number
   * has to be in groups, or the text names the country.
   */
  #ambiguousKeywordOf({ text, shape }: Candidate, context: NumberContext, rule: ShapeRule, isUnchecked: boolean) {
    const keyword = context.ambiguousKeywordOf(rule.target);
    if (keyword === undefined || !(rule.needsOwnKeyword || isUnchecked)) return keyword;
    const isGrouped = shape.groups.length > 1 && shape.length >= MIN_GROUPED_LENGTH && !isUnchecked;
    return isGrouped || this.#countries.in(text).has(rule.country) ? keyword : undefined;
  }

  #evaluateRule(evidence: Evidence, rule: ShapeRule): ScoredFinding | undefined {
    const { number, context, surroundings } = evidence;
    const { shape, start, end } = number;
    const { target } = rule;
    const isUnchecked = rule.isUnchecked?.(this.#value, shape.length) === true;
    const isChecked = rule.isChecked && !isUnchecked;
    const needsOwnKeyword = rule.needsOwnKeyword || isUnchecked;
    const ambiguous = this.#ambiguousKeywordOf(number, context, rule, isUnchecked);
    const keyword = context.keywordOf(target) ?? ambiguous;
    const general = context.keywordOf(GENERAL_TARGET);
    const isInOwnKey =
      keyword?.isInOwnKey === true ||
      general?.isInOwnKey === true ||
      (keyword !== undefined && hasKey(number, context, rule.keysBesideLabel));
    const hasCheckedLetters = isChecked && shape.hasLetters;
    const outweighsWord =
      (hasCheckedLetters && !rule.isWeak && (shape.length >= MIN_LENGTH_IN_PATH || !hasOneGroup(number))) ||
      (isChecked && !rule.needsKeyword && !shape.hasBlanks && shape.groups.length > 3);
    if (!isInOwnKey) {
      const label = labelOf(evidence);
      if (label === 'key' || (label === 'word' && !outweighsWord)) return undefined;
    }
    const { keyCountry } = context;
    if (keyCountry !== undefined && keyCountry !== rule.country) return undefined;
    const isAttached =
      surroundings === ATTACHED ||
      (surroundings === IN_PATH && !(hasCheckedLetters && shape.length >= MIN_LENGTH_IN_PATH));
    if (isAttached && ((keyword ?? general)?.distance ?? Infinity) > MAX_DISTANCE_IF_ATTACHED) return undefined;
    const reach = isChecked && keyword !== undefined ? MAX_DISTANCE_IF_ATTACHED : MAX_DISTANCE_OF_FILE_NAME;
    if (isAttached && ((keyword ?? general)?.distance ?? Infinity) > reach && isReference(number)) return undefined;
    const isNamed = keyword !== undefined && (isChecked || keyword.distance <= MAX_DISTANCE_OF_FILE_NAME);
    if (!isInOwnKey && !isNamed && isBareDigits(number) && isFileName(number)) return undefined;
    const hasNeighbour = shape.hasBlanks && hasDigitNeighbour(number, NATIONAL_ID_NEIGHBOUR);
    const needsKeyword =
      rule.needsKeyword ||
      isAttached ||
      hasNeighbour ||
      (this.#hasLower && !rule.anyCase) ||
      rule.isAmbiguous?.(this.#value, shape.length) === true;
    if (!isInOwnKey && shape.length === DATE_LENGTH && hasOneGroup(number) && this.#isDate()) {
      if (((keyword ?? general)?.distance ?? Infinity) > MAX_DISTANCE_OF_DATE) return undefined;
    }
    let kind: keyof typeof CONFIDENCE;
    let score = isChecked ? CHECK_DIGIT_BONUS : 0;
    if (keyword !== undefined) {
      kind = 'ownKeyword';
      if (isInOwnKey) score += OWN_KEY_BONUS;
      score += keyword.length / LENGTH_PER_POINT - keyword.distance / DISTANCE_PER_POINT;
    } else if (!needsKeyword) {
      if (this.#isLabelledOtherwise(number, context, rule)) return undefined;
      kind = 'freeForm';
    } else if (
      context.isGeneralKeywordNearest &&
      !hasNeighbour &&
      (!needsOwnKeyword || this.#countries.inFields(number.text).has(rule.country))
    )
      kind = 'generalKeyword';
    else return undefined;
    // The label of another scheme names the number whose check digit is wrong.
    const canBeOfOtherScheme = kind === 'generalKeyword' || (kind === 'freeForm' && context.hasKeyword);
    if ((!isChecked || canBeOfOtherScheme) && saysCheckFailed(number)) return undefined;
    const finding: Finding = {
      type: 'national_id',
      start,
      end,
      country: rule.country,
      confidence: isChecked ? CONFIDENCE[kind].checked : CONFIDENCE[kind].unchecked,
      rule: needsKeyword ? 'context' : isChecked ? 'checksum' : 'format',
      scheme: rule.scheme,
    };
    return { finding, score: SCORES[kind] + score, listTarget: rule.isChecked ? target : -1 };
  }
}

/** Whether only a blank parts the number from text that is neither a list nor a key. */
function isAfterWord(text: ScannedText, start: number): boolean {
  if (codeAt(text, start - 1) !== BLANK) return false;
  const before = codeAt(text, start - 2);
  return before !== COMMA && before !== COLON;
}

/** Whether letters and a hyphen precede bare digits, as in a reference: `CNI-31168597`. */
function isReference(number: Candidate): boolean {
  const { text, start } = number;
  return isBareDigits(number) && /[A-Za-z]{3}-$/u.test(text.slice(Math.max(0, start - 4), start));
}

/** Whether the number's own key is one of the keys. */
function hasKey({ text }: Candidate, { ownKey }: NumberContext, keys: readonly string[] | undefined): boolean {
  return (
    keys !== undefined && ownKey !== undefined && keys.includes(text.slice(ownKey.start, ownKey.end).toLowerCase())
  );
}

/** The message of a program about a number whose check digit is wrong. */
const FAILED_CHECK =
  /(?:bad|invalid|wrong|fail\w*|incorrect|mismatch|rejected|error)\W{1,6}(?:\w+\W{1,3})?check[\s_-]?(?:sum|digit)|check[\s_-]?(?:sum|digit)\W{1,4}(?:\w+\W)?(?:fail|error|mismatch|invalid|wrong|incorrect)|virheellinen\s(?:tarkiste|tarkistus)|kontrollsiffra\w*\s(?:stämmer\sinte|är\sfel)|pr[üu]fziffer\W{1,3}(?:falsch|ung[üu]ltig|stimmt\snicht)|d[íi]gito\s(?:de\s)?(?:verificador|control|verificaci[óo]n)\W{1,3}(?:es\s)?(?:inv[áa]lido|incorrecto|err[óo]neo)|no\ssupera\sel\sm[óo]dulo/iu;
const MAX_FAILURE_DISTANCE = 64;

/** Parts of every such message, which reject most texts before the pattern. */
const FAILURE_PART = /heck|HECK|arkist|ARKIST|ontrollsi|fziffer|gito|supera/u;

/** Whether the text next to the number says that its check digit is wrong. */
function saysCheckFailed({ text, start, end }: Candidate): boolean {
  const near = text.slice(Math.max(0, start - MAX_FAILURE_DISTANCE), end + MAX_FAILURE_DISTANCE);
  return FAILURE_PART.test(near) && FAILED_CHECK.test(near);
}

/** Whether the groups have four digits each: `gift card 4314-1743-4548`. */
function isGroupedLikeCard({ groups }: NumberShape): boolean {
  return groups.every((length) => length === CARD_GROUP_LENGTH);
}

/** Whether the word `id` is directly before the number: `id 4111… not found`. */
function followsId({ text, start }: Candidate): boolean {
  return /(?<![\w-])ids?\s["'(]?$/iu.test(text.slice(Math.max(0, start - MAX_ID_WORD_LENGTH), start));
}

/**
 * Whether the fields next to a card number of an unusual length can be enough. Thirteen digits are
 * a time unless their first digit is that of a card.
 */
function canHaveFields({ text, shape, start }: Candidate): boolean {
  if (shape.card !== 'standard') return false;
  if (shape.length > USUAL_CARD_LENGTH.max) return true;
  return shape.length < USUAL_CARD_LENGTH.min && codeAt(text, start) >= FIRST_DIGIT_OF_CARDS;
}

function labelOf(evidence: Evidence): NonPersonalLabel {
  evidence.label ??= findNonPersonalLabel(evidence.number, evidence.context);
  return evidence.label;
}

function evaluateCard(evidence: Evidence, card: CardMatch): ScoredFinding | undefined {
  const { number, context, surroundings } = evidence;
  const isBare = hasOneGroup(number);
  const keyword = context.keywordOf(CARD_TARGET);
  const hasKeyword = keyword !== undefined || (surroundings === CLEAR && hasCardFields(number));
  const needsKeyword =
    card.needsKeyword || number.shape.card === 'unusual' || surroundings !== CLEAR || isInDigitColumns(number);
  if (needsKeyword && !hasKeyword) return undefined;
  if (keyword?.isInOwnKey !== true && labelOf(evidence) === 'key') return undefined;
  if (
    isBare &&
    !hasKeyword &&
    (labelOf(evidence) !== 'none' || followsId(number) || hasUnknownLabel(number, context.ownKey))
  )
    return undefined;
  const confidence = hasKeyword ? CARD_CONFIDENCE.keyword : isBare ? CARD_CONFIDENCE.bare : CARD_CONFIDENCE.grouped;
  const finding: Finding = {
    type: 'payment_card',
    start: number.start,
    end: number.end,
    confidence,
    rule: needsKeyword ? 'context' : 'checksum',
    scheme: card.scheme,
  };
  return { finding, score: hasKeyword ? SCORES.cardWithKeyword : SCORES.cardWithoutKeyword, listTarget: -1 };
}

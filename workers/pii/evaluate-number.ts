// Decides whether a number of a known shape is personal data: by its check digits, the characters
// next to it, and the words around it. The state of a number is in module-level arrays, so that
// only findings allocate memory.
import { NATIONAL_IDS } from '../../shared/pii/national-ids.ts';
import { characters } from './character-kinds.ts';
import type { Finding } from './finding.ts';
import { CARD_TARGET, GENERAL_TARGET } from './keyword-index.ts';
import {
  findNonPersonalLabel,
  hasKeywordNear,
  isGeneralKeywordNearest,
  isInOwnKey,
  isKeywordNear,
  keywordDistance,
  keywordLength,
  type NonPersonalLabel,
  readContext,
} from './number-context.ts';
import type { NumberShape, ShapeRule } from './number-shapes.ts';
import {
  ATTACHED,
  classifySurroundings,
  EMBEDDED,
  hasDigitNeighbour,
  isFollowedByCards,
} from './number-surroundings.ts';
import { type CardMatch, matchCard } from './payment-card.ts';

const { DIGIT, KINDS, LOWER, UPPER } = characters;

/** Indexes of the shape's rules that the current number passes. */
const passingRules = new Int32Array(NATIONAL_IDS.length);
/** The current number without separators: 0 to 9 for digits, 10 to 35 for letters. */
const value = new Uint8Array(40);

let valueHasLower = false;

/** Reads text[start, end) into `value`, without separators. */
function readValue(text: string, start: number, end: number): void {
  let length = 0;
  valueHasLower = false;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    const kind = KINDS[code] as number;
    if (kind === DIGIT) value[length++] = code - 48;
    else if (kind === UPPER) value[length++] = code - 55;
    else if (kind === LOWER) {
      value[length++] = code - 87;
      valueHasLower = true;
    }
  }
}

/**
 * Decides whether text[start, end), a number of the given shape, is personal data.
 * @param crossesBlanks whether the number was extended across blanks. Its outer groups can then
 * belong to the text next to it.
 * @param minStart the end of the previous finding.
 */
export function evaluateNumber(
  text: string,
  shape: NumberShape,
  start: number,
  end: number,
  crossesBlanks: boolean,
  minStart: number,
): Finding | undefined {
  if (shape.alwaysNeedsKeyword && !hasKeywordNear(text, start, end)) return undefined;
  readValue(text, start, end);
  const { length } = shape;
  const card = shape.card === 'none' ? undefined : matchCard(value, length, shape.groups.length > 1);
  let passingCount = 0;
  for (let i = 0; i < shape.rules.length; i++) {
    if ((shape.rules[i] as ShapeRule).check(value, length)) passingRules[passingCount++] = i;
  }
  if (passingCount === 0 && card === undefined) return undefined;
  const surroundings = classifySurroundings(text, start, end, shape);
  if (surroundings === EMBEDDED) return undefined;
  readContext(text, start, end);
  const label = findNonPersonalLabel(text, shape.groups.length === 1 && !shape.hasLetters);
  const hasNeighbour = crossesBlanks && hasDigitNeighbour(text, start, end, 1, 9, minStart);
  let best: Finding | undefined;
  let bestScore = 0;
  if (card !== undefined) {
    best = evaluateCard(text, shape, card, label, start, end, surroundings, crossesBlanks, minStart);
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
  return best;
}

function evaluateCard(
  text: string,
  shape: NumberShape,
  card: CardMatch,
  label: NonPersonalLabel,
  start: number,
  end: number,
  surroundings: number,
  crossesBlanks: boolean,
  minStart: number,
): Finding | undefined {
  const isBare = shape.groups.length === 1;
  const hasCardKeyword = isKeywordNear(CARD_TARGET);
  const mustHaveKeyword =
    card.needsKeyword ||
    shape.card === 'unusual' ||
    surroundings === ATTACHED ||
    (crossesBlanks && hasDigitNeighbour(text, start, end, 4, 7, minStart) && !isFollowedByCards(text, end));
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

/**
 * The confidence in a national id, by its check digit, a keyword of its scheme, and whether its
 * form requires a keyword.
 */
function confidenceOf(isChecked: boolean, hasOwnKeyword: boolean, mustHaveKeyword: boolean): number {
  if (hasOwnKeyword) return isChecked ? 0.99 : 0.9;
  if (mustHaveKeyword) return isChecked ? 0.85 : 0.6;
  return isChecked ? 0.95 : 0.75;
}

/**
 * Whether the fifth group is the security code after a card of 16 digits,
 * `4111 1111 1111 1111 123`. Cards of 19 digits are rare.
 * @param cardEnd the end of the fourth group.
 */
export function endsWithCardCode(text: string, shape: NumberShape, start: number, cardEnd: number): boolean {
  if (shape.card !== 'standard' || shape.length !== 19 || shape.groups.length !== 5) return false;
  readValue(text, start, cardEnd);
  return matchCard(value, 16, true)?.needsKeyword === false;
}

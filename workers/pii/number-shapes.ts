// The table of shapes. A shape is a written form: the groups of a number, and the separators
// between them. The table maps a shape to the schemes whose numbers have it.
import type { NationalId } from '../../shared/pii/national-id.ts';
import { characterClasses } from './character-classes.ts';
import { codes } from './character-codes.ts';
import { CARD_LENGTHS_NEEDING_KEYWORD, CARD_SHAPES, isStandardGrouping } from './payment-card.ts';

const { DIGIT, LETTER, UNDERSCORE } = characterClasses;

/** The classes of groups, as offsets of their codes. */
const DIGITS = 0;
const MIXED = 32;
export const LETTERS = 64;

/**
 * A scheme in one of its shapes. Every object has all fields, because V8 optimizes code for objects
 * of one layout.
 */
export interface ShapeRule {
  readonly scheme: NationalId['scheme'];
  readonly country: string;
  readonly check: NationalId['check'];
  readonly isUnchecked: NationalId['isUnchecked'];
  readonly isAmbiguous: NationalId['isAmbiguous'];
  /** True if `check` verifies a check digit. */
  readonly isChecked: boolean;
  readonly anyCase: boolean;
  readonly isWeak: boolean;
  readonly keysBesideLabel: NationalId['keysBesideLabel'];
  /** The target of the rule's keywords: its index in `NATIONAL_IDS`. */
  readonly target: number;
  readonly needsKeyword: boolean;
  /** True if a general keyword is not enough. */
  readonly needsOwnKeyword: boolean;
}

export interface NumberShape {
  /** Codes of the groups: length plus class (`DIGITS`, `MIXED`, `LETTERS`). */
  readonly groups: readonly number[];
  /** Character codes of the separators between the groups. */
  readonly separators: readonly number[];
  /** Number of characters without the separators. */
  readonly length: number;
  readonly rules: readonly ShapeRule[];
  /** Whether a payment card has this shape. An `unusual` grouping needs a keyword. */
  readonly card: 'none' | 'standard' | 'unusual';
  readonly hasLetters: boolean;
  /** Whether blanks join the groups. The outer groups can then belong to the text next to it. */
  readonly hasBlanks: boolean;
  /** True if all rules of this shape need a keyword. */
  readonly alwaysNeedsKeyword: boolean;
}

/** Shapes by number of groups, then by `shapeIndex` of the first group. */
export type ShapeTable = readonly (readonly (readonly NumberShape[] | undefined)[])[];

const SEPARATORS = ['-', '.', '/', '+', ' ', '(', '['];
/** By character code: the number of a separator, from 1; 0 for all other characters. */
export const SEPARATOR_NUMBERS = new Uint8Array(codes.BEYOND_ASCII);
SEPARATORS.forEach((separator, i) => {
  SEPARATOR_NUMBERS[separator.charCodeAt(0)] = i + 1;
});
const SEPARATOR_COUNT = SEPARATORS.length + 1;

export const MAX_GROUPS = 8;
const MAX_GROUP_LENGTH = 19;
/** The number of group codes: 32 lengths in three classes. */
export const GROUP_CODES = 96;
export const NO_GROUP = -1;

/** The index of the shapes whose first group has the code, and is followed by the separator. */
export function shapeIndex(groupCode: number, separator: number): number {
  return groupCode * SEPARATOR_COUNT + (SEPARATOR_NUMBERS[separator] as number);
}

function parseForm(form: string): Pick<NumberShape, 'groups' | 'separators' | 'length'> {
  const groups: number[] = [];
  const separators: number[] = [];
  let length = 0;
  for (const [, separator, digits, kind] of form.matchAll(/([-./+ ([]?)(\d+)([xa]?)/gu)) {
    if (separator !== '') separators.push((separator as string).charCodeAt(0));
    length += Number(digits);
    groups.push(Number(digits) + (kind === 'x' ? MIXED : kind === 'a' ? LETTERS : DIGITS));
  }
  return { groups, separators, length };
}

/** A national id, and the target of its keywords. */
interface TargetedId {
  readonly nationalId: NationalId;
  readonly target: number;
}

/** Builds the table of the given national ids, and of payment cards if `cards` is true. */
export function buildShapeTable(nationalIds: readonly TargetedId[], cards: boolean): ShapeTable {
  const table: (NumberShape[] | undefined)[][] = Array.from({ length: MAX_GROUPS + 1 }, () =>
    Array.from({ length: GROUP_CODES * SEPARATOR_COUNT }, () => undefined),
  );
  const rules = rulesByForm(nationalIds);
  const cardForms = new Set(cards ? CARD_SHAPES : []);
  for (const form of new Set([...rules.keys(), ...cardForms])) {
    const shape = buildShape(form, rules.get(form) ?? [], cardForms.has(form));
    const row = table[shape.groups.length] as (NumberShape[] | undefined)[];
    (row[shapeIndex(shape.groups[0] as number, shape.separators[0] ?? 0)] ??= []).push(shape);
  }
  return table;
}

function rulesByForm(nationalIds: readonly TargetedId[]): Map<string, ShapeRule[]> {
  const forms = new Map<string, ShapeRule[]>();
  for (const { nationalId, target } of nationalIds) {
    for (const [need, formsOfNeed] of Object.entries(nationalId.shapes)) {
      const needsKeyword = need !== 'free';
      const rule = buildRule(nationalId, target, needsKeyword, need === 'own');
      // In a query string, a plus is a blank: `nir=2580959198456+77`.
      const inQuery = needsKeyword ? rule : buildRule(nationalId, target, true, false);
      for (const form of formsOfNeed) addRule(forms, form, rule);
      for (const form of formsOfNeed) addRule(forms, form.replaceAll(' ', '+'), inQuery);
    }
  }
  return forms;
}

function buildRule(nationalId: NationalId, target: number, needsKeyword: boolean, needsOwnKeyword: boolean): ShapeRule {
  return {
    scheme: nationalId.scheme,
    country: nationalId.country,
    check: nationalId.check,
    isUnchecked: nationalId.isUnchecked,
    isAmbiguous: nationalId.isAmbiguous,
    isChecked: nationalId.evidence !== 'format',
    anyCase: nationalId.anyCase === true,
    isWeak: nationalId.isWeak === true,
    keysBesideLabel: nationalId.keysBesideLabel,
    target,
    needsKeyword,
    needsOwnKeyword,
  };
}

/** Adds a rule to the form, unless the scheme has the form already. */
function addRule(forms: Map<string, ShapeRule[]>, form: string, rule: ShapeRule): void {
  const rules = forms.get(form) ?? [];
  if (!rules.some(({ target }) => target === rule.target)) forms.set(form, [...rules, rule]);
}

function buildShape(form: string, rules: readonly ShapeRule[], isCardForm: boolean): NumberShape {
  const { groups, separators, length } = parseForm(form);
  const isPlain = groups.length === 1;
  const card = !isCardForm ? 'none' : isPlain || isStandardGrouping(form) ? 'standard' : 'unusual';
  const cardNeedsKeyword = card !== 'standard' || (isPlain && CARD_LENGTHS_NEEDING_KEYWORD.has(length));
  // A spread would give every shape a layout of its own.
  return {
    groups,
    separators,
    length,
    rules,
    card,
    hasLetters: groups.some((group) => group > MIXED),
    hasBlanks: separators.includes(codes.BLANK),
    alwaysNeedsKeyword: cardNeedsKeyword && rules.every((rule) => rule.needsKeyword),
  };
}

/**
 * The code of a group, by its length and the classes of its characters; `NO_GROUP` if no shape has
 * such a group.
 */
export function encodeGroup(length: number, classes: number): number {
  if (length > MAX_GROUP_LENGTH || (classes & UNDERSCORE) !== 0) return NO_GROUP;
  if ((classes & LETTER) === 0) return length + DIGITS;
  return length + ((classes & DIGIT) === 0 ? LETTERS : MIXED);
}

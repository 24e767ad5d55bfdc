// The table of written forms: from the groups of a number to the schemes that are written so.

import type { NationalIdRule } from './national-ids/national-id-rule.ts';
import { COUNTRY_OF_SCHEME } from './national-ids/national-id-rules.ts';
import { CARD_LENGTHS_WITH_WORD, CARD_SHAPES, isStandardGrouping } from './payment-card.ts';

const DIGITS = 0;
const MIXED = 1;
export const LETTERS = 2;

/** A scheme under one of its shapes. All have all fields: objects of one layout keep the compiler's code for them. */
export interface ShapeRule {
  readonly scheme: NationalIdRule['scheme'];
  readonly country: string;
  readonly check: NationalIdRule['check'];
  readonly doubtful: NationalIdRule['doubtful'];
  /** A check digit stands behind `check`. */
  readonly isChecked: boolean;
  readonly anyCase: boolean;
  /** The rule's index in the list of all rules: its key word target. */
  readonly target: number;
  readonly needsWord: boolean;
  /** A general key word is not enough. */
  readonly needsOwnWord: boolean;
}

export interface NumberShape {
  /** Groups as length plus 32 times class (`DIGITS`, `MIXED`, `LETTERS`). */
  readonly groups: readonly number[];
  /** Codes of the separators between the groups. */
  readonly separators: readonly number[];
  /** Characters without separators. */
  readonly length: number;
  readonly rules: readonly ShapeRule[];
  /** May be a payment card; `standard` groupings do without a card word. */
  readonly card: 'no' | 'standard' | 'unusual';
  readonly hasLetters: boolean;
  /** Nothing of this shape counts without a key word, so that one can be looked for first. */
  readonly alwaysNeedsWord: boolean;
}

/** Shapes by number of groups, then by the code of the first group. Longer shapes stand first. */
export type ShapeTable = readonly (readonly (readonly NumberShape[] | undefined)[])[];

export const MOST_GROUPS = 8;
const LONGEST_GROUP = 19;
/** Codes of groups: 32 lengths in three classes. */
export const GROUP_CODES = 96;

function parse(form: string): Pick<NumberShape, 'groups' | 'separators' | 'length' | 'hasLetters'> {
  const groups: number[] = [];
  const separators: number[] = [];
  let length = 0;
  for (const [, separator, digits, kind] of form.matchAll(/([-./+ ([]?)(\d+)([xa]?)/gu)) {
    if (separator !== '') separators.push((separator as string).charCodeAt(0));
    length += Number(digits);
    groups.push(Number(digits) + 32 * (kind === 'x' ? MIXED : kind === 'a' ? LETTERS : DIGITS));
  }
  return { groups, separators, length, hasLetters: groups.some((group) => group > 32) };
}

/** Builds the table for the schemes that are asked for. */
export function buildShapeTable(
  rules: readonly { rule: NationalIdRule; target: number }[],
  cards: boolean,
): ShapeTable {
  const forms = new Map<string, ShapeRule[]>();
  for (const { rule, target } of rules) {
    for (const [form, need] of Object.entries(rule.shapes)) {
      const needsOwnWord = need === 'own' || rule.ownWordOnly === true;
      const entry: ShapeRule = {
        scheme: rule.scheme,
        country: COUNTRY_OF_SCHEME.get(rule.scheme) ?? '',
        check: rule.check,
        doubtful: rule.doubtful,
        isChecked: rule.evidence === 'checksum',
        anyCase: rule.anyCase === true,
        target,
        needsWord: need !== 'free',
        needsOwnWord,
      };
      const known = forms.get(form);
      if (known === undefined) forms.set(form, [entry]);
      else known.push(entry);
    }
  }
  const cardForms = new Set(cards ? CARD_SHAPES : []);
  for (const form of cardForms) if (!forms.has(form)) forms.set(form, []);
  const table: (NumberShape[] | undefined)[][] = Array.from({ length: MOST_GROUPS + 1 }, () =>
    Array.from({ length: GROUP_CODES }, () => undefined),
  );
  for (const [form, entries] of forms) {
    const parsed = parse(form);
    const isPlain = parsed.groups.length === 1;
    const card = !cardForms.has(form) ? 'no' : isPlain || isStandardGrouping(form) ? 'standard' : 'unusual';
    const cardNeedsWord = card === 'no' || card === 'unusual' || (isPlain && CARD_LENGTHS_WITH_WORD.has(parsed.length));
    const alwaysNeedsWord = cardNeedsWord && entries.every((entry) => entry.needsWord);
    const shape: NumberShape = { ...parsed, rules: entries, card, alwaysNeedsWord };
    const row = table[parsed.groups.length] as (NumberShape[] | undefined)[];
    const first = parsed.groups[0] as number;
    row[first] ??= [];
    row[first].push(shape);
  }
  return table;
}

/** The code of a group; -1 when no shape has such a group. */
export function groupCode(length: number, hasDigits: boolean, hasLetters: boolean): number {
  if (length > LONGEST_GROUP) return -1;
  return length + (hasLetters ? (hasDigits ? 32 : 64) : 0);
}

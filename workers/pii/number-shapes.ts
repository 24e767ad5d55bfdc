// The table of shapes. A shape is a written form: the groups of a number, and the separators
// between them. The table maps a shape to the schemes whose numbers have it.
import type { NationalId } from '../../shared/pii/national-id.ts';
import { characters } from './character-kinds.ts';
import { isOpening } from './group-boundaries.ts';
import { CARD_LENGTHS_NEEDING_KEYWORD, CARD_SHAPES, isStandardGrouping } from './payment-card.ts';

const { BLANK } = characters;

const DIGITS = 0;
const MIXED = 1;
export const LETTERS = 2;

/**
 * A scheme in one of its shapes. Every object has all fields, because V8 optimizes code for objects
 * of one layout.
 */
export interface ShapeRule {
  readonly scheme: NationalId['scheme'];
  readonly country: string;
  readonly check: NationalId['check'];
  readonly isAmbiguous: NationalId['isAmbiguous'];
  /** True if `check` verifies a check digit. */
  readonly isChecked: boolean;
  readonly anyCase: boolean;
  /** The target of the rule's keywords: its index in `NATIONAL_IDS`. */
  readonly target: number;
  readonly needsKeyword: boolean;
  /** True if a general keyword is not enough. */
  readonly needsOwnKeyword: boolean;
}

export interface NumberShape {
  /** Codes of the groups: length plus 32 times class (`DIGITS`, `MIXED`, `LETTERS`). */
  readonly groups: readonly number[];
  /** Character codes of the separators between the groups. */
  readonly separators: readonly number[];
  /** Number of characters without the separators. */
  readonly length: number;
  readonly rules: readonly ShapeRule[];
  /** Whether a payment card has this shape. An `unusual` grouping needs a keyword. */
  readonly card: 'none' | 'standard' | 'unusual';
  readonly hasLetters: boolean;
  /** True if all rules of this shape need a keyword. The keyword is then searched for first. */
  readonly alwaysNeedsKeyword: boolean;
}

/** Shapes by number of groups, then by the code of the first group. */
export type ShapeTable = readonly (readonly (readonly NumberShape[] | undefined)[])[];

export const MAX_GROUPS = 8;
const MAX_GROUP_LENGTH = 19;
/** Number of group codes: 32 lengths in three classes. */
export const GROUP_CODES = 96;

function parseForm(form: string): Pick<NumberShape, 'groups' | 'separators' | 'length' | 'hasLetters'> {
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

/** Builds the table of the given national ids, and of payment cards if `cards` is true. */
export function buildShapeTable(
  nationalIds: readonly { nationalId: NationalId; target: number }[],
  cards: boolean,
): ShapeTable {
  const forms = new Map<string, ShapeRule[]>();
  for (const { nationalId, target } of nationalIds) {
    for (const [form, need] of Object.entries(nationalId.shapes)) {
      const needsOwnKeyword = need === 'own' || nationalId.ownKeywordOnly === true;
      const entry: ShapeRule = {
        scheme: nationalId.scheme,
        country: nationalId.country,
        check: nationalId.check,
        isAmbiguous: nationalId.isAmbiguous,
        isChecked: nationalId.evidence === 'checksum',
        anyCase: nationalId.anyCase === true,
        target,
        needsKeyword: need !== 'free',
        needsOwnKeyword,
      };
      const known = forms.get(form);
      if (known === undefined) forms.set(form, [entry]);
      else known.push(entry);
    }
  }
  const cardForms = new Set(cards ? CARD_SHAPES : []);
  for (const form of cardForms) if (!forms.has(form)) forms.set(form, []);
  const table: (NumberShape[] | undefined)[][] = Array.from({ length: MAX_GROUPS + 1 }, () =>
    Array.from({ length: GROUP_CODES }, () => undefined),
  );
  for (const [form, entries] of forms) {
    const parsed = parseForm(form);
    const isPlain = parsed.groups.length === 1;
    const card = !cardForms.has(form) ? 'none' : isPlain || isStandardGrouping(form) ? 'standard' : 'unusual';
    const cardNeedsKeyword =
      card === 'none' || card === 'unusual' || (isPlain && CARD_LENGTHS_NEEDING_KEYWORD.has(parsed.length));
    const alwaysNeedsKeyword = cardNeedsKeyword && entries.every((entry) => entry.needsKeyword);
    const shape: NumberShape = { ...parsed, rules: entries, card, alwaysNeedsKeyword };
    const row = table[parsed.groups.length] as (NumberShape[] | undefined)[];
    const first = parsed.groups[0] as number;
    row[first] ??= [];
    row[first].push(shape);
  }
  return table;
}

/** The code of a group; -1 if no shape has a group of this length. */
export function encodeGroup(length: number, hasDigits: boolean, hasLetters: boolean): number {
  if (length > MAX_GROUP_LENGTH) return -1;
  return length + (hasLetters ? (hasDigits ? 32 : 64) : 0);
}

/** By character code: the bit of a separator. */
export const SEPARATOR_BITS = new Uint8Array(128);
['-', '.', '/', '+', ' ', '(', '['].forEach((separator, i) => {
  SEPARATOR_BITS[separator.charCodeAt(0)] = 1 << i;
});

/** Properties of all shapes of a table. They reject most numbers before a shape is looked up. */
export interface GroupFilters {
  /** By group code: 1 if a shape with a blank or a bracket begins with the group. */
  readonly canStartRun: Uint8Array;
  /** By group code: 1 if the group is the first group after a prefix in any shape. */
  readonly canFollowPrefix: Uint8Array;
  /** By character code: 1 if the separator follows the prefix in any shape. */
  readonly isPrefixSeparator: Uint8Array;
  /**
   * By the codes of two adjacent groups: the bits of the separators between these groups in all
   * shapes.
   */
  readonly separatorBits: Uint8Array;
}

export function buildGroupFilters(table: ShapeTable): GroupFilters {
  const canStartRun = new Uint8Array(GROUP_CODES);
  const canFollowPrefix = new Uint8Array(GROUP_CODES);
  const isPrefixSeparator = new Uint8Array(128);
  const separatorBits = new Uint8Array(GROUP_CODES * GROUP_CODES);
  for (const row of table) {
    for (const shapes of row) {
      for (const shape of shapes ?? []) {
        shape.separators.forEach((separator, i) => {
          const pair = (shape.groups[i] as number) * GROUP_CODES + (shape.groups[i + 1] as number);
          separatorBits[pair] = (separatorBits[pair] as number) | (SEPARATOR_BITS[separator] as number);
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

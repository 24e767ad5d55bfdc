// A shape is a written form: the groups of a number, and the separators between them. A tree of
// groups leads to the shapes, and each shape has the schemes whose numbers are written like this.
import { type CodeUnits, characters, findGroupEnd, testAt, wordKindAt } from './characters.ts';
import type { NationalId } from './national-ids.ts';
import { CARD_FORMS, isStandardGrouping } from './payment-card.ts';

const { DIGIT, LETTER, UNDERSCORE, UPPER } = characters;

const PLUS = 43;
const COMMA = 44;
const HYPHEN = 45;
const FULL_STOP = 46;
const SLASH = 47;
/**
 * The expiry date of a card: `/1229`, `/12/29`, `/12-2029`, and `/2912` with the year first. In
 * four digits, the year of a test booking can be any: `/1180`.
 */
const EXPIRY_DATE = /\/(?:(?:0[1-9]|1[0-2])(?:\d\d|[/-]?(?:20)?[1-4]\d)|(?:20)?[23]\d[/-]?(?:0[1-9]|1[0-2]))(?!\d)/uy;

function isSeparator(code: number): boolean {
  return code >= PLUS && code <= SLASH && code !== COMMA;
}

/**
 * Whether the character at `at` separates two groups: `-` before a letter or digit, `.` before a
 * digit or a single letter, `/` and `+` between digits and single upper-case letters.
 */
export function isSeparatorAt(units: CodeUnits, at: number): boolean {
  const separator = units[at] as number;
  if (!isSeparator(separator)) return false;
  const next = wordKindAt(units, at + 1);
  if (separator === HYPHEN) return next !== 0;
  const isGroup = next === DIGIT || ((next & LETTER) !== 0 && wordKindAt(units, at + 2) === 0);
  if (separator === FULL_STOP || !isGroup) return isGroup;
  const before = wordKindAt(units, at - 1);
  return (next & (DIGIT | UPPER)) !== 0 && (before === DIGIT || (before === UPPER && wordKindAt(units, at - 2) === 0));
}

/** Whether the slash at `at` is before the expiry date of a card. */
export function isBeforeExpiry(text: string, at: number): boolean {
  return testAt(EXPIRY_DATE, text, at);
}

/** The end of the chain of groups of which one ends at `groupEnd`. */
export function findChainEnd(units: CodeUnits, groupEnd: number): number {
  let end = groupEnd;
  while (isSeparatorAt(units, end)) end = findGroupEnd(units, end + 1);
  return end;
}

/** The classes of groups, as offsets of their codes. */
const MIXED = 32;
export const LETTERS = 64;
const GROUP_CODES = 96;
const SEPARATORS = '-./+ ([';
const KEYS = GROUP_CODES * (SEPARATORS.length + 1);
const MAX_GROUP_LENGTH = 19;
/** By character code: an offset for each separator; 0 for all other characters. */
const SEPARATOR_OFFSETS = Uint16Array.from({ length: 128 }, (_, code) => {
  return (SEPARATORS.indexOf(String.fromCharCode(code)) + 1) * GROUP_CODES;
});

/** A scheme in one of its shapes. */
export interface ShapeRule {
  readonly id: NationalId;
  /** The check of the id. V8 reads it faster here, because ids have different fields. */
  readonly check: NationalId['check'];
  /** The target of the keywords of the scheme: its index in `NATIONAL_IDS`. */
  readonly target: number;
  readonly needsKeyword: boolean;
  /** True if a general keyword is not enough. */
  readonly needsOwnKeyword: boolean;
}

export interface NumberShape {
  /** The lengths of the groups. */
  readonly groups: readonly number[];
  readonly separators: string;
  /** The number of characters without the separators. */
  readonly length: number;
  readonly rules: readonly ShapeRule[];
  /** Whether a payment card has this shape. An `unusual` grouping needs a keyword. */
  readonly card: 'none' | 'standard' | 'unusual';
  readonly hasLetters: boolean;
  /** True if all rules of this shape need a keyword. */
  readonly rulesNeedKeyword: boolean;
}

/** The key of a group, by its length and the classes of its characters; -1 if no shape has it. */
export function groupKey(length: number, classes: number): number {
  if (length > MAX_GROUP_LENGTH || (classes & UNDERSCORE) !== 0) return -1;
  return (classes & LETTER) === 0 ? length : length + ((classes & DIGIT) === 0 ? LETTERS : MIXED);
}

/** The key of a group after the separator, which is 0 for the first group. */
function followingKey(key: number, separator: number): number {
  return key + (SEPARATOR_OFFSETS[separator] as number);
}

/** A national id, and the target of its keywords. */
interface TargetedId {
  readonly id: NationalId;
  readonly target: number;
}

/** The shapes as a tree of groups. A node is a number, and the root is 0. */
export class ShapeTree {
  readonly hasCards: boolean;
  /** The shape that ends at a node. */
  readonly shapes: readonly (NumberShape | undefined)[];
  /** By node and key: the next node, or 0. */
  readonly #next: Uint16Array;
  /** By key: 1 if the group follows groups of letters in a shape. */
  readonly #followsLetters = new Uint8Array(KEYS);

  /** Builds the tree of the given national ids, and of payment cards if `cards` is true. */
  constructor(ids: readonly TargetedId[], cards: boolean) {
    this.hasCards = cards;
    const rules = rulesByForm(ids);
    const cardForms = new Set(cards ? CARD_FORMS : []);
    const shapes: (NumberShape | undefined)[] = [undefined];
    const nodes = new Map<number, number>();
    for (const form of new Set([...rules.keys(), ...cardForms])) {
      let node = 0;
      let areLetters = true;
      for (const [, separator = '', digits = '', kind] of form.matchAll(/([-./+ ([]?)(\d+)([xa]?)/gu)) {
        const classes = kind === 'x' ? DIGIT | LETTER : kind === 'a' ? LETTER : DIGIT;
        const key = followingKey(groupKey(Number(digits), classes), separator === '' ? 0 : separator.charCodeAt(0));
        if (areLetters && separator !== '') this.#followsLetters[key] = 1;
        areLetters &&= kind === 'a';
        const index = node * KEYS + key;
        node = nodes.get(index) ?? shapes.push(undefined) - 1;
        nodes.set(index, node);
      }
      shapes[node] = buildShape(form, rules.get(form) ?? [], cardForms.has(form));
    }
    this.shapes = shapes;
    this.#next = new Uint16Array(shapes.length * KEYS);
    for (const [index, node] of nodes) this.#next[index] = node;
  }

  /** The node of the group with the key after a node and the separator; 0 if no shape has it. */
  next(node: number, key: number, separator: number): number {
    return key < 0 ? 0 : (this.#next[node * KEYS + followingKey(key, separator)] as number);
  }

  /** Whether a shape has the separator, and before it groups of letters, before the group. */
  canFollowLetters(key: number, separator: number): boolean {
    return key >= 0 && separator < SEPARATOR_OFFSETS.length && this.#followsLetters[followingKey(key, separator)] === 1;
  }
}

function rulesByForm(ids: readonly TargetedId[]): Map<string, ShapeRule[]> {
  const forms = new Map<string, ShapeRule[]>();
  const add = (form: string, rule: ShapeRule): void => {
    const rules = forms.get(form) ?? [];
    if (!rules.some(({ target }) => target === rule.target)) forms.set(form, [...rules, rule]);
  };
  for (const { id, target } of ids) {
    for (const [need, formsOfNeed] of Object.entries(id.shapes) as [string, readonly string[]][]) {
      const rule = { id, check: id.check, target, needsKeyword: need !== 'free', needsOwnKeyword: need === 'own' };
      for (const form of formsOfNeed) add(form, rule);
      // In a query string, a plus is a blank: `nir=2580959198456+77`.
      for (const form of formsOfNeed) add(form.replaceAll(' ', '+'), { ...rule, needsKeyword: true });
    }
  }
  return forms;
}

function buildShape(form: string, rules: readonly ShapeRule[], isCardForm: boolean): NumberShape {
  const groups = form.match(/\d+/gu)?.map(Number) ?? [];
  const length = groups.reduce((sum, group) => sum + group, 0);
  const card = !isCardForm ? 'none' : groups.length === 1 || isStandardGrouping(form) ? 'standard' : 'unusual';
  return {
    groups,
    separators: form.replaceAll(/[\dxa]/gu, ''),
    length,
    rules,
    card,
    hasLetters: /[xa]/u.test(form),
    rulesNeedKeyword: rules.every(({ needsKeyword }) => needsKeyword),
  };
}

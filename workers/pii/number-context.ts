import { NATIONAL_IDS } from '../../shared/pii/national-ids.ts';
import type { Candidate } from './candidate.ts';
import { characterClasses } from './character-classes.ts';
import { codes } from './character-codes.ts';
import { isKeyOfType, isTypeOf, isTypeOfDocument } from './document-type.ts';
import { findEidasCountry, findKeyCountry } from './key-country.ts';
import { CARD_TARGET, FIRST_AMBIGUOUS_TARGET, GENERAL_TARGET } from './keyword-index.ts';
import {
  belongsToAnotherValue,
  belongsToLaterNumber,
  describesNextNumber,
  hasFieldBetween,
  hasLabelBefore,
  isBeforeLongNumber,
  isColumnName,
  isInEarlierLine,
  isKey,
  isOpeningTag,
} from './keyword-owner.ts';
import { NEUTRAL_WORDS } from './non-personal-words.ts';
import { findOwnKey, type OwnKey } from './own-key.ts';
import type { ScannedText } from './scanned-text.ts';
import {
  MAX_DISTANCE_AFTER,
  MAX_DISTANCE_BEFORE,
  MAX_TYPE_DISTANCE,
  type TextKeyword,
  type TextKeywords,
} from './text-keywords.ts';
import { hasUnknownWordBefore } from './unknown-label.ts';
import { hashWordAt } from './word-hash.ts';

const { codeAt, isTextWord, unitAt } = characterClasses;
const { AT_SIGN, CASE_BIT, LOWER_D, SLASH } = codes;

/** The distance of a keyword that is not near. */
const NOT_NEAR = 1000;
/** The distance of a keyword with only a blank between it and the number. */
const NEXT_TO_NUMBER = 1;

/** The gap between a keyword and the name of an element that it describes: `SSN <id>1…`. */
const MAX_GAP_BEFORE_ELEMENT = 4;

/**
 * The id of a document, which can be any paper: `documento id 123`. An invoice of Portugal has its
 * kind and series before its number: `documento FT A/123`.
 */
const DOCUMENT_ID = /^documentos?\s(?:(?:id|ref)\W{1,3}|(?:F[RST]|N[CD]|G[TR]|RC)\s[A-Z\d]{1,10}\/)$/iu;
const MAX_DOCUMENT_ID_LENGTH = 26;

/** The beginning of the words that make a card of Thailand an identity card: `บัตรประชาชน`. */
const THAI_ID_CARD = 'ประ';

/** Whether a keyword of the target that is directly before a number can describe one before it. */
function canDescribeBefore(target: number, distance: number): boolean {
  if (target === GENERAL_TARGET) return false;
  return distance <= NEXT_TO_NUMBER || NATIONAL_IDS[target]?.evidence !== 'format';
}

/** Whether the keyword after a number is the key or the element of the next value. */
function isNextKey(text: ScannedText, keyword: TextKeyword): boolean {
  return isOpeningTag(text, keyword) || (isKey(text, keyword.end) && !isKeyOfType(text, keyword.end));
}

/** Whether the number has a key or a word before it that can be its label. */
function hasLabel(number: Candidate, ownKey: OwnKey | undefined): boolean {
  return ownKey !== undefined || hasLabelBefore(number) || hasUnknownWordBefore(number);
}

/** The nearest keyword of a target. */
interface NearKeyword {
  readonly target: number;
  /** In characters. */
  distance: number;
  /** In characters; the longer of two keywords at the same distance. */
  length: number;
  /** Whether the number's own key contains a keyword of the target. */
  isInOwnKey: boolean;
}

/**
 * The context of a number: its own key, and the keywords near it by target. A target is an index in
 * `NATIONAL_IDS`, `GENERAL_TARGET` or `CARD_TARGET`.
 */
export class NumberContext {
  readonly ownKey: OwnKey | undefined;
  readonly #number: Candidate;
  /** One for each target. There are few, so that a search is faster than a `Map`. */
  readonly #near: NearKeyword[] = [];
  #nearestSchemeDistance = NOT_NEAR;

  constructor(number: Candidate, keywords: TextKeywords) {
    const { text, start, end, gluedKeyword, column } = number;
    this.#number = number;
    // The code of a country before the number is no key.
    this.ownKey =
      gluedKeyword !== undefined && gluedKeyword.targets.length > 0
        ? gluedKeyword
        : (findOwnKey(text, gluedKeyword?.start ?? start) ?? column);
    if (gluedKeyword !== undefined) this.#add(gluedKeyword);
    if (!keywords.isNear(text, start, end)) return;
    const { all, first } = keywords;
    // The key of the next value, `123456789 ssn=…`, and everything after it do not describe this
    // number.
    let nextKey = end + MAX_TYPE_DISTANCE + 1;
    for (let i = first; i < all.length && (all[i] as TextKeyword).start < nextKey; i++) {
      const keyword = all[i] as TextKeyword;
      if (keyword.start >= end && isNextKey(text, keyword)) nextKey = keyword.start;
    }
    for (let i = first; i < all.length && (all[i] as TextKeyword).start < nextKey; i++)
      this.#add(all[i] as TextKeyword);
  }

  /**
   * The country that the number's own key ends with, `cedula_ec=`, or that precedes the number in
   * eIDAS.
   */
  get keyCountry(): string | undefined {
    const { text, start } = this.#number;
    if (codeAt(text, start - 1) === SLASH) {
      const country = findEidasCountry(text, start);
      if (country !== undefined) return country;
    }
    return this.ownKey === undefined ? undefined : findKeyCountry(this.#number.text, this.ownKey);
  }

  /** Whether the number's own key contains a keyword. */
  get hasKeywordInOwnKey(): boolean {
    for (const { isInOwnKey } of this.#near) if (isInOwnKey) return true;
    return false;
  }

  /** Whether any keyword is near. */
  get hasKeyword(): boolean {
    return this.#near.length > 0;
  }

  /** Whether a keyword is near that the text of `key` contains, or follows directly. */
  hasKeywordWithin({ start }: OwnKey): boolean {
    return this.keywordDistance < this.#number.start - start + MAX_GAP_BEFORE_ELEMENT;
  }

  keywordOf(target: number): NearKeyword | undefined {
    for (const keyword of this.#near) if (keyword.target === target) return keyword;
    return undefined;
  }

  /** The ambiguous label of a national id directly before the number. */
  ambiguousKeywordOf(target: number): NearKeyword | undefined {
    return this.keywordOf(FIRST_AMBIGUOUS_TARGET + target);
  }

  /** The distance of the nearest keyword that names a scheme or payment cards, in characters. */
  get namingDistance(): number {
    let nearest = this.#nearestSchemeDistance;
    for (const { target, distance } of this.#near)
      if (target !== GENERAL_TARGET && distance < nearest) nearest = distance;
    return nearest;
  }

  /** The distance of the nearest keyword, in characters. */
  get keywordDistance(): number {
    let nearest = NOT_NEAR;
    for (const { distance } of this.#near) if (distance < nearest) nearest = distance;
    return nearest;
  }

  /**
   * Whether a general keyword is near, and every keyword of a scheme is farther. `documento CPF`
   * names a scheme.
   */
  get isGeneralKeywordNearest(): boolean {
    return (this.keywordOf(GENERAL_TARGET)?.distance ?? NOT_NEAR) < this.#nearestSchemeDistance;
  }

  /** Adds a keyword to its targets if it is near enough and does not belong to another value. */
  #add(keyword: TextKeyword): void {
    const { start, end, targets } = keyword;
    const { ownKey } = this;
    const number = this.#number;
    // The host of an e-mail address names no number.
    if (codeAt(number.text, start - 1) === AT_SIGN && isTextWord(codeAt(number.text, start - 2))) return;
    if (targets[0] === CARD_TARGET && number.text.startsWith(THAI_ID_CARD, end)) return;
    let distance: number;
    let isInOwnKey = false;
    let isOfNextNumber = false;
    if (end <= number.start) {
      // A column can be far from its number.
      distance = keyword === number.gluedKeyword ? 0 : number.start - end;
      if (distance > MAX_DISTANCE_BEFORE || belongsToAnotherValue(keyword, number, ownKey)) return;
      if (number.column !== undefined && isInEarlierLine(number, end)) return;
      // The keyword `Peru DNI` can begin before the key `DNI:`.
      isInOwnKey =
        (ownKey !== undefined && end > ownKey.start && end <= ownKey.end) || isTypeOfDocument(number, keyword);
    } else if (start >= number.end) {
      distance = start - number.end;
      isInOwnKey = isTypeOf(number, start);
      if (distance > MAX_DISTANCE_AFTER && !isInOwnKey && !isColumnName(number.text, keyword)) return;
      if (number.start === 0 && hasFieldBetween(number, start)) return;
      if (belongsToLaterNumber(number, start)) return;
      if (distance > NEXT_TO_NUMBER && describesNextNumber(number, keyword)) return;
      isOfNextNumber = isBeforeLongNumber(number.text, end);
      if (isOfNextNumber && hasLabel(number, ownKey)) return;
    } else return;
    if (targets.includes(GENERAL_TARGET) && this.#namesAnythingElse(start, end)) return;
    if (distance < this.#nearestSchemeDistance && targets[0] !== CARD_TARGET && !targets.includes(GENERAL_TARGET))
      this.#nearestSchemeDistance = distance;
    for (const target of targets) {
      if (isOfNextNumber && !canDescribeBefore(target, distance)) continue;
      if (target < FIRST_AMBIGUOUS_TARGET) this.#addTo(target, distance, end - start, isInOwnKey);
      else if (isTypeOfDocument(number, keyword))
        this.#addTo(target - FIRST_AMBIGUOUS_TARGET, distance, end - start, true);
      else if (end === ownKey?.end || this.#isDirectlyBefore(end))
        this.#addTo(target, distance, end - start, isInOwnKey);
    }
  }

  /**
   * Whether the general keyword text[start, end) is the id of a document, or the words of two
   * columns: `(txn_id, card_number)`.
   */
  #namesAnythingElse(start: number, end: number): boolean {
    const { text, start: numberStart } = this.#number;
    if (text.slice(start, end).includes(',')) return true;
    if ((unitAt(text, start) | CASE_BIT) !== LOWER_D || numberStart - start >= MAX_DOCUMENT_ID_LENGTH) return false;
    return DOCUMENT_ID.test(text.slice(start, numberStart));
  }

  /**
   * Whether nothing but punctuation, and words that change no meaning, are between a word that ends
   * at `end` and the number.
   */
  #isDirectlyBefore(end: number): boolean {
    const { text, start } = this.#number;
    if (end > start) return false;
    const { ownKey } = this;
    // The own key can be elsewhere: `cs1Label=ipn.platnyka cs1=32…`.
    const to = ownKey !== undefined && end > ownKey.start && end <= ownKey.end ? ownKey.end : start;
    let wordStart = -1;
    for (let i = end; i <= to; i++) {
      if (i < to && isTextWord(unitAt(text, i))) {
        if (wordStart < 0) wordStart = i;
      } else if (wordStart >= 0) {
        if (!NEUTRAL_WORDS.has(hashWordAt(text, wordStart, i))) return false;
        wordStart = -1;
      }
    }
    return true;
  }

  #addTo(target: number, distance: number, length: number, isInOwnKey: boolean): void {
    const known = this.keywordOf(target);
    if (known === undefined) {
      this.#near.push({ target, distance, length, isInOwnKey });
      return;
    }
    if (distance < known.distance || (distance === known.distance && length > known.length)) {
      known.distance = distance;
      known.length = length;
    }
    if (isInOwnKey) known.isInOwnKey = true;
  }
}

import type { Candidate } from './candidate.ts';
import { isTextWordAt } from './characters.ts';
import { CARD_TARGET, FIRST_AMBIGUOUS_TARGET, GENERAL_TARGET } from './keyword-index.ts';
import {
  belongsToAnotherValue,
  belongsToLaterNumber,
  describesNextNumber,
  hasFieldBetween,
  hasNumberSignBefore,
  isBeforeLongNumber,
  isNextKey,
} from './keyword-owner.ts';
import { NATIONAL_IDS } from './national-ids.ts';
import { NEUTRAL_WORDS } from './non-personal-words.ts';
import { findOwnKey, type OwnKey } from './own-key.ts';
import type { TextKeyword } from './text-keywords.ts';
import { hashWord } from './words.ts';

/** The maximum distance between a keyword and a number, in characters. */
const MAX_DISTANCE_BEFORE = 48;
const MAX_DISTANCE_AFTER = 30;
const MAX_KEYWORD_LENGTH = 64;
/** The distance of a keyword with only a blank between it and the number. */
const NEXT_TO_NUMBER = 1;
const WORD = /[\p{L}\p{M}\d]+/gu;
/** The id of a document, which can be any paper: `documento id 123`. */
const DOCUMENT_ID = /^documentos?\s(?:id|ref)\W{1,3}$/iu;
/** The beginning of the words that make a card of Thailand an identity card: `บัตรประชาชน`. */
const THAI_ID_CARD = 'ประ';

/** The nearest keyword of a target. */
interface NearKeyword {
  readonly target: number;
  /** In characters. */
  distance: number;
  length: number;
  /** Whether the number's own key contains the keyword. */
  isInOwnKey: boolean;
}

/** The keywords that are near enough to the number, before and after it. */
export function keywordsNear({ scanned, start, end }: Candidate): readonly TextKeyword[] {
  const { keywords } = scanned;
  let low = 0;
  let high = keywords.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keywords[middle] as TextKeyword).start < start - MAX_DISTANCE_BEFORE - MAX_KEYWORD_LENGTH) low = middle + 1;
    else high = middle;
  }
  const near: TextKeyword[] = [];
  for (let i = low; i < keywords.length && (keywords[i] as TextKeyword).start <= end + MAX_DISTANCE_AFTER; i++)
    if ((keywords[i] as TextKeyword).end >= start - MAX_DISTANCE_BEFORE) near.push(keywords[i] as TextKeyword);
  return near;
}

/**
 * The context of a number: its own key, and the keywords near it by target. A target is an index in
 * `NATIONAL_IDS`, `GENERAL_TARGET` or `CARD_TARGET`.
 */
export class NumberContext {
  readonly ownKey: OwnKey | undefined;
  readonly #number: Candidate;
  /** One for each target. */
  readonly #near: NearKeyword[] = [];
  /** The distance of the nearest keyword that names schemes only. */
  #schemeDistance = Infinity;

  constructor(number: Candidate, keywords: readonly TextKeyword[]) {
    const { text, start, end, glued } = number;
    this.#number = number;
    this.ownKey = glued ?? findOwnKey(text, start);
    if (glued !== undefined) this.#addTargets(glued, 0, Infinity);
    // The key of the next value, `123456789 ssn=…`, and what follows do not describe this number.
    const nextKey = keywords.find((keyword) => keyword.start >= end && isNextKey(text, keyword))?.start ?? text.length;
    for (const keyword of keywords) {
      if (keyword.start >= nextKey) break;
      if (keyword.end <= start) this.#addBefore(keyword);
      else if (keyword.start >= end) this.#addAfter(keyword);
    }
  }

  /** Whether the number's own key contains a keyword. */
  get hasKeywordInOwnKey(): boolean {
    return this.#near.some(({ isInOwnKey }) => isInOwnKey);
  }

  /** The distance of the nearest keyword, in characters. */
  get keywordDistance(): number {
    return this.#near.reduce((nearest, { distance }) => Math.min(nearest, distance), Infinity);
  }

  /** The distance of the nearest keyword that names a scheme or payment cards, in characters. */
  get namingDistance(): number {
    return this.#near.reduce(
      (nearest, { target, distance }) => (target === GENERAL_TARGET ? nearest : Math.min(nearest, distance)),
      Infinity,
    );
  }

  /**
   * Whether a general keyword is nearer than every keyword of a scheme, such as in `documento CPF`.
   */
  get isGeneralKeywordNearest(): boolean {
    return (this.keywordOf(GENERAL_TARGET)?.distance ?? Infinity) < this.#schemeDistance;
  }

  keywordOf(target: number): NearKeyword | undefined {
    for (const keyword of this.#near) if (keyword.target === target) return keyword;
    return undefined;
  }

  /** The ambiguous label of a national id directly before the number. */
  ambiguousKeywordOf(target: number): NearKeyword | undefined {
    return this.keywordOf(FIRST_AMBIGUOUS_TARGET + target);
  }

  /** Adds a keyword before the number, unless it belongs to another value. */
  #addBefore(keyword: TextKeyword): void {
    const { text, start } = this.#number;
    const distance = start - keyword.end;
    if (distance > MAX_DISTANCE_BEFORE || this.#isOfOtherText(keyword)) return;
    if (belongsToAnotherValue(keyword, this.#number, this.ownKey)) return;
    if (keyword.targets.includes(GENERAL_TARGET) && DOCUMENT_ID.test(text.slice(keyword.start, start))) return;
    // Ambiguous labels are the last targets.
    const isDirect =
      (keyword.targets.at(-1) as number) < FIRST_AMBIGUOUS_TARGET ||
      keyword.end === this.ownKey?.end ||
      this.#isDirectlyBefore(keyword.end);
    this.#addTargets(keyword, distance, isDirect ? Infinity : FIRST_AMBIGUOUS_TARGET);
  }

  /** Adds a keyword after the number, unless it describes the next number. */
  #addAfter(keyword: TextKeyword): void {
    const number = this.#number;
    const { text, end } = number;
    const distance = keyword.start - end;
    if (distance > MAX_DISTANCE_AFTER || this.#isOfOtherText(keyword)) return;
    if (number.start === 0 && hasFieldBetween(number, keyword.start)) return;
    if (belongsToLaterNumber(number, keyword.start)) return;
    if (distance > NEXT_TO_NUMBER && describesNextNumber(number, keyword)) return;
    const isOfNext = isBeforeLongNumber(text, keyword.end);
    if (isOfNext && (this.ownKey !== undefined || hasNumberSignBefore(number))) return;
    if (!isOfNext) return this.#addTargets(keyword, distance, FIRST_AMBIGUOUS_TARGET);
    const canDescribe = (target: number): boolean =>
      target !== GENERAL_TARGET && (distance <= NEXT_TO_NUMBER || NATIONAL_IDS[target]?.evidence !== 'format');
    this.#addTargets(keyword, distance, FIRST_AMBIGUOUS_TARGET, keyword.targets.filter(canDescribe));
  }

  /**
   * Whether the keyword is the host of an address, an identity card, or the words of two columns.
   */
  #isOfOtherText({ start, end, targets }: TextKeyword): boolean {
    const { text } = this.#number;
    if (text.charAt(start - 1) === '@' && isTextWordAt(text, start - 2)) return true;
    if (targets[0] === CARD_TARGET) return text.startsWith(THAI_ID_CARD, end);
    return targets.includes(GENERAL_TARGET) && text.slice(start, end).includes(',');
  }

  /**
   * Whether only punctuation, and words that change no meaning, are between `end` and the number.
   */
  #isDirectlyBefore(end: number): boolean {
    const { text, start } = this.#number;
    return [...text.slice(end, start).matchAll(WORD)].every(([word]) => NEUTRAL_WORDS.has(hashWord(word)));
  }

  /** Adds the targets of a keyword that are less than `limit`. */
  #addTargets(keyword: TextKeyword, distance: number, limit: number, targets = keyword.targets): void {
    const { ownKey } = this;
    const { start, end } = keyword;
    const length = end - start;
    const isInOwnKey = ownKey !== undefined && end > ownKey.start && end <= ownKey.end;
    if (keyword.targets[0] !== CARD_TARGET && !keyword.targets.includes(GENERAL_TARGET))
      this.#schemeDistance = Math.min(this.#schemeDistance, distance);
    for (const target of targets) {
      if (target >= limit) return;
      const known = this.keywordOf(target);
      if (known === undefined) this.#near.push({ target, distance, length, isInOwnKey });
      else {
        known.isInOwnKey ||= isInOwnKey;
        if (distance < known.distance || (distance === known.distance && length > known.length))
          Object.assign(known, { distance, length });
      }
    }
  }
}

// The keywords of all schemes, by the hashes of their words, so that the words of a text are looked
// up without building strings. Hashes ignore case and accents. About one of a million other words
// has the hash of a keyword.
import { type CodeUnits, characters, classAt } from './characters.ts';
import generalKeywords from './general-keywords.json' with { type: 'json' };
import { COUNTRIES, NATIONAL_IDS } from './national-ids.ts';
import { PAYMENT_CARD_KEYWORDS } from './payment-card.ts';

const { CLASSES, DIGIT, FOLDED, FOREIGN, LETTER, LOWER, TEXT_WORD, UPPER } = characters;

const MAX_WORD_LENGTH = 40;

/** The start value of the FNV-1a hash. */
export const HASH_START = 0x811c9dc5 | 0;

/** Adds a folded character to a hash. */
export function hashCharacter(hash: number, folded: number): number {
  return Math.imul(hash ^ folded, 16_777_619);
}

/** The hash of a phrase, from the hash of the words so far and the hash of the next word. */
export function hashPhrase(wordsSoFar: number, word: number): number {
  return Math.imul(wordsSoFar ^ 0x5bd1e995, 0x9e3779b1) ^ word;
}

/**
 * The hash of the word text[start, end). Other characters than those of words count as they are.
 */
export function hashWord(text: string, start = 0, end = text.length): number {
  let hash = HASH_START;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    const folded = FOLDED[code] as number;
    if (folded !== 1) hash = hashCharacter(hash, folded === 0 ? code : folded);
  }
  return hash;
}

/** The hash of the word of a text at [start, end). */
export function hashUnits(units: CodeUnits, start: number, end: number): number {
  let hash = HASH_START;
  for (let at = start; at < end; at++) {
    const folded = FOLDED[units[at] as number] as number;
    if (folded !== 1) hash = hashCharacter(hash, folded);
  }
  return hash;
}

/** The hashes of a list of words that blanks separate. */
export function hashWords(list: string): ReadonlySet<number> {
  return new Set(list.split(' ').map((word) => hashWord(word)));
}

/** The start of the word that ends at `end`, or of its last part: `Id` in `userId`. */
export function findWordStart(text: string, end: number): number {
  let at = end - 1;
  while (at > 0 && end - at < MAX_WORD_LENGTH && ((CLASSES[text.charCodeAt(at - 1)] as number) & TEXT_WORD) !== 0) {
    if (CLASSES[text.charCodeAt(at)] === UPPER && CLASSES[text.charCodeAt(at - 1)] === LOWER) break;
    at--;
  }
  return at;
}

// In `general-keywords.json`, `general` are keywords of identity numbers in general. A number that
// passes the check of a scheme needs no other. `afterAdjective` follow the adjective of a country.

/**
 * The target of a keyword: the index of a national id in `NATIONAL_IDS`, one of these two
 * constants, or the target of the ambiguous labels of a national id.
 */
export const GENERAL_TARGET: number = NATIONAL_IDS.length;
export const CARD_TARGET: number = NATIONAL_IDS.length + 1;
export const FIRST_AMBIGUOUS_TARGET: number = NATIONAL_IDS.length + 2;
/** The number of targets. */
export const TARGETS: number = FIRST_AMBIGUOUS_TARGET + NATIONAL_IDS.length;

/** One or more words of a text that are a keyword, the beginning of one, or both. */
interface IndexedWords {
  /** The targets of the keyword in ascending order. */
  targets: number[] | undefined;
  /** Whether a keyword continues with another word. */
  isBeginning: boolean;
}

/** A keyword in a script without blanks between words. The scanner searches the text for it. */
interface UnspacedKeyword {
  readonly keyword: string;
  targets: number[];
}

interface KeywordIndex {
  /** Keywords and the beginnings of phrases (the first word, the first two words and so on). */
  readonly words: ReadonlyMap<number, IndexedWords>;
  /** By the first code unit. */
  readonly unspaced: ReadonlyMap<number, readonly UnspacedKeyword[]>;
}

const INITIALS = /^(?:\p{L}\p{M}*\.){2,}$/u;
const UNSPACED_SCRIPT = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/u;
/**
 * The words of a keyword as a text has them. Initials keep their full stops, `p.k.`, and match only
 * with these. All other punctuation is optional in a text.
 */
function splitKeyword(keyword: string): string[] {
  return keyword
    .split(/[ '"/-]+/u)
    .flatMap((word) => (INITIALS.test(word) ? word : word.split('.')))
    .filter((word) => word !== '');
}

class IndexBuilder {
  readonly words = new Map<number, IndexedWords>();
  readonly unspaced = new Map<number, UnspacedKeyword[]>();

  /** Adds a keyword, also in the plural and as one word. */
  addKeyword(keyword: string, target: number): void {
    if (UNSPACED_SCRIPT.test(keyword)) return this.#addUnspaced(keyword, target);
    const words = splitKeyword(keyword);
    this.#addPhrase(words, target);
    this.#addPhrase([...words.slice(0, -1), `${words.at(-1)}s`], target);
    // A short phrase as one word, such as `tz`, would be ambiguous.
    const joined = words.join('');
    if (words.length > 1 && joined.length > 4) this.#addPhrase([joined], target);
  }

  /** Adds the label of a scheme, also with "number" in the same word: `bsnnumber`. */
  addLabel(label: string, target: number): void {
    this.addKeyword(label, target);
    // Two letters would be ambiguous.
    if (/^[\p{Script=Latin}\p{M}]{3,}(?<!number)$/u.test(label)) this.#addPhrase([`${label}number`], target);
  }

  #addPhrase(words: readonly string[], target: number): void {
    let hash = 0;
    words.forEach((word, index) => {
      hash = index === 0 ? hashWord(word) : hashPhrase(hash, hashWord(word));
      const entry = this.#entryOf(hash);
      if (index < words.length - 1) entry.isBeginning = true;
      else if (entry.targets === undefined) entry.targets = [target];
      else if (!entry.targets.includes(target)) entry.targets = [...entry.targets, target].sort((a, b) => a - b);
    });
    const [first = ''] = words;
    if (first.endsWith('#')) this.#entryOf(hashWord(first.slice(0, -1))).isBeginning = true;
  }

  #entryOf(hash: number): IndexedWords {
    const entry = this.words.get(hash) ?? { targets: undefined, isBeginning: false };
    this.words.set(hash, entry);
    return entry;
  }

  #addUnspaced(keyword: string, target: number): void {
    const code = keyword.charCodeAt(0);
    const keywords = this.unspaced.get(code) ?? [];
    const known = keywords.find((other) => other.keyword === keyword);
    if (known === undefined) this.unspaced.set(code, [...keywords, { keyword, targets: [target] }]);
    else if (!known.targets.includes(target)) known.targets = [...known.targets, target].sort((a, b) => a - b);
  }
}

function buildIndex(): KeywordIndex {
  const builder = new IndexBuilder();
  const adjectives = new Map(COUNTRIES.map((country) => [country.code, country.adjectives]));
  NATIONAL_IDS.forEach(({ labels, ambiguousLabels = {}, country }, target) => {
    for (const label of Object.values(labels).flat()) builder.addLabel(label, target);
    for (const label of Object.values(ambiguousLabels).flat())
      builder.addKeyword(label, FIRST_AMBIGUOUS_TARGET + target);
    for (const adjective of adjectives.get(country) ?? [])
      for (const ending of generalKeywords.afterAdjective) builder.addKeyword(`${adjective} ${ending}`, target);
  });
  for (const keyword of generalKeywords.general) builder.addKeyword(keyword, GENERAL_TARGET);
  for (const keyword of PAYMENT_CARD_KEYWORDS) builder.addKeyword(keyword, CARD_TARGET);
  return { words: builder.words, unspaced: builder.unspaced };
}

const INDEX = buildIndex();
/** 1 for the last 16 bits of every hash of the index. Most words of a text have other ones. */
const IS_INDEXED = new Uint8Array(2 ** 16);
for (const hash of INDEX.words.keys()) IS_INDEXED[hash & 0xffff] = 1;

/** The words with the hash, if they are a keyword or begin one. */
export function findIndexedWords(hash: number): IndexedWords | undefined {
  return IS_INDEXED[hash & 0xffff] === 0 ? undefined : INDEX.words.get(hash);
}

/** The keywords without blanks whose first code unit is `code`. */
export function findUnspacedKeywords(code: number): readonly UnspacedKeyword[] {
  return INDEX.unspaced.get(code) ?? [];
}

/** The hash of a word with the sign for "number" after it: `SS#`. */
export function hashWithNumberSign(hash: number): number {
  return hashCharacter(hash, 35);
}

// Finds a keyword that directly precedes a number: `pesel44051401359`, `ssn_123456789`.

/** A keyword at text[start, end). */
export interface TextKeyword {
  readonly start: number;
  readonly end: number;
  readonly targets: readonly number[];
}

/** Two letters before digits are often a part of a value: `CI12345678`. */
const MIN_LENGTH = 3;
const MAX_LENGTH = 24;
/**
 * The codes of brands in a reservation, and the first digits of their numbers: `*VI4111…`,
 * `CC/AX37…`.
 */
const BRAND_CODE = /(?:^|[\s*/.+:$‡¥§-])(?:VI4|(?:CA|MC|IK)[25]|MA[56]|AX3|DC3|JC3|(?:DS|UP)6|TP1)$/u;

/** A person in a certificate (ETSI EN 319 412-1): `PNOEE-48302106234`, `TINIT-…`, `IDCES-…`. */
const CERTIFICATE_PREFIX = /(?<![\w-])(?:PNO|TIN|IDC)([A-Z]{2})-$/u;

const TARGETS_BY_COUNTRY = new Map<string, number[]>();
NATIONAL_IDS.forEach(({ country }, target) => {
  TARGETS_BY_COUNTRY.set(country, [...(TARGETS_BY_COUNTRY.get(country) ?? []), target]);
});

/** Finds the identifier of a country before the number of a person in a certificate. */
export function findCertificateKeyword(text: string, numberStart: number): TextKeyword | undefined {
  const start = numberStart - 6;
  const country = CERTIFICATE_PREFIX.exec(text.slice(Math.max(0, start - 1), numberStart))?.[1];
  const targets = TARGETS_BY_COUNTRY.get(country ?? '');
  return targets && { start, end: numberStart, targets };
}

/** Finds the whole word before `numberStart` if it is a keyword. */
export function findAttachedKeyword(text: string, numberStart: number): TextKeyword | undefined {
  const end = text.charAt(numberStart - 1) === '_' ? numberStart - 1 : numberStart;
  let start = end;
  while (end - start <= MAX_LENGTH && (classAt(text, start - 1) & (LETTER | FOREIGN)) !== 0) start--;
  const length = end - start;
  if (length === 2 && end === numberStart && classAt(text, start) === UPPER)
    return BRAND_CODE.test(text.slice(Math.max(0, start - 1), end + 1))
      ? { start, end, targets: [CARD_TARGET] }
      : undefined;
  if (length < MIN_LENGTH || length > MAX_LENGTH || classAt(text, start - 1) === DIGIT) return undefined;
  const targets = findIndexedWords(hashWord(text, start, end))?.targets;
  return targets && { start, end, targets };
}

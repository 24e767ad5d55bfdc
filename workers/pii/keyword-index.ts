// The keywords of all schemes, by the hashes of their words.
import { COUNTRIES, NATIONAL_IDS } from '../../shared/pii/national-ids.ts';
import { PAYMENT_CARD_KEYWORDS } from '../../shared/pii/payment-card-kinds.ts';
import { ALPHA3_CODES } from './alpha3-codes.ts';
import { COUNTRY_KEYWORD_ENDINGS, GENERAL_KEYWORDS } from './general-keywords.ts';
import { hashPhrase, hashWord, normalizeWord } from './word-hash.ts';

/**
 * The target of a keyword: the index of a national id in `NATIONAL_IDS`, one of these two
 * constants, or the target of the ambiguous labels of a national id.
 */
export const GENERAL_TARGET = NATIONAL_IDS.length;
export const CARD_TARGET = NATIONAL_IDS.length + 1;
export const FIRST_AMBIGUOUS_TARGET = NATIONAL_IDS.length + 2;

/** One or more words of a text that are a keyword, the beginning of one, or both. */
interface IndexedWords {
  /** The targets of the keyword. */
  targets: number[] | undefined;
  /** Whether a keyword continues with another word. */
  isBeginning: boolean;
}

/** A keyword in a script without blanks between words. The scanner searches the text for it. */
interface UnspacedKeyword {
  readonly keyword: string;
  readonly targets: readonly number[];
}

interface KeywordIndex {
  /**
   * Keywords and the beginnings of phrases (the first word, the first two words and so on) by their
   * hash. About one of a million other words has the hash of a keyword.
   */
  readonly words: ReadonlyMap<number, Readonly<IndexedWords>>;
  /** A bit for every hash, by its last bits. The filter is small enough for a CPU cache. */
  readonly filter: Uint32Array;
  /** By the first code unit. */
  readonly unspaced: ReadonlyMap<number, readonly UnspacedKeyword[]>;
  /** The targets of object identifiers. */
  readonly oids: ReadonlyMap<string, readonly number[]>;
}

/** In words of 32 bits; a power of two. */
const FILTER_LENGTH = 4096;

const INITIALS = /^(?:\p{L}\.){2,}$/u;
/** A label that has other words in one word: `bsnnumber`. Two letters would be ambiguous. */
const CAN_BE_COMPOUND = /^\p{Script=Latin}{3,}(?<!number)$/u;
/** Words after a label in one word: `NIFTRABALHADOR`. */
const WORDS_AFTER =
  'number patient paciente client cliente customer titular empleado trabajador trabalhador aluno alumno persona'.split(
    ' ',
  );
/** Words before a label in one word: `NRODNI`. */
const WORDS_BEFORE = ['nro', 'num', 'numero'];
const UNSPACED_SCRIPT = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/u;

const ARABIC = /^[\u0600-\u06ff]/u;
/** Conjunctions and prepositions that Arabic joins to the next word. Two of them contract: `لل`. */
const ARABIC_PREFIXES = ['و', 'ف', 'ب', 'ل'];

/**
 * The words of a keyword as a text has them. Initials keep their full stops, `p.k.`, and match only
 * with these. All other punctuation is optional in a text.
 */
function splitKeyword(keyword: string): string[] {
  return normalizeWord(keyword)
    .split(/[ '"/-]+/u)
    .flatMap((word) => (INITIALS.test(word) ? word : word.split('.')))
    .filter((word) => word !== '');
}

function buildIndex(): KeywordIndex {
  const targets = new Map<number, number[]>();
  const beginnings = new Set<number>();
  const unspaced = new Map<string, number[]>();
  const oids = new Map<string, number[]>();
  const add = <K>(map: Map<K, number[]>, key: K, target: number): void => {
    const known = map.get(key);
    if (known === undefined) map.set(key, [target]);
    else if (!known.includes(target)) known.push(target);
  };
  const addKeyword = (keyword: string, target: number): void => {
    if (ARABIC.test(keyword))
      for (const prefix of ARABIC_PREFIXES) addWords(`${prefix}${keyword}`.replace(/^لال/u, 'لل'), target);
    addWords(keyword, target);
  };
  const addWords = (keyword: string, target: number): void => {
    if (UNSPACED_SCRIPT.test(keyword)) {
      add(unspaced, keyword, target);
      return;
    }
    const words = splitKeyword(keyword);
    for (const ending of ['', 's']) {
      add(targets, [...words.slice(0, -1), words.at(-1) + ending].map(hashWord).reduce(hashPhrase), target);
    }
    const [first = ''] = words;
    if (first.endsWith('#')) beginnings.add(hashWord(first.slice(0, -1)));
    if (words.length === 1) return;
    for (let count = 1; count < words.length; count++)
      beginnings.add(words.slice(0, count).map(hashWord).reduce(hashPhrase));
    // Phrases are also written as one word: `nationalid`, `taxfilenumber`. A short one such as `tz`
    // would be ambiguous.
    const joined = words.join('');
    if (joined.length > 4) add(targets, hashWord(joined), target);
  };
  const adjectives = new Map(COUNTRIES.map((country) => [country.code, country.adjectives]));
  NATIONAL_IDS.forEach(({ labels, ambiguousLabels = {}, oids: oidsOfScheme = [], country }, target) => {
    for (const oid of oidsOfScheme) add(oids, oid, target);
    // The type of HL7 for a national number: `751506825^^^…^NNNLD`.
    const alpha3 = ALPHA3_CODES.get(country);
    if (alpha3 !== undefined) addKeyword(`nn${alpha3}`, target);
    for (const label of Object.values(labels).flat()) {
      addKeyword(label, target);
      const word = normalizeWord(label).replaceAll(' ', '');
      if (!CAN_BE_COMPOUND.test(word)) continue;
      for (const before of WORDS_BEFORE) add(targets, hashWord(`${before}${word}`), target);
      if (label.includes(' ')) continue;
      for (const after of WORDS_AFTER) add(targets, hashWord(`${word}${after}`), target);
    }
    for (const label of Object.values(ambiguousLabels).flat()) addKeyword(label, FIRST_AMBIGUOUS_TARGET + target);
    for (const adjective of adjectives.get(country) ?? []) {
      for (const ending of COUNTRY_KEYWORD_ENDINGS) addKeyword(`${adjective} ${ending}`, target);
    }
  });
  for (const keyword of GENERAL_KEYWORDS) addKeyword(keyword, GENERAL_TARGET);
  for (const keyword of PAYMENT_CARD_KEYWORDS) addKeyword(keyword, CARD_TARGET);
  const words = new Map<number, IndexedWords>();
  const shared = new Map<string, IndexedWords>();
  for (const hash of [...targets.keys(), ...beginnings])
    words.set(hash, share(shared, targets.get(hash), beginnings.has(hash)));
  const filter = new Uint32Array(FILTER_LENGTH);
  for (const hash of words.keys()) {
    const at = (hash >>> 5) & (FILTER_LENGTH - 1);
    filter[at] = (filter[at] as number) | (1 << hash);
  }
  const unspacedByCode = new Map<number, UnspacedKeyword[]>();
  for (const [keyword, targetsOfKeyword] of unspaced) {
    const code = keyword.charCodeAt(0);
    unspacedByCode.set(code, [...(unspacedByCode.get(code) ?? []), { keyword, targets: targetsOfKeyword }]);
  }
  return { words, filter, unspaced: unspacedByCode, oids };
}

/** All words with the same targets share one object, so that these fit into a CPU cache. */
function share(known: Map<string, IndexedWords>, targets: number[] | undefined, isBeginning: boolean): IndexedWords {
  const key = `${targets?.join()} ${isBeginning}`;
  let words = known.get(key);
  if (words === undefined) {
    words = { targets, isBeginning };
    known.set(key, words);
  }
  return words;
}

export const KEYWORD_INDEX: KeywordIndex = buildIndex();

const { filter, words } = KEYWORD_INDEX;

/** The same words with open addressing, which needs less memory than a `Map`. */
const SLOTS = 32768;
const HASHES = new Int32Array(SLOTS);
/** The index in `DISTINCT_WORDS` plus one; 0 for an empty slot. */
const WORD_INDEXES = new Uint16Array(SLOTS);
const DISTINCT_WORDS = [...new Set(words.values())];
for (const [hash, wordsOfHash] of words) {
  let slot = hash & (SLOTS - 1);
  while (WORD_INDEXES[slot] !== 0) slot = (slot + 1) & (SLOTS - 1);
  HASHES[slot] = hash;
  WORD_INDEXES[slot] = DISTINCT_WORDS.indexOf(wordsOfHash) + 1;
}

/** Finds a keyword, or the beginning of one. The filter rejects most hashes before a lookup. */
export function findWords(hash: number): Readonly<IndexedWords> | undefined {
  if (((filter[(hash >>> 5) & (FILTER_LENGTH - 1)] as number) & (1 << hash)) === 0) return undefined;
  let slot = hash & (SLOTS - 1);
  while (HASHES[slot] !== hash) {
    if (WORD_INDEXES[slot] === 0) return undefined;
    slot = (slot + 1) & (SLOTS - 1);
  }
  return DISTINCT_WORDS[(WORD_INDEXES[slot] as number) - 1];
}

// Hashes of words, so that the words of a text are looked up without building strings.
import { characterClasses } from './character-classes.ts';
import { codes } from './character-codes.ts';
import type { ScannedText } from './scanned-text.ts';

const { unitAt } = characterClasses;
const { BEYOND_ASCII, CASE_BIT, UPPER_A, UPPER_Z } = codes;

/** Accents, Hebrew points, and vowel marks and the elongation of Arabic. */
const MARKS = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]/gu;
/** Letters that do not decompose, and letters of Arabic script that are written for one another. */
const EQUIVALENTS: Readonly<Record<string, string>> = {
  ł: 'l',
  ı: 'i',
  đ: 'd',
  ø: 'o',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ς: 'σ',
  º: '°',
  // Alef maksura and the Persian yeh.
  '\u0649': '\u064a',
  '\u06cc': '\u064a',
  // The Persian kaf.
  '\u06a9': '\u0643',
  // Teh marbuta, and the heh of Urdu and Persian.
  '\u0629': '\u0647',
  '\u06c1': '\u0647',
  '\u06d5': '\u0647',
};

/** The normalized forms of the code units that have occurred. */
const NORMALIZED_CODE_UNITS = new Map<number, string>();
/**
 * The same for forms of one code unit, by code unit. Most letters have one, and an array is faster
 * than a `Map`.
 */
const NORMALIZED_LETTERS = new Uint16Array(65536);

/** The start value of the FNV-1a hash. */
export const HASH_START = 0x811c9dc5 | 0;

/** Adds one character to an FNV-1a hash. */
export function hashCharacter(hash: number, code: number): number {
  return Math.imul(hash ^ code, 16_777_619);
}

/** The hash of a phrase, from the hash of the words so far and the hash of the next word. */
export function hashPhrase(wordsSoFar: number, word: number): number {
  return Math.imul(wordsSoFar ^ 0x5bd1e995, 0x9e3779b1) ^ word;
}

/** The hash of a word that is in lower case and without accents. */
export function hashWord(word: string): number {
  let hash = HASH_START;
  for (let i = 0; i < word.length; i++) hash = hashCharacter(hash, word.charCodeAt(i));
  return hash;
}

/** So many slots for each word, at least, so that most lookups read one slot. */
const SLOTS_PER_WORD = 4;

/**
 * A set of words by their hashes. It has open addressing, so that V8 inlines a lookup, unlike that
 * of a `Set`. About one of a million other words has the hash of one in it.
 */
export class WordSet {
  /** 0 in an empty slot. */
  readonly #slots: Int32Array;

  constructor(words: readonly string[]) {
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(words.length * SLOTS_PER_WORD)));
    for (const word of words) {
      const hash = hashWord(normalizeWord(word));
      this.#slots[this.#slotOf(hash)] = hash;
    }
  }

  has(hash: number): boolean {
    return this.#slots[this.#slotOf(hash)] === hash;
  }

  /** The slot of the hash, or the empty slot where it would be. */
  #slotOf(hash: number): number {
    const slots = this.#slots;
    const last = slots.length - 1;
    let slot = hash & last;
    while (slots[slot] !== hash && slots[slot] !== 0) slot = (slot + 1) & last;
    return slot;
  }
}

/** A list of words that is separated by blanks. */
export function hashWords(list: string): WordSet {
  return new WordSet(list.split(' '));
}

/** The hash of the word text[start, end), regardless of case and marks. */
export function hashWordAt(text: ScannedText, start: number, end: number): number {
  let hash = HASH_START;
  for (let i = start; i < end; i++) {
    const code = unitAt(text, i);
    if (code < BEYOND_ASCII) hash = hashCharacter(hash, code >= UPPER_A && code <= UPPER_Z ? code | CASE_BIT : code);
    else if (NORMALIZED_LETTERS[code] !== 0) hash = hashCharacter(hash, NORMALIZED_LETTERS[code] as number);
    else {
      const normalized = normalizeCodeUnit(code);
      for (let j = 0; j < normalized.length; j++) hash = hashCharacter(hash, normalized.charCodeAt(j));
    }
  }
  return hash;
}

/**
 * Converts a word to lower case without marks, so that `Numéro`, `NUMERO` and `numero` are equal.
 */
export function normalizeWord(word: string): string {
  let normalized = '';
  for (let i = 0; i < word.length; i++) normalized += normalizeCodeUnit(word.charCodeAt(i));
  return normalized;
}

function normalizeCodeUnit(code: number): string {
  let normalized = NORMALIZED_CODE_UNITS.get(code);
  if (normalized === undefined) {
    normalized = String.fromCharCode(code).toLowerCase().normalize('NFD').replace(MARKS, '');
    normalized = EQUIVALENTS[normalized] ?? normalized;
    NORMALIZED_CODE_UNITS.set(code, normalized);
    if (normalized.length === 1) NORMALIZED_LETTERS[code] = normalized.charCodeAt(0);
  }
  return normalized;
}

// Hashes of words, so that the words of a text are looked up without building strings. They ignore
// case and accents. About one of a million other words has the hash of a word that is looked up.
import { CLASSES, type CodeUnits, FOLDED, LOWER, TEXT_WORD, UPPER } from './characters.ts';

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

/**
 * Values by the hashes of words. Unlike a `Map`, it fits into the cache of a CPU. A bit for each of
 * the first 17 bits of the hashes rejects most words without a value.
 */
export class WordTable<T> {
  readonly #bits = new Uint8Array(2 ** 14);
  readonly #hashes: Int32Array;
  readonly #values: (T | undefined)[];

  constructor(values: ReadonlyMap<number, T>) {
    const slots = 2 ** Math.ceil(Math.log2(values.size * 2));
    this.#hashes = new Int32Array(slots);
    this.#values = Array.from({ length: slots }, () => undefined);
    for (const [hash, value] of values) {
      const slot = this.#slotOf(hash);
      this.#hashes[slot] = hash;
      this.#values[slot] = value;
      this.#bits[hash >>> 18] = (this.#bits[hash >>> 18] as number) | (1 << ((hash >>> 15) & 7));
    }
  }

  get(hash: number): T | undefined {
    if (((this.#bits[hash >>> 18] as number) & (1 << ((hash >>> 15) & 7))) === 0) return undefined;
    return this.#values[this.#slotOf(hash)];
  }

  /** The slot of the hash, or the empty slot where it would be. */
  #slotOf(hash: number): number {
    const hashes = this.#hashes;
    const last = hashes.length - 1;
    let slot = hash & last;
    while (hashes[slot] !== hash && hashes[slot] !== 0) slot = (slot + 1) & last;
    return slot;
  }
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

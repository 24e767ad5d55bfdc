// Counts the tokens that a word has in the encoding o200k_base. Words are matched by the pattern of
// gpt-tokenizer. gpt-tokenizer searches all pairs of a word before each merge, in quadratic time.
// This file keeps the pairs in a heap and merges them in the same order, so that the counts are the
// same. It takes n log n time for n bytes.
import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';
import { findRank, type TokenRanks } from './token-ranks.ts';

/** Matches the words of a text. No token crosses the border of a word. */
export const wordPattern = O200K_TOKEN_SPLIT_REGEX;

/** The rank of two tokens that do not merge, which is above all others. */
const noRank = 0x7fffffff;
/**
 * Greater than any position in a word. An entry of the heap is `rank * positionLimit + position`,
 * so the lowest entry is the leftmost pair of the lowest rank.
 */
const positionLimit = 2 ** 31;
const slotBits = 16;
const initialCapacity = 1024;

/**
 * Creates a function that counts the tokens of a word that `wordPattern` matches. The function uses
 * the same arrays for all words.
 */
export function createWordCounter(ranks: TokenRanks): (word: string) => number {
  const byteTokens = Int32Array.from({ length: 256 }, (_, byte) => findRank(ranks, Uint8Array.of(byte), 0, 1));
  if (byteTokens.includes(-1)) throw new RangeError('the encoding must have a token for each of the 256 bytes');

  const recent = new RecentRanks();
  let bytes = Buffer.alloc(0);
  // Four arrays, indexed by the position of a token's first byte: the token, the positions of the
  // tokens after and before it, and the rank of the pair that begins with it.
  let tokens = new Int32Array(0);
  let next = new Int32Array(0);
  let previous = new Int32Array(0);
  let pairRanks = new Int32Array(0);
  const heap = new PairHeap();

  function countWordTokens(word: string): number {
    // A UTF-16 code unit takes up to three bytes in UTF-8.
    ensureCapacity(3 * word.length);
    const length = writeUtf8(word, bytes);
    if (length <= ranks.maxBytes && findRank(ranks, bytes, 0, length) >= 0) return 1;
    heap.reset(length);
    for (let at = 0; at < length; at += 1) {
      tokens[at] = byteTokens[bytes[at] as number] as number;
      next[at] = at + 1;
      previous[at] = at - 1;
    }
    for (let at = 0; at < length; at += 1) rankPair(at, length);
    let count = length;
    while (heap.size > 0) {
      const lowest = heap.popLowest();
      const at = lowest % positionLimit;
      const rank = (lowest - at) / positionLimit;
      // One token of this pair has been merged with another one in the meantime.
      if (pairRanks[at] !== rank) continue;
      const second = next[at] as number;
      const after = next[second] as number;
      // The rank of a pair is the token that it merges into.
      tokens[at] = rank;
      next[at] = after;
      if (after < length) previous[after] = at;
      pairRanks[second] = noRank;
      count -= 1;
      rankPair(at, length);
      const before = previous[at] as number;
      if (before >= 0) rankPair(before, length);
    }
    return count;
  }

  /** Determines the rank of the pair that begins at a position, and adds the pair to the heap. */
  function rankPair(at: number, length: number): void {
    const second = next[at] as number;
    const rank = second < length ? rankOfPair(at, second, next[second] as number) : noRank;
    pairRanks[at] = rank;
    if (rank !== noRank) heap.push(rank * positionLimit + at);
  }

  function rankOfPair(at: number, second: number, end: number): number {
    if (end - at > ranks.maxBytes) return noRank;
    const left = tokens[at] as number;
    const right = tokens[second] as number;
    const known = recent.find(left, right);
    if (known !== -1) return known;
    const found = findRank(ranks, bytes, at, end);
    return recent.store(left, right, found < 0 ? noRank : found);
  }

  function ensureCapacity(length: number): void {
    if (bytes.length >= length) return;
    const size = Math.max(initialCapacity, length);
    bytes = Buffer.alloc(size);
    tokens = new Int32Array(size);
    next = new Int32Array(size);
    previous = new Int32Array(size);
    pairRanks = new Int32Array(size);
  }

  return countWordTokens;
}

/** Writes a word as UTF-8. @returns the number of bytes. */
function writeUtf8(word: string, bytes: Buffer): number {
  const { length } = word;
  for (let at = 0; at < length; at += 1) {
    const code = word.charCodeAt(at);
    if (code > 0x7f) return bytes.write(word, 'utf8');
    bytes[at] = code;
  }
  return length;
}

/** The ranks of recent pairs. Each pair has one slot, which other pairs can overwrite. */
class RecentRanks {
  readonly #left = new Int32Array(2 ** slotBits).fill(-1);
  readonly #right = new Int32Array(2 ** slotBits);
  readonly #rank = new Int32Array(2 ** slotBits);

  /** @returns -1 if the pair is not stored. */
  find(left: number, right: number): number {
    const slot = slotOf(left, right);
    return this.#left[slot] === left && this.#right[slot] === right ? (this.#rank[slot] as number) : -1;
  }

  /** @returns the rank. */
  store(left: number, right: number, rank: number): number {
    const slot = slotOf(left, right);
    this.#left[slot] = left;
    this.#right[slot] = right;
    this.#rank[slot] = rank;
    return rank;
  }
}

const slotOf = (left: number, right: number) =>
  (Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b)) >>> (32 - slotBits);

/** A binary heap of numbers, lowest first. */
class PairHeap {
  #entries = new Float64Array(0);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /**
   * Prepares for a word of so many bytes. Each byte adds one entry at most, and each merge at most
   * two.
   */
  reset(length: number): void {
    this.#size = 0;
    if (this.#entries.length < 3 * length) this.#entries = new Float64Array(3 * Math.max(initialCapacity, length));
  }

  push(entry: number): void {
    const entries = this.#entries;
    let at = this.#size;
    this.#size += 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = entries[parent] as number;
      if (above <= entry) break;
      entries[at] = above;
      at = parent;
    }
    entries[at] = entry;
  }

  popLowest(): number {
    const entries = this.#entries;
    const lowest = entries[0] as number;
    this.#size -= 1;
    const size = this.#size;
    const entry = entries[size] as number;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && (entries[child + 1] as number) < (entries[child] as number)) child += 1;
      if ((entries[child] as number) >= entry) break;
      entries[at] = entries[child] as number;
      at = child;
    }
    entries[at] = entry;
    return lowest;
  }
}

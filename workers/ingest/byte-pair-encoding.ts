// Counts the tokens of a word in the encoding o200k_base. The ranks and the rule for words are those of gpt-tokenizer. Its
// merge searches all pairs of a word before each step, which is quadratic; this one keeps the pairs in a heap, merges in
// the same order, and so has the same counts in n log n. The arrays are kept between words, and one word is counted at
// a time.
import rankedTokens from 'gpt-tokenizer/bpeRanks/o200k_base';
import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';

/** Splits a text into words. No token crosses the border of a word. */
export const wordPattern = O200K_TOKEN_SPLIT_REGEX;

/** The rank of every token, which is its id too, by its bytes as a string of code units below 256. */
const ranks = new Map<string, number>();
let maxTokenBytes = 0;
rankedTokens.forEach((token, rank) => {
  const bytes = typeof token === 'string' ? toByteString(token) : Buffer.from(token).toString('latin1');
  ranks.set(bytes, rank);
  maxTokenBytes = Math.max(maxTokenBytes, bytes.length);
});
const byteTokens = Int32Array.from({ length: 256 }, (_, byte) => ranks.get(String.fromCharCode(byte)) ?? none());

/** The rank of two tokens that do not merge. Above all others. */
const noRank = 0x7fffffff;
/** An entry of the heap is `rank * positions + position`, so that the lowest is the leftmost pair of the lowest rank. */
const positions = 2 ** 31;

// The ranks of recent pairs. A pair has one slot, and replaces what was there.
const slotBits = 16;
const slotLeft = new Int32Array(2 ** slotBits).fill(-1);
const slotRight = new Int32Array(2 ** slotBits);
const slotRank = new Int32Array(2 ** slotBits);

let bytes = '';
/** By the position of its first byte: the token, those beside it, and the rank of the pair that begins with it. */
let tokens = new Int32Array(0);
let next = new Int32Array(0);
let previous = new Int32Array(0);
let pairRanks = new Int32Array(0);
let heap = new Float64Array(0);
let heapSize = 0;

/** The number of tokens of a word of the pattern. */
export function countWordTokens(word: string): number {
  bytes = toByteString(word);
  const { length } = bytes;
  if (length <= maxTokenBytes && ranks.has(bytes)) return 1;
  ensureCapacity(length);
  heapSize = 0;
  for (let at = 0; at < length; at += 1) {
    tokens[at] = byteTokens[bytes.charCodeAt(at)] as number;
    next[at] = at + 1;
    previous[at] = at - 1;
  }
  for (let at = 0; at < length; at += 1) rankPair(at, length);
  let count = length;
  while (heapSize > 0) {
    const lowest = popLowest();
    const at = lowest % positions;
    const rank = (lowest - at) / positions;
    // One of the two was merged with another token since.
    if (pairRanks[at] !== rank) continue;
    const merged = next[at] as number;
    const after = next[merged] as number;
    tokens[at] = rank;
    next[at] = after;
    if (after < length) previous[after] = at;
    pairRanks[merged] = noRank;
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
  const rank = second < length ? findRank(at, second, next[second] as number) : noRank;
  pairRanks[at] = rank;
  if (rank !== noRank) push(rank * positions + at);
}

function findRank(at: number, second: number, end: number): number {
  if (end - at > maxTokenBytes) return noRank;
  const left = tokens[at] as number;
  const right = tokens[second] as number;
  const slot = (Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b)) >>> (32 - slotBits);
  if (slotLeft[slot] === left && slotRight[slot] === right) return slotRank[slot] as number;
  const rank = ranks.get(bytes.slice(at, end)) ?? noRank;
  slotLeft[slot] = left;
  slotRight[slot] = right;
  slotRank[slot] = rank;
  return rank;
}

function push(entry: number): void {
  let at = heapSize;
  heapSize += 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = heap[parent] as number;
    if (above <= entry) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = entry;
}

function popLowest(): number {
  const lowest = heap[0] as number;
  heapSize -= 1;
  const entry = heap[heapSize] as number;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heapSize) break;
    if (child + 1 < heapSize && (heap[child + 1] as number) < (heap[child] as number)) child += 1;
    if ((heap[child] as number) >= entry) break;
    heap[at] = heap[child] as number;
    at = child;
  }
  heap[at] = entry;
  return lowest;
}

function ensureCapacity(length: number): void {
  if (tokens.length >= length) return;
  const size = Math.max(1024, length);
  tokens = new Int32Array(size);
  next = new Int32Array(size);
  previous = new Int32Array(size);
  pairRanks = new Int32Array(size);
  // Every byte adds a pair, and every merge two.
  heap = new Float64Array(3 * size);
}

/** The bytes of a text in UTF-8 as code units. ASCII stays as it is. */
function toByteString(text: string): string {
  for (let i = 0; i < text.length; i += 1) {
    if (text.charCodeAt(i) > 0x7f) return Buffer.from(text, 'utf8').toString('latin1');
  }
  return text;
}

function none(): never {
  throw new RangeError('the encoding has no token for a byte');
}

// The seconds of an hour with entries, in words of 32 bits. Windows of a year of hours are counted
// for several designs within one request, so bits are counted 32 at a time.
import type { ActiveSeconds } from '../../usage/level-count.ts';

export const secondsPerHour = 3_600;
const wordBits = 32;
/** The words of an hour, and those that a window of 300 s at its end reaches into. */
const wordCount = Math.ceil((secondsPerHour + 300) / wordBits) + 1;
/** A prompt stays in the cache for so long after its last use. */
const cacheSeconds = 300;

/** Second s is bit `s & 31` of word `s >> 5`. */
export type SecondWords = Int32Array;

/** The seconds that are active in any of the parts. */
export function unionOf(parts: readonly ActiveSeconds[]): SecondWords {
  const words = new Int32Array(wordCount);
  for (const bytes of parts) {
    let at = 0;
    for (; at + 3 < bytes.length; at += 4) {
      const low = (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
      const high = (bytes[at + 2] as number) | ((bytes[at + 3] as number) << 8);
      words[at >> 2] = (words[at >> 2] as number) | low | (high << 16);
    }
    for (; at < bytes.length; at += 1) {
      words[at >> 2] = (words[at >> 2] as number) | ((bytes[at] as number) << ((at & 3) << 3));
    }
  }
  return words;
}

export function countActive(words: SecondWords): number {
  let count = 0;
  for (let index = 0; index < wordCount; index += 1) count += countBits(words[index] as number);
  return count;
}

/** @returns `secondsPerHour` if no second from `start` on is active. */
export function nextActive(words: SecondWords, start: number): number {
  let index = start >> 5;
  let word = (words[index] as number) & (-1 << (start & 31));
  while (word === 0) {
    index += 1;
    if (index >= wordCount) return secondsPerHour;
    word = words[index] as number;
  }
  return index * wordBits + lowestBit(word);
}

/** -1 if no second is active. */
export function lastActive(words: SecondWords): number {
  for (let index = wordCount - 1; index >= 0; index -= 1) {
    const word = words[index] as number;
    if (word !== 0) return index * wordBits + 31 - Math.clz32(word);
  }
  return -1;
}

/** The number of active seconds from `start` to `start + length`, exclusive. */
export function countWithin(words: SecondWords, start: number, length: number): number {
  let count = 0;
  let at = start;
  for (let rest = length; rest > wordBits; rest -= wordBits, at += wordBits) count += countBits(bitsFrom(words, at));
  const last = length % wordBits;
  return count + countBits(last === 0 ? bitsFrom(words, at) : bitsFrom(words, at) & ~(-1 << last));
}

/** The 32 seconds from `start` on; those after the hour are not active. */
function bitsFrom(words: SecondWords, start: number): number {
  const index = start >> 5;
  const shift = start & 31;
  const low = (words[index] as number) >>> shift;
  // A shift by 32 is a shift by 0, so the second one is split.
  return low | (((words[index + 1] as number) << 1) << (31 - shift));
}

/** The number of runs of active seconds, which end where the next one is more than 300 s later. */
export function countRuns(words: SecondWords): number {
  let runs = 0;
  let end = -Infinity;
  for (let second = nextActive(words, 0); second < secondsPerHour; second = nextActive(words, end + 1)) {
    if (second - end > cacheSeconds) runs += 1;
    end = endOfStretch(words, second);
  }
  return runs;
}

/** The last of the active seconds that follow `start` without a gap. */
function endOfStretch(words: SecondWords, start: number): number {
  let index = start >> 5;
  let gaps = ~(words[index] as number) & (-1 << (start & 31));
  while (gaps === 0) {
    index += 1;
    gaps = ~(words[index] as number);
  }
  return index * wordBits + lowestBit(gaps) - 1;
}

const lowestBit = (word: number) => 31 - Math.clz32(word & -word);

function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

import type { ActiveSeconds } from '../../usage/level-count.ts';

export const secondsPerHour = 3_600;
const wordBits = 32;
/** The words of an hour, and those that a window of 300 s at its end reaches into. */
const wordCount = Math.ceil((secondsPerHour + 300) / wordBits) + 1;
/** A prompt stays in the cache for so long after its last use. */
const cacheSeconds = 300;

/**
 * The seconds of an hour with entries. Windows of a year of hours are counted for several designs
 * within one request, so bits are counted 32 at a time, and those before each word only once.
 */
export class SecondSet {
  /** Second s is bit `s & 31` of word `s >> 5`. */
  readonly #words: Int32Array;
  /** The number of active seconds before each word. */
  readonly #before = new Uint16Array(wordCount);
  /** The number of active seconds. */
  readonly size: number;

  /** The seconds that are active in any of the parts. */
  constructor(parts: readonly ActiveSeconds[]) {
    this.#words = unionOf(parts);
    let count = 0;
    for (let index = 0; index < wordCount; index += 1) {
      this.#before[index] = count;
      count += countBits(this.#words[index] as number);
    }
    this.size = count;
  }

  /** The first active second from `start` on; `secondsPerHour` if there is none. */
  next(start: number): number {
    let index = start >> 5;
    let word = (this.#words[index] as number) & (-1 << (start & 31));
    while (word === 0) {
      index += 1;
      if (index >= wordCount) return secondsPerHour;
      word = this.#words[index] as number;
    }
    return index * wordBits + lowestBit(word);
  }

  /** The second after the last active one; 0 if there is none. */
  get end(): number {
    for (let index = wordCount - 1; index >= 0; index -= 1) {
      const word = this.#words[index] as number;
      if (word !== 0) return index * wordBits + wordBits - Math.clz32(word);
    }
    return 0;
  }

  /** The number of active seconds before `second`, up to 300 s after the hour. */
  countBefore(second: number): number {
    const index = second >> 5;
    return (this.#before[index] as number) + countBits((this.#words[index] as number) & ~(-1 << (second & 31)));
  }

  /** The number of runs of active seconds, which end where the next one is more than 300 s later. */
  countRuns(): number {
    let runs = 0;
    let end = -Infinity;
    for (let second = this.next(0); second < secondsPerHour; second = this.next(end + 1)) {
      if (second - end > cacheSeconds) runs += 1;
      end = this.#endOfStretch(second);
    }
    return runs;
  }

  /** The last of the active seconds that follow `start` without a gap. */
  #endOfStretch(start: number): number {
    let index = start >> 5;
    let gaps = ~(this.#words[index] as number) & (-1 << (start & 31));
    while (gaps === 0) {
      index += 1;
      gaps = ~(this.#words[index] as number);
    }
    return index * wordBits + lowestBit(gaps) - 1;
  }
}

function unionOf(parts: readonly ActiveSeconds[]): Int32Array {
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

const lowestBit = (word: number) => 31 - Math.clz32(word & -word);

function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

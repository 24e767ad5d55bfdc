import { addSeconds } from '../../usage/active-seconds.ts';
import { type ActiveSeconds, activeSecondsWords } from '../../usage/level-count.ts';
import { pooledWords } from '../../usage/pooled-words.ts';

export const secondsPerHour = 3_600;
const wordBits = 32;
/** A prompt stays in the cache for so long after its last use. */
const cacheSeconds = 300;

/**
 * The seconds of an hour with entries. Windows of a year of hours are counted for several designs
 * within one request, so the seconds before each word are counted only once.
 */
export class SecondSet {
  readonly #words: ActiveSeconds;
  /** The number of active seconds before each word. */
  readonly #before = pooledWords();
  /** The number of active seconds. */
  readonly size: number;

  /** The seconds that are active in any of the parts. */
  constructor(parts: readonly ActiveSeconds[]) {
    this.#words = unionOf(parts);
    let count = 0;
    for (let index = 0; index < activeSecondsWords; index += 1) {
      this.#before[index] = count;
      count += countBits(this.#words[index] as number);
    }
    this.size = count;
  }

  /** The second after the last active one; 0 if there is none. */
  get end(): number {
    let index = activeSecondsWords - 1;
    while (index > 0 && this.#words[index] === 0) index -= 1;
    return index * wordBits + wordBits - Math.clz32(this.#words[index] as number);
  }

  /**
   * Counts windows by the number of their active seconds. The first one begins at the first active
   * second and lasts `width` seconds, the next one begins at the first active second after it.
   * @param counts the windows with 0, 1, 2 and so on active seconds, to which these are added.
   */
  countWindows(width: number, counts: Int32Array): void {
    const [words, before, size] = [this.#words, this.#before, this.size];
    if (size === 0) return;
    let end = nextActive(words, 0, words[0] as number) + width;
    for (let counted = 0; counted < size; ) {
      const index = end >> 5;
      const word = index < activeSecondsWords ? (words[index] as number) : 0;
      const fromEnd = -1 << (end & 31);
      const passed = index < activeSecondsWords ? (before[index] as number) + countBits(word & ~fromEnd) : size;
      counts[passed - counted] = (counts[passed - counted] as number) + 1;
      counted = passed;
      if (counted < size) end = nextActive(words, index, word & fromEnd) + width;
    }
  }

  /** The number of runs of active seconds. A run ends where the next one is over 300 s later. */
  countRuns(): number {
    let runs = 0;
    let end = -Infinity;
    for (let index = 0; index < activeSecondsWords; index += 1) {
      const word = this.#words[index] as number;
      if (word === 0) continue;
      // Seconds of one word are less than 300 s apart.
      if (index * wordBits + lowestBit(word) - end > cacheSeconds) runs += 1;
      end = index * wordBits + wordBits - 1 - Math.clz32(word);
    }
    return runs;
  }
}

function unionOf(parts: readonly ActiveSeconds[]): ActiveSeconds {
  const [only] = parts;
  if (only && parts.length === 1) return only;
  const words = pooledWords();
  for (const part of parts) addSeconds(words, part);
  return words;
}

const lowestBit = (word: number) => 31 - Math.clz32(word & -word);

/** The first active second of the rest of a word, or of the words after it, which have one. */
function nextActive(words: ActiveSeconds, index: number, rest: number): number {
  let at = index;
  let word = rest;
  while (word === 0) {
    at += 1;
    word = words[at] as number;
  }
  return at * wordBits + lowestBit(word);
}

function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

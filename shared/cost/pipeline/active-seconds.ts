import { type ActiveSeconds, activeSecondsWords, addSeconds, pooledSeconds } from '../../usage/active-seconds.ts';

export const secondsPerHour = 3_600;
const wordBits = 32;

const maxWindowSeconds = 300;
/** Windows without a gap are counted together, up to so many seconds. */
const blockSeconds = 32;

// The lists are those of one set, whose windows are counted in several widths: new lists for every
// hour of a year would take as long as counting.
/** The active seconds, ascending. */
const ascending = new Uint16Array(secondsPerHour + 1);
/** The number of active seconds before each second, also after the hour, where windows end. */
const preceding = new Uint16Array(secondsPerHour + maxWindowSeconds);

/** The seconds of an hour with entries. */
export class SecondSet {
  /** The set that is in the lists. */
  static #listed: SecondSet | undefined;
  readonly #words: ActiveSeconds;
  /** The number of active seconds. */
  readonly size: number;

  /** The seconds that are active in any of the parts. */
  constructor(parts: readonly ActiveSeconds[]) {
    this.#words = unionOf(parts);
    let size = 0;
    for (let index = 0; index < activeSecondsWords; index += 1) size += countBits(this.#words[index] as number);
    this.size = size;
  }

  /** The second after the last active one; 0 if there is none. */
  get end(): number {
    let index = activeSecondsWords - 1;
    while (index > 0 && this.#words[index] === 0) index -= 1;
    return index * wordBits + wordBits - Math.clz32(this.#words[index] as number);
  }

  /**
   * Measures windows. The first one begins at the first active second and lasts `width` seconds,
   * the next one begins at the first active second after it.
   * @param width up to 300 seconds.
   * @param counts windows with 0, 1, 2 and so on active seconds, to which these are added.
   */
  measureWindows(width: number, counts?: Int32Array): { count: number; most: number } {
    if (SecondSet.#listed !== this) this.#list();
    const { size } = this;
    const together = Math.floor(blockSeconds / width);
    const block = together * width;
    let count = 0;
    let most = 0;
    for (let first = 0; first < size; ) {
      const start = ascending[first] as number;
      let next = preceding[start + width] as number;
      const active = next - first;
      let windows = 1;
      // Many windows have no gap where almost all seconds are active.
      if (active === width && together > 1 && preceding[start + block] === first + block) {
        next = first + block;
        windows = together;
      }
      if (counts !== undefined) counts[active] = (counts[active] as number) + windows;
      if (active > most) most = active;
      count += windows;
      first = next;
    }
    return { count, most };
  }

  /** The first active second; 3,600 if there is none. */
  get start(): number {
    for (let index = 0; index < activeSecondsWords; index += 1) {
      const word = this.#words[index] as number;
      if (word !== 0) return index * wordBits + lowestBit(word);
    }
    return secondsPerHour;
  }

  /**
   * The number of runs of active seconds that begin in the hour. A run ends where the next active
   * second is more than `gap` seconds later.
   * @param gap at least 32.
   * @param previous the last active second before the hour, from its start: negative.
   */
  countRuns(gap: number, previous = -Infinity): number {
    let runs = 0;
    let end = previous;
    for (let index = 0; index < activeSecondsWords; index += 1) {
      const word = this.#words[index] as number;
      if (word === 0) continue;
      // Seconds of one word are less than 32 s apart.
      if (index * wordBits + lowestBit(word) - end > gap) runs += 1;
      end = index * wordBits + wordBits - 1 - Math.clz32(word);
    }
    return runs;
  }

  #list(): void {
    let count = 0;
    let second = 0;
    for (let index = 0; index < activeSecondsWords; index += 1) {
      const end = Math.min(second + wordBits, secondsPerHour);
      // Without a branch, because seconds with and without entries alternate at random.
      for (let rest = this.#words[index] as number; second < end; rest >>= 1) {
        preceding[second] = count;
        ascending[count] = second;
        count += rest & 1;
        second += 1;
      }
    }
    preceding.fill(count, secondsPerHour);
    SecondSet.#listed = this;
  }
}

function unionOf(parts: readonly ActiveSeconds[]): ActiveSeconds {
  const [only] = parts;
  if (only && parts.length === 1) return only;
  const words = pooledSeconds();
  for (const part of parts) addSeconds(words, part);
  return words;
}

const lowestBit = (word: number) => 31 - Math.clz32(word & -word);

function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

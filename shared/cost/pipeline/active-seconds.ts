import { type ActiveSeconds, activeSecondsWords, addSeconds, pooledSeconds } from '../../usage/active-seconds.ts';
import { ceilDiv, type Exact, plus, times } from './exact.ts';

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

/** The windows of an hour. */
export interface Windows {
  /** The number of windows. */
  readonly count: number;
  /**
   * Distributes a total over the windows, in parts of at most `size`: an integer up to 2^41.
   * @returns the number of parts.
   */
  spread(total: Exact, size: number): Exact;
}

/** Windows by the number of their active seconds: only this matters for a spread. */
interface WindowSize {
  readonly seconds: number;
  readonly windows: number;
}

const maxWidth = 300;
/** Counts the windows of one hour at a time. It is all zeros in between. */
const bySeconds = new Int32Array(maxWidth + 1);
/** Up to this total, its products with the seconds of a window are below 2^53. */
const maxTotal = Math.floor(Number.MAX_SAFE_INTEGER / maxWidth);

/** Windows whose parts of a total are as large as the share of their active seconds. */
export class ActiveWindows implements Windows {
  readonly width: number;
  readonly count: number;
  /** The active seconds of the fullest window. */
  readonly #most: number;
  readonly #seconds: SecondSet;
  #sizes: readonly WindowSize[] | undefined;

  /**
   * The first window begins at the first active second and lasts `width` seconds, the next one
   * begins at the first active second after it.
   * @param width 1 to 300 seconds.
   */
  constructor(seconds: SecondSet, width: number) {
    this.width = width;
    this.#seconds = seconds;
    const { size } = seconds;
    if (width === 1 || size === secondsPerHour) {
      this.count = Math.ceil(size / width);
      this.#most = Math.min(width, size);
      return;
    }
    const { count, most } = seconds.measureWindows(width);
    this.count = count;
    this.#most = most;
  }

  /** Ascending by seconds. */
  get sizes(): readonly WindowSize[] {
    this.#sizes ??= sizesOf(this.#seconds, this.width);
    return this.#sizes;
  }

  /** Σ over windows ⌈total · seconds / (active · size)⌉. */
  spread(total: Exact, size: number): Exact {
    const divisor = this.#seconds.size * size;
    if (typeof total === 'bigint' || total > maxTotal) return this.#spreadLarge(total, divisor);
    if (total === 0) return 0;
    // Each window has one part, as in most hours, so windows are sorted by size only for others.
    if (total * this.#most <= divisor) return this.count;
    let parts = 0;
    for (const { seconds, windows } of this.sizes) parts += windows * Math.ceil((total * seconds) / divisor);
    return parts;
  }

  #spreadLarge(total: Exact, divisor: number): Exact {
    let parts: Exact = 0;
    for (const { seconds, windows } of this.sizes) {
      parts = plus(parts, times(windows, ceilDiv(times(total, seconds), divisor)));
    }
    return parts;
  }
}

function sizesOf(seconds: SecondSet, width: number): WindowSize[] {
  if (seconds.size === secondsPerHour) return sizesOfFullHour(width);
  seconds.measureWindows(width, bySeconds);
  const sizes: WindowSize[] = [];
  for (let active = 1; active <= width; active += 1) {
    const windows = bySeconds[active] as number;
    if (windows === 0) continue;
    sizes.push({ seconds: active, windows });
    bySeconds[active] = 0;
  }
  return sizes;
}

function sizesOfFullHour(width: number): WindowSize[] {
  const rest = secondsPerHour % width;
  const full = { seconds: width, windows: (secondsPerHour - rest) / width };
  return rest === 0 ? [full] : [{ seconds: rest, windows: 1 }, full];
}

/** Windows that all have the same share. */
export class EvenWindows implements Windows {
  readonly count: number;

  constructor(count: number) {
    this.count = count;
  }

  /** windows · ⌈total / (windows · size)⌉. */
  spread(total: Exact, size: number): Exact {
    return this.count === 0 ? 0 : times(this.count, ceilDiv(total, this.count * size));
  }
}

import { type ActiveSeconds, activeSecondsWords, addSeconds, pooledSeconds } from '../../usage/active-seconds.ts';
import { ceilDiv, sumOf } from '../integers.ts';

export const secondsPerHour = 3_600;

/** The seconds of an hour with entries. */
export class SecondSet {
  /** Ascending. */
  readonly #seconds: Uint16Array;

  /** The seconds that are active in any of the parts. */
  constructor(parts: readonly ActiveSeconds[]) {
    this.#seconds = listSeconds(unionOf(parts));
  }

  /** The number of active seconds. */
  get size(): number {
    return this.#seconds.length;
  }

  /** The first active second; 3,600 if there is none. */
  get start(): number {
    return this.#seconds[0] ?? secondsPerHour;
  }

  /** The second after the last active one; 0 if there is none. */
  get end(): number {
    return (this.#seconds.at(-1) ?? -1) + 1;
  }

  /**
   * The windows of the active seconds. The first one begins at the first active second and lasts
   * `width` seconds, the next one begins at the first active second after it.
   * @returns how many windows have 0, 1, 2 and so on active seconds.
   */
  countWindows(width: number): Uint16Array {
    const counts = new Uint16Array(width + 1);
    // Most hours of a busy scenario are such ones.
    if (width === 1 || this.size === secondsPerHour) {
      counts[this.size % width] = 1;
      counts[width] = Math.floor(this.size / width);
      counts[0] = 0;
      return counts;
    }
    let active = 0;
    let end = 0;
    for (const second of this.#seconds) {
      if (second >= end) {
        counts[active] = (counts[active] as number) + 1;
        active = 0;
        end = second + width;
      }
      active += 1;
    }
    counts[active] = (counts[active] as number) + 1;
    counts[0] = 0;
    return counts;
  }

  /**
   * The number of runs of active seconds that begin in the hour. A run ends where the next active
   * second is more than `gap` seconds later.
   * @param previous the last active second before the hour, from its start: negative.
   */
  countRuns(gap: number, previous = -Infinity): number {
    let runs = 0;
    let last = previous;
    for (const second of this.#seconds) {
      if (second - last > gap) runs += 1;
      last = second;
    }
    return runs;
  }
}

function unionOf(parts: readonly ActiveSeconds[]): ActiveSeconds {
  const [only] = parts;
  if (only && parts.length === 1) return only;
  const words = pooledSeconds();
  for (const part of parts) addSeconds(words, part);
  return words;
}

const wordBits = 32;
const listed = new Uint16Array(secondsPerHour + 1);

function listSeconds(words: ActiveSeconds): Uint16Array {
  let count = 0;
  for (let index = 0; index < activeSecondsWords; index += 1) {
    let second = index * wordBits;
    // Without a branch, because seconds with and without entries alternate at random.
    for (let rest = words[index] as number; rest !== 0; rest >>>= 1) {
      listed[count] = second;
      count += rest & 1;
      second += 1;
    }
  }
  return listed.slice(0, count);
}

/** The windows of an hour. */
export interface Windows {
  /** The number of windows. */
  readonly count: bigint;
  /**
   * Distributes a total over the windows, in parts of at most `size`.
   * @returns the number of parts.
   */
  spread(total: bigint, size: bigint): bigint;
}

/**
 * Windows whose parts of a total are as large as the share of their active seconds:
 * Σ over windows ⌈total · seconds / (active · size)⌉.
 * @param width 1 to 300 seconds; see `countWindows`.
 */
export function activeWindows(seconds: SecondSet, width: number): Windows {
  const active = BigInt(seconds.size);
  // Only the number of windows with so many active seconds matters for a spread.
  const counted: [of: bigint, windows: bigint][] = [];
  seconds.countWindows(width).forEach((windows, size) => {
    if (windows > 0) counted.push([BigInt(size), BigInt(windows)]);
  });
  return {
    count: sumOf(counted, ([, windows]) => windows),
    spread: (total, size) => sumOf(counted, ([of, windows]) => windows * ceilDiv(total * of, active * size)),
  };
}

/** Windows that all have the same share: windows · ⌈total / (windows · size)⌉. */
export const evenWindows = (count: bigint): Windows => ({
  count,
  spread: (total, size) => (count === 0n ? 0n : count * ceilDiv(total, count * size)),
});

import { type SecondSet, secondsPerHour } from './active-seconds.ts';
import { ceilDiv, type Exact, plus, times } from './exact.ts';

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
export interface WindowSize {
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
  readonly count: number;
  /** Ascending by seconds. */
  readonly sizes: readonly WindowSize[];
  readonly #active: number;
  /** The active seconds of the fullest window. */
  readonly #most: number;

  /**
   * The first window begins at the first active second and lasts `width` seconds, the next one
   * begins at the first active second after it.
   * @param width 1 to 300 seconds.
   */
  constructor(seconds: SecondSet, width: number) {
    this.#active = seconds.size;
    this.sizes = sizesOf(seconds, width);
    this.count = this.sizes.reduce((sum, { windows }) => sum + windows, 0);
    this.#most = this.sizes.at(-1)?.seconds ?? 0;
  }

  /** Σ over windows ⌈total · seconds / (active · size)⌉. */
  spread(total: Exact, size: number): Exact {
    const divisor = this.#active * size;
    if (typeof total === 'bigint' || total > maxTotal) return this.#spreadLarge(total, divisor);
    if (total === 0) return 0;
    // Each window has one part.
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
  if (seconds.size === 0) return [];
  if (width === 1) return [{ seconds: 1, windows: seconds.size }];
  if (seconds.size === secondsPerHour) return sizesOfFullHour(width);
  seconds.countWindows(width, bySeconds);
  const sizes: WindowSize[] = [];
  const most = Math.min(width, seconds.size);
  for (let active = 1; active <= most; active += 1) {
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

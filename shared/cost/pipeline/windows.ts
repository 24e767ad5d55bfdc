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

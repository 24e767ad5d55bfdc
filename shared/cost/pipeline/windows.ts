import { countWithin, nextActive, type SecondWords, secondsPerHour } from './active-seconds.ts';
import { ceilDiv } from './exact.ts';

/** Distributes a total over windows, in parts of at most `size`. @returns the number of parts. */
export type Spread = (total: bigint, size: number) => bigint;

export interface Windows {
  /** The number of windows. */
  readonly count: number;
  /** Windows by the number of their active seconds: only this matters for a spread. */
  readonly sizes: readonly { seconds: number; windows: number }[];
}

const maxWidth = 300;
/** Counts the windows of one hour at a time. It is all zeros in between. */
const bySeconds = new Int32Array(maxWidth + 1);

/**
 * The windows of an hour: the first one begins at the first active second and lasts `width`
 * seconds, the next one begins at the first active second after it.
 * @param active the number of active seconds.
 * @param width 1 to 300 seconds.
 */
export function windowsOf(words: SecondWords, active: number, width: number): Windows {
  if (active === 0) return { count: 0, sizes: [] };
  if (width === 1) return { count: active, sizes: [{ seconds: 1, windows: active }] };
  if (active === secondsPerHour) return fullWindows(width);
  let count = 0;
  for (let start = nextActive(words, 0); start < secondsPerHour; start = nextActive(words, start + width)) {
    count += 1;
    const seconds = countWithin(words, start, width);
    bySeconds[seconds] = (bySeconds[seconds] as number) + 1;
  }
  const sizes = [];
  for (let seconds = 1; seconds <= width; seconds += 1) {
    const windows = bySeconds[seconds] as number;
    if (windows === 0) continue;
    sizes.push({ seconds, windows });
    bySeconds[seconds] = 0;
  }
  return { count, sizes };
}

function fullWindows(width: number): Windows {
  const rest = secondsPerHour % width;
  const full = { seconds: width, windows: (secondsPerHour - rest) / width };
  if (rest === 0) return { count: full.windows, sizes: [full] };
  return { count: full.windows + 1, sizes: [full, { seconds: rest, windows: 1 }] };
}

/** Up to this total, every product of a spread is below 2^53: a window has at most 300 seconds. */
const maxSafeTotal = BigInt(Math.floor(Number.MAX_SAFE_INTEGER / secondsPerHour));

/**
 * Spreads evenly over the active seconds: Σ over windows ⌈total · seconds / (active · size)⌉. The
 * size is an integer up to 2^41, so that `active · size` is below 2^53.
 */
export function spreadOver({ sizes }: Windows, active: number): Spread {
  return (total, size) => (total <= maxSafeTotal ? spreadNumber(Number(total), size) : spreadExactly(total, size));

  function spreadNumber(total: number, size: number): bigint {
    const divisor = active * size;
    let parts = 0;
    for (const { seconds, windows } of sizes) {
      const product = total * seconds;
      const rest = product % divisor;
      parts += windows * ((product - rest) / divisor + (rest > 0 ? 1 : 0));
    }
    return BigInt(parts);
  }

  function spreadExactly(total: bigint, size: number): bigint {
    const divisor = BigInt(active * size);
    let parts = 0n;
    for (const { seconds, windows } of sizes) parts += BigInt(windows) * ceilDiv(total * BigInt(seconds), divisor);
    return parts;
  }
}

/** Spreads over even windows: windows · ⌈total / (windows · size)⌉. */
export function spreadEvenly(windows: number): Spread {
  const count = BigInt(windows);
  return (total, size) => (windows === 0 ? 0n : count * ceilDiv(total, count * BigInt(size)));
}

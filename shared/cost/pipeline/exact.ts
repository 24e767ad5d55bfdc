// Exact integers for counters, which can exceed 2^53. Almost all are below, where numbers are exact
// too, and several times faster than bigints.

/** An integer, not negative: a number up to 2^53 − 1, otherwise a bigint. */
export type Exact = number | bigint;

/** The exact fraction `times / over`; `over` is positive. */
export interface Ratio {
  times: bigint;
  over: bigint;
}

const maxNumber = BigInt(Number.MAX_SAFE_INTEGER);

export function toExact(value: bigint): Exact {
  return value <= maxNumber ? Number(value) : value;
}

// A sum or product above 2^53 − 1 is at least 2^53 also when it is rounded, so the checks below
// find all that numbers cannot hold.

export function plus(a: Exact, b: Exact): Exact {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (sum <= Number.MAX_SAFE_INTEGER) return sum;
  }
  return toExact(BigInt(a) + BigInt(b));
}

export function times(a: Exact, b: Exact): Exact {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    if (product <= Number.MAX_SAFE_INTEGER) return product;
  }
  return toExact(BigInt(a) * BigInt(b));
}

/** @param b at most `a`. */
export function minus(a: Exact, b: Exact): Exact {
  return typeof a === 'number' && typeof b === 'number' ? a - b : toExact(BigInt(a) - BigInt(b));
}

/** Rounds up. */
export function ceilDiv(total: Exact, divisor: Exact): Exact {
  // A quotient of numbers below 2^53 is at least 1 / divisor from every other integer, which is
  // more than its rounding error.
  if (typeof total === 'number' && typeof divisor === 'number') return Math.ceil(total / divisor);
  const exactDivisor = BigInt(divisor);
  return toExact((BigInt(total) + exactDivisor - 1n) / exactDivisor);
}

export function sumOf<Row>(rows: readonly Row[], value: (row: Row) => Exact): Exact {
  let sum: Exact = 0;
  for (const row of rows) sum = plus(sum, value(row));
  return sum;
}

/** `percent` % of a counter, rounded up. */
export function percentOf(percent: number, total: Exact): Exact {
  if (percent === 0) return 0;
  return percent === 100 ? total : ceilDiv(times(total, percent), 100);
}

/** `part / whole` of a counter, and of that the ratio, rounded up once. */
export function shareOf(total: Exact, part: number, whole: number, ratio: Ratio | null): Exact {
  if (ratio === null) return part === whole ? total : ceilDiv(times(total, part), whole);
  return ceilDiv(BigInt(total) * BigInt(part) * ratio.times, BigInt(whole) * ratio.over);
}

export function min(a: Exact, b: Exact): Exact {
  return a < b ? a : b;
}

export function max(a: Exact, b: Exact): Exact {
  return a > b ? a : b;
}

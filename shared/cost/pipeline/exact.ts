// Exact integer arithmetic for counters, which can exceed 2^53.

export function ceilDiv(total: bigint, divisor: bigint): bigint {
  return (total + divisor - 1n) / divisor;
}

/** `percent` % of a counter, rounded up. */
export function percentOf(percent: bigint, total: bigint): bigint {
  return percent === 100n ? total : ceilDiv(total * percent, 100n);
}

export function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

export function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

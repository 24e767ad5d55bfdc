// Arithmetic of counters, which can exceed 2^53.

/** The exact fraction `times / over`; `over` is positive. */
export interface Ratio {
  times: bigint;
  over: bigint;
}

export const one: Ratio = { times: 1n, over: 1n };

export const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);
export const max = (a: bigint, b: bigint): bigint => (a < b ? b : a);

/** Rounds up. */
export const ceilDiv = (total: bigint, divisor: bigint): bigint => (total + divisor - 1n) / divisor;

/** `percent` % of a counter, rounded up. */
export const percentOf = (percent: number, total: bigint): bigint =>
  percent === 0 ? 0n : ceilDiv(total * BigInt(percent), 100n);

export function sumOf<Row>(rows: readonly Row[], value: (row: Row) => bigint): bigint {
  let sum = 0n;
  for (const row of rows) sum += value(row);
  return sum;
}

/** A counter multiplied by a ratio, rounded up. */
export const scale = (count: bigint, { times, over }: Ratio): bigint =>
  times === over ? count : ceilDiv(count * times, over);

/** A row with each of its counters scaled. */
export function scaleRow<Row extends object>(row: Row, ratio: Ratio): Row {
  if (ratio.times === ratio.over) return row;
  const scaled = { ...row };
  for (const name in scaled) {
    const counter = scaled[name];
    if (typeof counter === 'bigint') scaled[name] = scale(counter, ratio) as typeof counter;
  }
  return scaled;
}

// Arithmetic of counters, which can exceed 2^53.
import type { Count } from '../usage/stored-hour.ts';

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

export function sumOf<Row>(rows: readonly Row[], value: (row: Row) => Count): bigint {
  let sum = 0n;
  for (const row of rows) sum += BigInt(value(row));
  return sum;
}

/** Counters by name, as they are computed with. */
export function exactCounts<Counters extends object>(counters: Counters): { [Name in keyof Counters]: bigint } {
  const exact = {} as { [Name in keyof Counters]: bigint };
  for (const name in counters) exact[name] = BigInt(counters[name] as Count);
  return exact;
}

/** A counter multiplied by a ratio, rounded up. */
export const scale = (count: bigint, { times, over }: Ratio): bigint =>
  times === over ? count : ceilDiv(count * times, over);

/** Counters with each of them scaled, by name. */
export function scaleCounters<Counters extends object>(counters: Counters, ratio: Ratio): Counters {
  if (ratio.times === ratio.over) return counters;
  const scaled: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(counters)) {
    scaled[name] = typeof value === 'object' ? scaleCounters(value, ratio) : scale(BigInt(value as Count), ratio);
  }
  return scaled as Counters;
}

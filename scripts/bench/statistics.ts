/**
 * The value below which the given share (0 to 1) of the values lies, which can have any order; NaN
 * without values.
 */
export function percentile(values: readonly number[], share: number): number {
  const ascending = values.toSorted((a, b) => a - b);
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? Number.NaN;
}

/** The greater of the two middle values if their number is even. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

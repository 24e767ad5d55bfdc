/** An integer from `low` to `high`, both inclusive. */
export function randomInteger(random: () => number, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1));
}

export function shuffle<T>(random: () => number, list: readonly T[]): T[] {
  return list
    .map((value) => ({ value, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ value }) => value);
}

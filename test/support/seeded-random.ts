/** A small seeded generator (mulberry32), so that a failing property test fails again. Numbers in [0, 1). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** An integer from `low` to `high`, both included. */
export function integerIn(random: () => number, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1));
}

export function shuffled<T>(random: () => number, list: readonly T[]): T[] {
  return list
    .map((value) => ({ value, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ value }) => value);
}

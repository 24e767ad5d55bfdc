// The number of keys in ranges, kept up to date by every change of an index, so that a large range
// is counted once.
import type { ByteStore } from '../storage.ts';
import type { KeyRange } from './key-walk.ts';

interface Counted {
  from: Buffer;
  to: Buffer;
  count: number;
}

/** Smaller ranges are counted again each time, which takes less than 0.1 ms. */
const leastKept = 1_000;
/** Bounds what a change of the index costs. */
const maxKept = 64;

export class KeyCounts {
  readonly #store: ByteStore;
  /** By its bounds, the least recently used first. */
  readonly #kept = new Map<string, Counted>();

  constructor(store: ByteStore) {
    this.#store = store;
  }

  count({ from, to }: Pick<KeyRange, 'from' | 'to'>): number {
    const bounds = `${from.length}:${from.toString('latin1')}${to.toString('latin1')}`;
    const known = this.#kept.get(bounds);
    const count = known?.count ?? this.#store.countKeys({ start: from, end: to });
    this.#kept.delete(bounds);
    if (count >= leastKept) {
      this.#kept.set(bounds, known ?? { from, to, count });
      const [oldest] = this.#kept.keys();
      if (this.#kept.size > maxKept && oldest !== undefined) this.#kept.delete(oldest);
    }
    return count;
  }

  /** Must be called for every key that is added (`by` is 1) or removed (-1). */
  change(key: Buffer, by: 1 | -1): void {
    for (const range of this.#kept.values()) {
      if (range.from.compare(key) <= 0 && range.to.compare(key) > 0) range.count += by;
    }
  }
}

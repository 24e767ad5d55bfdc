// The number of keys in ranges, updated by every change of an index, so that a large range
// is counted once.
import type { ByteStore } from '../storage.ts';
import type { KeyRange } from './key-walk.ts';

interface Counted {
  from: Buffer;
  to: Buffer;
  count: number;
}

/** Smaller ranges are counted again each time, which takes less than 0.1 ms. */
const minCached = 1_000;
/** Bounds what a change of the index costs. */
const maxCached = 64;

export class KeyCounts {
  readonly #store: ByteStore;
  /** By its bounds, the least recently used first. */
  readonly #cached = new Map<string, Counted>();

  constructor(store: ByteStore) {
    this.#store = store;
  }

  count({ from, to }: Pick<KeyRange, 'from' | 'to'>): number {
    const bounds = `${from.length}:${from.toString('latin1')}${to.toString('latin1')}`;
    const known = this.#cached.get(bounds);
    const count = known?.count ?? this.#store.countKeys({ start: from, end: to });
    this.#cached.delete(bounds);
    if (count >= minCached) {
      this.#cached.set(bounds, known ?? { from, to, count });
      const [oldest] = this.#cached.keys();
      if (this.#cached.size > maxCached && oldest !== undefined) this.#cached.delete(oldest);
    }
    return count;
  }

  /** Must be called for every key that is added (`by` is 1) or removed (-1). */
  change(key: Buffer, by: 1 | -1): void {
    for (const range of this.#cached.values()) {
      if (range.from.compare(key) <= 0 && range.to.compare(key) > 0) range.count += by;
    }
  }
}

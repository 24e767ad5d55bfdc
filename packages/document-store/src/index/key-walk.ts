// Reading the keys of ranges: one range after the other, or several merged into one order. Nothing
// is open between two portions of a walk, so it can pause while other clients write.
import type { ByteStore } from '../storage.ts';

/** Keys from `from` (inclusive) to `to` (exclusive). */
export interface KeyRange {
  from: Buffer;
  to: Buffer;
  /** The length of the prefix that a merge does not compare; the keys of the range share it. */
  shared: number;
}

export interface KeyOrder {
  ranges: readonly KeyRange[];
  reverse: boolean;
  /**
   * Whether the ranges are merged by what follows the shared prefix of each. Otherwise one follows
   * the other.
   */
  merges: boolean;
}

interface WalkOptions {
  reverse?: boolean;
  /** The number of keys to leave out. lmdb passes over 20 million of them per second. */
  skip?: number;
  /** Called after every pause and portion. An error that it throws ends the walk. */
  check: () => void;
}

const firstPortion = 32;
const largestPortion = 1024;

/** The keys of a range, read in growing portions. */
export function* walkKeys(
  store: ByteStore,
  range: Pick<KeyRange, 'from' | 'to'>,
  { reverse = false, skip = 0, check }: WalkOptions,
): Generator<Buffer> {
  let { from, to } = range;
  let offset = skip;
  for (let limit = firstPortion; ; limit = Math.min(limit * 2, largestPortion)) {
    const options = reverse
      ? { start: to, exclusiveStart: true, end: from, reverse, limit, offset }
      : { start: from, end: to, limit, offset };
    const keys = Array.from(store.keys(options));
    check();
    for (const key of keys) {
      yield key;
      check();
    }
    const last = keys.at(-1);
    if (!last || keys.length < limit) return;
    offset = 0;
    if (reverse) to = last;
    else from = after(last);
  }
}

/**
 * The keys of several ranges in their order, without the first `skip`. A document with several keys
 * occurs several times.
 */
export function* walkOrder(
  store: ByteStore,
  { ranges, reverse, merges }: KeyOrder,
  { skip = 0, check }: Omit<WalkOptions, 'reverse'>,
): Generator<Buffer> {
  if (merges) {
    const filled = ranges.filter(({ from, to }) => !isEmpty(store.keys({ start: from, end: to, limit: 1 })));
    yield* mergeKeys(store, filled, { reverse, skip, check });
    return;
  }
  let toSkip = skip;
  for (const range of reverse ? ranges.toReversed() : ranges) {
    const keys = toSkip === 0 ? 0 : store.countKeys({ start: range.from, end: range.to });
    if (toSkip === 0 || keys > toSkip) yield* walkKeys(store, range, { reverse, skip: toSkip, check });
    toSkip = Math.max(0, toSkip - keys);
  }
}

function* mergeKeys(
  store: ByteStore,
  ranges: readonly KeyRange[],
  { reverse = false, skip = 0, check }: WalkOptions,
): Generator<Buffer> {
  let toSkip = skip;
  const heads = ranges.flatMap((range) => {
    const keys = walkKeys(store, range, { reverse, check });
    const first = keys.next();
    return first.done ? [] : [{ key: first.value, shared: range.shared, keys }];
  });
  while (heads.length > 0) {
    const head = firstOf(heads, reverse);
    if (toSkip > 0) toSkip -= 1;
    else yield head.key;
    const next = head.keys.next();
    if (next.done) heads.splice(heads.indexOf(head), 1);
    else head.key = next.value;
  }
}

interface Positioned {
  key: Buffer;
  shared: number;
}

function firstOf<Head extends Positioned>(heads: readonly Head[], reverse: boolean): Head {
  return heads.reduce((first, head) => {
    const order = head.key.compare(first.key, first.shared, first.key.length, head.shared, head.key.length);
    return (reverse ? order > 0 : order < 0) ? head : first;
  });
}

function isEmpty(keys: Iterable<Buffer>): boolean {
  for (const _ of keys) return false;
  return true;
}

/** The smallest bytes above a key. */
function after(key: Buffer): Buffer {
  return Buffer.concat([key, Buffer.alloc(1)]);
}

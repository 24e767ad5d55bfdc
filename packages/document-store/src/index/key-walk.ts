// Reading the keys of ranges: one range after the other, or several merged into one order. Nothing is open between two portions
// of a walk, so it can pause while other clients write.
import type { Work } from '../slices.ts';
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
  /** Whether the ranges are merged by what follows the shared prefix of each. Otherwise one follows the other. */
  merges: boolean;
}

export interface WalkOptions {
  reverse?: boolean;
  /** The number of keys to leave out. lmdb passes over 20 million of them per second. */
  skip?: number;
  /** Called after every pause and portion. What it throws ends the walk. */
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

/** The keys of several ranges in their order, without the first `skip`. A document with several keys occurs several times. */
export function* walkOrder(
  store: ByteStore,
  { ranges, reverse, merges }: KeyOrder,
  { skip = 0, check }: Omit<WalkOptions, 'reverse'>,
): Generator<Buffer> {
  const filled = ranges.filter(({ from, to }) => !isEmpty(store.keys({ start: from, end: to, limit: 1 })));
  if (merges && filled.length > 1) {
    yield* mergeKeys(store, filled, { reverse, skip, check });
    return;
  }
  let toSkip = skip;
  for (const range of reverse ? filled.toReversed() : filled) {
    if (toSkip > 0) {
      const count = store.countKeys({ start: range.from, end: range.to });
      if (count <= toSkip) {
        toSkip -= count;
        continue;
      }
    }
    yield* walkKeys(store, range, { reverse, skip: toSkip, check });
    toSkip = 0;
  }
}

function* mergeKeys(
  store: ByteStore,
  ranges: readonly KeyRange[],
  { reverse = false, skip = 0, check }: WalkOptions,
): Generator<Buffer> {
  const rest = passOver(store, ranges, skip, reverse);
  let toSkip = rest.skip;
  const heads = rest.ranges.flatMap((range) => {
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

/** Fewer keys than this for each range are merged one by one. */
const leastStep = 16;

/**
 * Leaves out the first keys of merged ranges without reading them all: of the keys at the same distance ahead in each of the
 * ranges, the first in order has fewer keys before it than there are to skip, so those up to it in its range are skipped.
 * @returns the ranges that remain, and how many of their keys are still to be skipped.
 */
function passOver(
  store: ByteStore,
  ranges: readonly KeyRange[],
  skip: number,
  reverse: boolean,
): { ranges: readonly KeyRange[]; skip: number } {
  let remaining = ranges;
  let toSkip = skip;
  for (;;) {
    const step = Math.floor(toSkip / ranges.length);
    if (step < leastStep) return { ranges: remaining, skip: toSkip };
    const ahead = remaining.flatMap((range) => {
      const { from, to, shared } = range;
      const [key] = walkKeys(store, range, { reverse, skip: step - 1, check: () => {} });
      if (!key) return [];
      return [{ key, shared, range, rest: reverse ? { from, to: key, shared } : { from: after(key), to, shared } }];
    });
    // All of them have fewer keys than are to be skipped.
    if (ahead.length === 0) return { ranges: [], skip: 0 };
    const { range: shortened, rest } = firstOf(ahead, reverse);
    remaining = remaining.map((range) => (range === shortened ? rest : range));
    toSkip -= step;
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

/** Bounds the time between two pauses. */
const keysPerCount = 20_000;

/** The number of keys of a range. */
export function* countKeys(
  store: ByteStore,
  { from, to }: Pick<KeyRange, 'from' | 'to'>,
  check: () => void,
): Work<number> {
  let total = 0;
  let start = from;
  for (;;) {
    check();
    const [next] = store.keys({ start, end: to, offset: keysPerCount, limit: 1 });
    if (!next) return total + store.countKeys({ start, end: to });
    total += keysPerCount;
    start = next;
    yield 'pause';
  }
}

function isEmpty(keys: Iterable<Buffer>): boolean {
  for (const _ of keys) return false;
  return true;
}

/** The smallest bytes above a key. */
function after(key: Buffer): Buffer {
  return Buffer.concat([key, Buffer.alloc(1)]);
}

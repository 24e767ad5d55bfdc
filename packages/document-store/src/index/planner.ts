// Plans a search: the index, the ranges of its keys and the direction. Every document that the plan
// yields is tested with the filter afterwards, so a plan may yield too many documents, but it must
// not leave one out.
import { equalValues } from '../bson/compare.ts';
import { encodeDouble } from '../bson/encode.ts';
import { isNaNValue } from '../bson/numbers.ts';
import { bsonTypes, typeOrder } from '../bson/types.ts';
import { type BsonValue, elementsOf, type Field, fieldsOf, isArray } from '../bson/value.ts';
import { branchesOf, isOperatorDocument } from '../query/filter.ts';
import type { SortField } from '../query/sort.ts';
import { afterPrefix, encodeKey } from './index-key.ts';
import type { Index } from './indexes.ts';
import type { KeyOrder } from './key-walk.ts';

export interface Plan extends KeyOrder {
  /** `undefined`: read the whole collection in the order of insertion. */
  index: Index | undefined;
  /** Whether the keys are in the order of the sort. */
  sorted: boolean;
  /**
   * Whether the ranges hold exactly the matches, so that keys can be counted instead of documents.
   */
  exact: boolean;
  /** Whether a document can occur more than once. */
  repeats: boolean;
}

interface Bound {
  value: BsonValue;
  inclusive: boolean;
}

interface Conditions {
  /** The value must equal one of these. */
  points?: BsonValue[];
  lower?: Bound;
  upper?: Bound;
  /** Whether the filter has conditions for this path beside points and bounds. */
  rest: boolean;
  /** Whether the conditions exclude null and a missing value. */
  notNull: boolean;
  all: BsonValue[];
}

/** More ranges cost more than they save. */
const maxPointRanges = 100_000;
/** More ranges are sorted in memory rather than merged, as in MongoDB. */
const maxMergedRanges = 200;

/** Collects the conditions by path. @returns false if the filter has others beside them. */
function collect(filter: BsonValue, paths: Map<string, Conditions>): boolean {
  let complete = true;
  for (const { name, value } of fieldsOf(filter)) {
    if (name === '$and') {
      for (const branch of branchesOf(name, value)) complete = collect(branch, paths) && complete;
      continue;
    }
    if (name.startsWith('$')) {
      complete = false;
      continue;
    }
    const known = paths.get(name) ?? { rest: false, notNull: false, all: [] };
    paths.set(name, known);
    known.all.push(value);
    const operators: Field[] = isOperatorDocument(value) ? fieldsOf(value) : [{ name: '$eq', value }];
    for (const operator of operators) addCondition(known, operator);
  }
  return complete;
}

function addCondition(known: Conditions, { name, value }: Field): void {
  const points = name === '$eq' ? [value] : name === '$in' ? elementsOf(value) : undefined;
  if (points) {
    if (!points.some(isArray)) {
      if (points.every(({ type }) => type !== bsonTypes.null)) known.notNull = true;
      if (known.points || known.lower || known.upper) known.rest = true;
      known.points ??= points;
    } else known.rest = true;
    return;
  }
  const isRange = name === '$gt' || name === '$gte' || name === '$lt' || name === '$lte';
  const isPlain = value.order > typeOrder.null && !isArray(value) && !isNaNValue(value);
  if (isRange && isPlain) {
    known.notNull = true;
    const side = name.startsWith('$g') ? 'lower' : 'upper';
    if (known[side] || known.points) known.rest = true;
    else known[side] = { value, inclusive: name.endsWith('e') };
    return;
  }
  known.rest = true;
}

/**
 * Whether the filter implies that the index has every document that can match: it has the same
 * conditions as a partial index.
 */
function covers(index: Index, paths: ReadonlyMap<string, Conditions>): boolean {
  if (index.sparse && !index.fields.some(({ dotted }) => paths.get(dotted)?.notNull)) return false;
  if (!index.partialFilterExpression) return true;
  return fieldsOf(index.partialFilterExpression).every(({ name, value: condition }) => {
    const known = name.startsWith('$') ? undefined : paths.get(name);
    if (!known) return false;
    return known.all.some((given) => equalValues(given, condition));
  });
}

const nothing = Buffer.alloc(0);

const negativeInfinity = encodeKey(encodeDouble(Number.NEGATIVE_INFINITY)).bytes;

function rangeOf(known: Conditions, twoSided: boolean): { from: Buffer; to: Buffer; ordered: boolean } | undefined {
  const { lower } = known;
  const upper = twoSided || !lower ? known.upper : undefined;
  const order = (lower ?? upper)?.value.order ?? 0;
  // Two bounds of different types match nothing; the filter finds that out.
  if (lower && upper && upper.value.order !== order) return undefined;
  let from: Buffer = Buffer.of(order);
  let to: Buffer = Buffer.of(order + 1);
  let ordered = true;
  if (lower) {
    const encoded = encodeKey(lower.value);
    ordered &&= encoded.ordered;
    from = lower.inclusive ? encoded.bytes : afterPrefix(encoded.bytes);
  } else if (order === typeOrder.number) from = negativeInfinity;
  if (upper) {
    const encoded = encodeKey(upper.value);
    ordered &&= encoded.ordered;
    to = upper.inclusive ? afterPrefix(encoded.bytes) : encoded.bytes;
  }
  return { from, to, ordered };
}

interface Candidate extends Plan {
  score: number;
  /** Whether at most one document has the values of the filter. */
  single: boolean;
}

/** The values of the first fields of a key. */
interface Prefix {
  bytes: Buffer;
  /** The length of the prefix up to each of its fields. */
  ends: readonly number[];
}

function extend({ bytes, ends }: Prefix, value: Buffer): Prefix {
  const extended = Buffer.concat([bytes, value]);
  return { bytes: extended, ends: [...ends, extended.length] };
}

interface Order {
  /**
   * The order is that of the keys without so many first fields; ranges that differ in them must be
   * merged.
   */
  mergedFields: number;
  reverse: boolean;
}

/**
 * How keys with values for the first `points` fields give the order of the sort. The fewest fields
 * are merged, because ranges that follow each other are cheaper to read.
 */
function orderOf(
  index: Index,
  points: number,
  constant: ReadonlySet<string>,
  sort: readonly SortField[],
): Order | undefined {
  for (let mergedFields = 0; mergedFields <= points; mergedFields += 1) {
    const direction = fits(index, mergedFields, constant, sort);
    if (direction) return { mergedFields, reverse: direction === 'reverse' };
  }
  return undefined;
}

function fits(
  index: Index,
  from: number,
  constant: ReadonlySet<string>,
  sort: readonly SortField[],
): 'same' | 'reverse' | undefined {
  let position = from;
  let direction: 'same' | 'reverse' | undefined;
  for (const { dotted, descending } of sort) {
    if (constant.has(dotted)) continue;
    while (position < index.fields.length && constant.has(index.fields[position]?.dotted ?? '')) position += 1;
    const field = index.fields[position];
    if (field?.dotted !== dotted) return undefined;
    const wanted = descending ? 'reverse' : 'same';
    if (direction && direction !== wanted) return undefined;
    direction = wanted;
    position += 1;
  }
  return direction ?? 'same';
}

function consider(
  index: Index,
  paths: ReadonlyMap<string, Conditions>,
  complete: boolean,
  sort: readonly SortField[],
): Candidate | undefined {
  if (!covers(index, paths)) return undefined;
  // `a.0` is also a field named `0` in every element, which is not in the keys.
  if (index.fields.some(({ path }) => path.some((part) => part.index !== undefined))) return undefined;
  const repeats = index.multikey.includes(true);
  let prefixes: Prefix[] = [{ bytes: index.prefix, ends: [index.prefix.length] }];
  let position = 0;
  let usedArray = false;
  let exact = complete && !repeats;
  const used = new Set<string>();
  const constant = new Set<string>();
  let score = 0;
  for (; position < index.fields.length; position += 1) {
    const field = index.fields[position];
    const known = field ? paths.get(field.dotted) : undefined;
    if (!field || !known?.points) break;
    if (index.multikey[position]) {
      // Two different elements of the arrays may match the two conditions; they share no key.
      if (usedArray) break;
      usedArray = true;
    }
    if (known.points.length * prefixes.length > maxPointRanges) break;
    if (known.rest || known.lower || known.upper) exact = false;
    used.add(field.dotted);
    const encoded = new Map<string, Buffer>();
    for (const value of known.points) {
      const { bytes } = encodeKey(value, index.fields.length);
      encoded.set(bytes.toString('latin1'), bytes);
    }
    if (encoded.size === 1) constant.add(field.dotted);
    prefixes = prefixes.flatMap((prefix) => [...encoded.values()].map((bytes) => extend(prefix, bytes)));
    score += known.points.length === 1 ? 10 : 8;
  }
  const next = index.fields[position];
  const known = next ? paths.get(next.dotted) : undefined;
  let low: Buffer = nothing;
  let high: Buffer = nothing;
  let ranged = false;
  if (
    next &&
    known &&
    !known.points &&
    (known.lower || known.upper) &&
    !index.unordered &&
    !(usedArray && index.multikey[position])
  ) {
    const bounds = rangeOf(known, !index.multikey[position]);
    if (bounds?.ordered) {
      ranged = true;
      low = bounds.from;
      high = bounds.to;
      used.add(next.dotted);
      if (known.rest) exact = false;
      score += known.lower && known.upper ? 6 : 5;
    }
  }
  let order: Order | undefined;
  if (sort.length > 0 && !index.unordered && !repeats) order = orderOf(index, position, constant, sort);
  if (order && order.mergedFields > 0 && prefixes.length > maxMergedRanges) order = undefined;
  if (order) score += 3;
  if (used.size === 0 && !order) return undefined;
  if (used.size !== paths.size) exact = false;
  const single = index.unique && constant.size === index.fields.length;
  const { mergedFields = 0, reverse = false } = order ?? {};
  const ranges = prefixes.map(({ bytes: prefix, ends }) => {
    const shared = ends[mergedFields] ?? 0;
    if (!ranged) return { from: prefix, to: afterPrefix(prefix), shared };
    return { from: Buffer.concat([prefix, low]), to: Buffer.concat([prefix, high]), shared };
  });
  ranges.sort((a, b) => Buffer.compare(a.from, b.from));
  const sorted = sort.length === 0 || order !== undefined;
  return { index, ranges, reverse, merges: mergedFields > 0, sorted, exact, repeats, score, single };
}

/**
 * The best plan for a valid filter and a sort. Without a useful index, it reads the whole
 * collection.
 */
export function choosePlan(indexes: readonly Index[], filter: BsonValue, sort: readonly SortField[]): Plan {
  const paths = new Map<string, Conditions>();
  const complete = collect(filter, paths);
  let best: Candidate | undefined;
  for (const index of indexes) {
    const candidate = consider(index, paths, complete, sort);
    if (candidate && (!best || candidate.single || candidate.score > best.score)) best = candidate;
    // No other plan reads less, and a collection can have many indexes.
    if (best?.single) break;
  }
  return (
    best ?? {
      index: undefined,
      ranges: [],
      reverse: false,
      merges: false,
      sorted: sort.length === 0,
      exact: complete && paths.size === 0,
      repeats: false,
    }
  );
}

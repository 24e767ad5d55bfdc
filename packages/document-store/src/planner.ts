// Chooses how to find documents: by which index, between which keys, in which order. Whatever it chooses, every document is
// checked against the whole filter afterwards, so a plan may be too wide but never too narrow.
import { type BsonDocument, equalValues, isDocument, numberOrder, orderOf, toJsNumber, typeOf } from './bson-values.ts';
import { afterPrefix, encodeValue, invert } from './index-key.ts';
import type { Index } from './indexes.ts';
import { compileFilter, isOperatorDocument } from './matcher.ts';
import type { SortField } from './sort-order.ts';

/** Half-open: keys from `from` up to, without, `to`. */
export interface KeyRange {
  from: Buffer;
  to: Buffer;
}

export interface Plan {
  /** `undefined`: walk the collection in the order of insertion. */
  index: Index | undefined;
  ranges: readonly KeyRange[];
  reverse: boolean;
  /** The keys come in the order of the sort that was asked for. */
  sorted: boolean;
  /** The ranges hold exactly the documents of the filter: keys can be counted without reading. */
  exact: boolean;
  /** One document may come more than once. */
  repeats: boolean;
}

interface Bound {
  value: unknown;
  inclusive: boolean;
}

interface Conditions {
  /** Values it must equal one of. */
  points?: unknown[];
  lower?: Bound;
  upper?: Bound;
  /** The filter says more about this path than points and bounds do. */
  rest: boolean;
  /** Rules out null and missing. */
  notNull: boolean;
  all: unknown[];
}

/** Beyond it the ranges cost more than they save. */
const maxPointRanges = 100_000;

function isIndexablePoint(value: unknown): boolean {
  return value !== undefined && typeOf(value) !== 'array' && typeOf(value) !== 'regex';
}

function collect(filter: BsonDocument, paths: Map<string, Conditions>): boolean {
  let complete = true;
  for (const [path, condition] of Object.entries(filter)) {
    if (path === '$and') {
      for (const branch of condition as BsonDocument[]) complete = collect(branch, paths) && complete;
      continue;
    }
    if (path.startsWith('$')) {
      if (path !== '$comment') complete = false;
      continue;
    }
    const known = paths.get(path) ?? { rest: false, notNull: false, all: [] };
    paths.set(path, known);
    known.all.push(condition);
    const operators = isOperatorDocument(condition) ? condition : { $eq: condition };
    for (const [operator, operand] of Object.entries(operators)) addCondition(known, operator, operand);
  }
  return complete;
}

function addCondition(known: Conditions, operator: string, operand: unknown): void {
  const points = operator === '$eq' ? [operand] : operator === '$in' ? (operand as unknown[]) : undefined;
  if (points) {
    if (points.every(isIndexablePoint)) {
      if (points.every((value) => value !== null)) known.notNull = true;
      if (known.points || known.lower || known.upper) known.rest = true;
      known.points ??= points;
    } else known.rest = true;
    return;
  }
  const isRange = operator === '$gt' || operator === '$gte' || operator === '$lt' || operator === '$lte';
  const type = isRange ? orderOf(operand ?? null) : 0;
  const isPlain = type > 5 && type < 127 && type !== 25 && !Number.isNaN(toJsNumber(operand) ?? 0);
  if (isRange && isPlain) {
    known.notNull = true;
    const side = operator.startsWith('$g') ? 'lower' : 'upper';
    if (known[side] || known.points) known.rest = true;
    else known[side] = { value: operand, inclusive: operator.endsWith('e') };
    return;
  }
  if (operator !== '$comment') known.rest = true;
}

/** Does the filter's condition imply that the index holds every document that can match? */
function covers(index: Index, paths: ReadonlyMap<string, Conditions>): boolean {
  if (index.sparse && !index.fields.some(({ path }) => paths.get(path)?.notNull)) return false;
  if (!index.partialFilterExpression) return true;
  return Object.entries(index.partialFilterExpression).every(([path, condition]) => {
    if (path.startsWith('$')) return false;
    const known = paths.get(path);
    if (!known) return false;
    if (known.all.some((given) => equalValues(given, condition))) return true;
    if (isDocument(condition) && Object.keys(condition).length === 1 && condition.$exists === true)
      return known.notNull;
    const filter = compileFilter({ [path]: condition });
    if (path.includes('.') || !known.points || known.points.length === 0) return false;
    // null also stands for a missing field.
    return known.points.every((value) => filter.matches({ [path]: value }) && (value !== null || filter.matches({})));
  });
}

const nothing = Buffer.alloc(0);

function rangeOf(known: Conditions, twoSided: boolean): { from: Buffer; to: Buffer; ordered: boolean } | undefined {
  const { lower } = known;
  const upper = twoSided || !lower ? known.upper : undefined;
  const type = orderOf((lower ?? upper)?.value);
  // Bounds of different types can match nothing together; the filter says so itself.
  if (lower && upper && orderOf(upper.value) !== type) return undefined;
  let from: Buffer = Buffer.of(type);
  let to: Buffer = Buffer.of(type + 1);
  let ordered = true;
  if (lower) {
    const encoded = encodeValue(lower.value);
    ordered &&= encoded.ordered;
    from = lower.inclusive ? encoded.bytes : afterPrefix(encoded.bytes);
  } else if (type === numberOrder) from = encodeValue(Number.NEGATIVE_INFINITY).bytes;
  if (upper) {
    const encoded = encodeValue(upper.value);
    ordered &&= encoded.ordered;
    to = upper.inclusive ? afterPrefix(encoded.bytes) : encoded.bytes;
  }
  return { from, to, ordered };
}

interface Candidate extends Plan {
  score: number;
}

function fits(
  index: Index,
  from: number,
  constant: ReadonlySet<string>,
  sort: readonly SortField[],
): 'same' | 'reverse' | undefined {
  let position = from;
  let direction: 'same' | 'reverse' | undefined;
  for (const { path, descending } of sort) {
    if (constant.has(path)) continue;
    while (
      position < index.fields.length &&
      constant.has(index.fields[position]?.path ?? '') &&
      index.fields[position]?.path !== path
    ) {
      position += 1;
    }
    const field = index.fields[position];
    if (!field || field.path !== path) return undefined;
    const wanted = field.descending === descending ? 'same' : 'reverse';
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
  if (index.hidden || !covers(index, paths)) return undefined;
  // `a.0` also stands for a field of that name in every element, which the keys do not tell.
  if (index.fields.some(({ parts }) => parts.some((part) => /^\d+$/.test(part)))) return undefined;
  const repeats = index.multikey.includes(true);
  let prefixes: Buffer[] = [index.prefix];
  let position = 0;
  let usedArray = false;
  let singlePoint = true;
  let exact = complete && !repeats;
  const used = new Set<string>();
  const constant = new Set<string>();
  let score = 0;
  for (; position < index.fields.length; position += 1) {
    const field = index.fields[position];
    const known = field ? paths.get(field.path) : undefined;
    if (!field || !known?.points) break;
    if (index.multikey[position]) {
      // Two conditions on arrays may be met by two different elements, which share no key.
      if (usedArray) break;
      usedArray = true;
    }
    // An empty array equals null in no filter, but null also stands for a field that is missing below an array.
    if (known.points.length * prefixes.length > maxPointRanges) break;
    if (known.points.length !== 1) singlePoint = false;
    else constant.add(field.path);
    if (known.rest || known.lower || known.upper || !known.notNull) exact = false;
    used.add(field.path);
    const encoded = new Map<string, Buffer>();
    for (const value of known.points) {
      const { bytes } = encodeValue(value, index.fields.length);
      const turned = field.descending ? invert(bytes) : bytes;
      encoded.set(turned.toString('latin1'), turned);
    }
    prefixes = prefixes.flatMap((prefix) => [...encoded.values()].map((bytes) => Buffer.concat([prefix, bytes])));
    score += known.points.length === 1 ? 10 : 8;
  }
  const next = index.fields[position];
  const known = next ? paths.get(next.path) : undefined;
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
      low = next.descending ? invert(bounds.to) : bounds.from;
      high = next.descending ? invert(bounds.from) : bounds.to;
      used.add(next.path);
      if (known.rest) exact = false;
      score += known.lower && known.upper ? 6 : 5;
    }
  }
  let reverse = false;
  let sorted = sort.length === 0;
  if (sort.length > 0 && singlePoint && !index.unordered && !repeats) {
    const direction = fits(index, position, constant, sort);
    if (direction) {
      sorted = true;
      reverse = direction === 'reverse';
      score += 3;
    }
  }
  if (used.size === 0 && !(sorted && sort.length > 0)) return undefined;
  if (used.size !== paths.size) exact = false;
  if (index.unique && constant.size === index.fields.length) score += 50;
  const ranges = prefixes.map((prefix) => {
    if (!ranged) return { from: prefix, to: afterPrefix(prefix) };
    return next?.descending
      ? { from: descendingBound(prefix, low), to: descendingBound(prefix, high) }
      : { from: Buffer.concat([prefix, low]), to: Buffer.concat([prefix, high]) };
  });
  ranges.sort((a, b) => Buffer.compare(a.from, b.from));
  return { index, ranges, reverse, sorted, exact, repeats, score };
}

/**
 * Turning bytes round also turns "before" into "after": a bound B that stood below everything starting with B must then
 * stand above everything starting with the turned B.
 */
function descendingBound(prefix: Buffer, turned: Buffer): Buffer {
  return afterPrefix(Buffer.concat([prefix, turned]));
}

/** The best plan for a filter that compiles, and a sort; a walk through the collection when no index helps. */
export function choosePlan(indexes: readonly Index[], filter: BsonDocument, sort: readonly SortField[]): Plan {
  const paths = new Map<string, Conditions>();
  const complete = collect(filter, paths);
  let best: Candidate | undefined;
  for (const index of indexes) {
    const candidate = consider(index, paths, complete, sort);
    if (candidate && (!best || candidate.score > best.score)) best = candidate;
  }
  return (
    best ?? {
      index: undefined,
      ranges: [],
      reverse: false,
      sorted: sort.length === 0,
      exact: complete && paths.size === 0,
      repeats: false,
    }
  );
}

// What an index is, and which keys a document has in it.
import { type BsonDocument, isDocument, toInteger } from './bson-values.ts';
import { CommandError } from './errors.ts';
import { encodeValue, invert } from './index-key.ts';
import { compileFilter, type Filter } from './matcher.ts';
import { firstPart } from './paths.ts';

export interface IndexField {
  path: string;
  parts: readonly string[];
  descending: boolean;
}

/** An index as the catalogue keeps it. */
export interface IndexSpec {
  number: number;
  name: string;
  key: BsonDocument;
  unique: boolean;
  sparse: boolean;
  hidden: boolean;
  partialFilterExpression?: BsonDocument;
  expireAfterSeconds?: number;
  /** Per field: some document had an array there, so one document may have several keys. Never goes back. */
  multikey: boolean[];
  /** Some key keeps equality but not order (see `EncodedValue.ordered`). Never goes back. */
  unordered: boolean;
}

export interface Index extends IndexSpec {
  fields: readonly IndexField[];
  /** Top-level names that decide the keys. */
  names: ReadonlySet<string>;
  partialFilter: Filter | undefined;
  prefix: Buffer;
}

export interface IndexEntry {
  /** [index number][encoded values], without the record number. */
  key: Buffer;
  values: readonly unknown[];
}

export function numberPrefix(number: number): Buffer {
  const prefix = Buffer.allocUnsafe(4);
  prefix.writeUInt32BE(number, 0);
  return prefix;
}

export function openIndex(spec: IndexSpec): Index {
  const fields = Object.entries(spec.key).map(([path, direction]) => ({
    path,
    parts: path.split('.'),
    descending: (toInteger(direction) ?? 1) < 0,
  }));
  const partialFilter = spec.partialFilterExpression ? compileFilter(spec.partialFilterExpression) : undefined;
  const names = new Set(fields.map(({ path }) => firstPart(path)));
  for (const name of partialFilter?.names ?? []) names.add(name);
  return { ...spec, fields, names, partialFilter, prefix: numberPrefix(spec.number) };
}

interface Walk {
  value: unknown;
  rest: readonly string[];
}

/** Descends until the path ends, something is missing, or an array stands in the way. */
function descend({ value, rest }: Walk): Walk {
  let current = value;
  let position = 0;
  while (position < rest.length) {
    const part = rest[position] ?? '';
    if (Array.isArray(current)) {
      if (!/^\d+$/.test(part)) break;
      current = current[Number(part)];
    } else if (isDocument(current) && Object.hasOwn(current, part)) {
      current = current[part];
    } else {
      return { value: undefined, rest: [] };
    }
    position += 1;
  }
  return { value: current, rest: rest.slice(position) };
}

/** Every combination of values that the document has under the index; arrays give one per element. */
function combinations(walks: readonly Walk[], found: (values: unknown[], arrays: readonly number[]) => void): void {
  const reached = walks.map(descend);
  const arrays = reached.flatMap((walk, field) => (Array.isArray(walk.value) ? [field] : []));
  const [first] = arrays;
  if (first === undefined) {
    found(
      reached.map((walk) => walk.value),
      [],
    );
    return;
  }
  const array = reached[first]?.value as unknown[];
  if (arrays.some((field) => reached[field]?.value !== array)) {
    throw new CommandError('CannotIndexParallelArrays', 'cannot index parallel arrays');
  }
  const isEnd = (field: number): boolean => reached[field]?.rest.length === 0;
  if (array.length === 0) {
    // An empty array is indexed as `undefined`, which sorts before null; below it nothing exists.
    const values = reached.map((walk, field) =>
      arrays.includes(field) ? (isEnd(field) ? emptyArray : undefined) : walk.value,
    );
    found(values, arrays);
    return;
  }
  for (const element of array) {
    const next = reached.map((walk, field): Walk => {
      if (!arrays.includes(field)) return { value: walk.value, rest: [] };
      if (isEnd(field)) return { value: Array.isArray(element) ? new NestedArray(element) : element, rest: [] };
      return { value: Array.isArray(element) ? undefined : element, rest: walk.rest };
    });
    combinations(next, (values, inner) => found(values, [...arrays, ...inner]));
  }
}

const emptyArray = Symbol('empty array');

/** An array inside an array is a value of its own and not opened again. */
class NestedArray {
  readonly elements: unknown[];

  constructor(elements: unknown[]) {
    this.elements = elements;
  }
}

function indexedValue(value: unknown): unknown {
  if (value === emptyArray) return undefined;
  if (value instanceof NestedArray) return value.elements;
  return value === undefined ? null : value;
}

export interface DocumentKeys {
  entries: IndexEntry[];
  multikey: boolean[];
  unordered: boolean;
}

/** The keys of a document (its fields in `index.names` are enough). None when a partial or sparse index leaves it out. */
export function keysOf(index: Index, document: BsonDocument): DocumentKeys {
  const result: DocumentKeys = { entries: [], multikey: index.fields.map(() => false), unordered: false };
  if (index.partialFilter && !index.partialFilter.matches(document)) return result;
  const seen = new Set<string>();
  combinations(
    index.fields.map(({ parts }) => ({ value: document, rest: parts })),
    (values, arrays) => {
      for (const field of arrays) result.multikey[field] = true;
      if (index.sparse && values.every((value) => value === undefined)) return;
      const indexed = values.map(indexedValue);
      const parts = [index.prefix];
      for (const [field, value] of indexed.entries()) {
        const encoded = encodeValue(value, index.fields.length);
        if (!encoded.ordered) result.unordered = true;
        parts.push(index.fields[field]?.descending ? invert(encoded.bytes) : encoded.bytes);
      }
      const key = Buffer.concat(parts);
      const identity = key.toString('latin1');
      if (seen.has(identity)) return;
      seen.add(identity);
      result.entries.push({ key, values: indexed });
    },
  );
  return result;
}

import type { EncodableObject } from '../bson/encode.ts';
// What an index is, and which keys a document has in it.
import { integerOf } from '../bson/numbers.ts';
import { type BsonValue, fieldsOf, nullValue } from '../bson/value.ts';
import { CommandError } from '../errors.ts';
import { compileFilter, type Filter } from '../query/filter.ts';
import { firstPart, type Path, parsePath } from '../query/path.ts';
import { encodeKey, invert } from './index-key.ts';
import { visitIndexedValues } from './indexed-values.ts';

export interface IndexField {
  dotted: string;
  path: Path;
  descending: boolean;
}

/** An index as the catalogue stores it. */
export interface IndexSpec {
  number: number;
  name: string;
  /** A document of paths and directions. */
  key: BsonValue;
  unique: boolean;
  sparse: boolean;
  partialFilterExpression?: BsonValue;
  expireAfterSeconds?: number;
  /** Per field: some document had an array there, so one document may have several keys. Never reset. */
  multikey: boolean[];
  /** Some key keeps equality but not order (see `EncodedKey.ordered`). Never reset. */
  unordered: boolean;
}

export interface Index extends IndexSpec {
  fields: readonly IndexField[];
  /** Top-level fields that decide the keys. */
  names: ReadonlySet<string>;
  partialFilter: Filter | undefined;
  prefix: Buffer;
}

export interface IndexEntry {
  /** [index number][encoded values], without the record number. */
  key: Buffer;
  values: readonly BsonValue[];
}

export interface DocumentKeys {
  entries: IndexEntry[];
  multikey: boolean[];
  unordered: boolean;
}

export function numberPrefix(number: number): Buffer {
  const prefix = Buffer.allocUnsafe(4);
  prefix.writeUInt32BE(number, 0);
  return prefix;
}

export function openIndex(spec: IndexSpec): Index {
  const fields = fieldsOf(spec.key).map(({ name, value }) => ({
    dotted: name,
    path: parsePath(name),
    descending: (integerOf(value) ?? 1) < 0,
  }));
  const partialFilter = spec.partialFilterExpression && compileFilter(spec.partialFilterExpression);
  const names = new Set([...fields.map(({ dotted }) => firstPart(dotted)), ...(partialFilter?.names ?? [])]);
  return { ...spec, fields, names, partialFilter, prefix: numberPrefix(spec.number) };
}

/** The part of an index that the catalogue stores. */
export function toStoredSpec(index: Index): EncodableObject {
  const { number, name, key, unique, sparse, multikey, unordered } = index;
  const { partialFilterExpression, expireAfterSeconds } = index;
  return { number, name, key, unique, sparse, multikey, unordered, partialFilterExpression, expireAfterSeconds };
}

function refuseParallelArrays(): never {
  throw new CommandError('CannotIndexParallelArrays', 'cannot index parallel arrays');
}

/** The keys of a document; none if a partial or sparse index leaves it out. */
export function keysOf(index: Index, document: BsonValue): DocumentKeys {
  const result: DocumentKeys = { entries: [], multikey: index.fields.map(() => false), unordered: false };
  if (index.partialFilter && !index.partialFilter.matches(document)) return result;
  const seen = new Set<string>();
  visitIndexedValues(
    document,
    index.fields.map(({ path }) => path),
    (found, arrays) => {
      for (const field of arrays) result.multikey[field] = true;
      if (index.sparse && found.every((value) => value === undefined)) return;
      const values = found.map((value) => value ?? nullValue);
      const parts = [index.prefix];
      for (const [field, value] of values.entries()) {
        const { bytes, ordered } = encodeKey(value, index.fields.length);
        if (!ordered) result.unordered = true;
        parts.push(index.fields[field]?.descending ? invert(bytes) : bytes);
      }
      const key = Buffer.concat(parts);
      const identity = key.toString('latin1');
      if (seen.has(identity)) return;
      seen.add(identity);
      result.entries.push({ key, values });
    },
    refuseParallelArrays,
  );
  return result;
}

// An index, and the keys of a document in it.
import type { EncodableObject } from '../bson/encode.ts';
import { type BsonValue, fieldsOf, nullValue } from '../bson/value.ts';
import { CommandError } from '../errors.ts';
import { compileFilter, type Filter } from '../query/filter.ts';
import { firstPart, type Path, parsePath } from '../query/path.ts';
import { encodeKey } from './index-key.ts';
import { visitIndexedValues } from './indexed-values.ts';

interface IndexField {
  dotted: string;
  path: Path;
}

/** An index as the catalogue stores it. */
export interface IndexSpec {
  number: number;
  name: string;
  /** A document of paths; their direction is 1. */
  key: BsonValue;
  unique: boolean;
  sparse: boolean;
  partialFilterExpression?: BsonValue;
  expireAfterSeconds?: number;
  /**
   * For each field: whether a document has had an array there, so that it has several keys. Never
   * reset.
   */
  multikey: boolean[];
  /** Whether a key is not in order (see `EncodedKey.ordered`). Never reset. */
  unordered: boolean;
}

export interface Index extends IndexSpec {
  fields: readonly IndexField[];
  /** The top-level fields that the keys depend on. */
  names: ReadonlySet<string>;
  partialFilter: Filter | undefined;
  prefix: Buffer;
}

interface IndexEntry {
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
  const fields = fieldsOf(spec.key).map(({ name }) => ({ dotted: name, path: parsePath(name) }));
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

/**
 * The keys of a document. There are none if the index is partial or sparse and leaves the document
 * out.
 */
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
      for (const value of values) {
        const { bytes, ordered } = encodeKey(value, index.fields.length);
        if (!ordered) result.unordered = true;
        parts.push(bytes);
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

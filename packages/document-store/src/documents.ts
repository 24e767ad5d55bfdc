// The query language on documents in memory, for callers that store them elsewhere.
import { documentValue } from './bson/value.ts';
import { compileFilter } from './query/filter.ts';
import { compileProjection } from './query/projection.ts';
import { compareByFields, parseSort, sortValues } from './query/sort.ts';
import { compileUpdate } from './update/update.ts';

/** All functions take and return BSON. @returns whether a document matches. */
export function filterOf(filter: Buffer): (document: Buffer) => boolean {
  const { matches } = compileFilter(documentValue(filter));
  return (document) => matches(documentValue(document));
}

/**
 * `apply` returns the same object if nothing changes; `insertion` returns the document that an
 * upsert inserts.
 */
export function updateOf(update: Buffer): { apply(document: Buffer): Buffer; insertion(filter: Buffer): Buffer } {
  const { apply, insertion } = compileUpdate(documentValue(update));
  return { apply, insertion: (filter) => insertion(documentValue(filter)) };
}

export function projectionOf(projection: Buffer): (document: Buffer) => Buffer {
  return compileProjection(documentValue(projection)) ?? ((document) => document);
}

export function orderOf(sort: Buffer): (one: Buffer, other: Buffer) => number {
  const fields = parseSort(documentValue(sort));
  const compare = compareByFields(fields);
  const valuesOf = (document: Buffer) => sortValues(documentValue(document), fields);
  return (one, other) => compare(valuesOf(one), valuesOf(other));
}

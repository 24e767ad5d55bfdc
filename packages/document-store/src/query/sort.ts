// Sorts: the fields, the value of an array that counts, and the directions.
import { compareValues } from '../bson/compare.ts';
import { integerOf } from '../bson/numbers.ts';
import { type BsonValue, fieldsOf, nullValue } from '../bson/value.ts';
import { CommandError } from '../errors.ts';
import { visitIndexedValues } from '../index/indexed-values.ts';
import { type Path, parsePath } from './path.ts';

export interface SortField {
  dotted: string;
  path: Path;
  descending: boolean;
}

/** Reads `{a: 1, b: -1}`. */
export function parseSort(sort: BsonValue): SortField[] {
  return fieldsOf(sort).map(({ name, value }) => {
    const direction = integerOf(value);
    if (direction !== 1 && direction !== -1)
      throw new CommandError(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)');
    if (name.startsWith('$')) throw new CommandError(16410, "FieldPath field names may not start with '$'.");
    return { dotted: name, path: parsePath(name), descending: direction < 0 };
  });
}

export function compareByFields(fields: readonly SortField[]) {
  return (left: readonly BsonValue[], right: readonly BsonValue[]): number => {
    for (const [position, { descending }] of fields.entries()) {
      const [a, b] = [left[position], right[position]];
      const order = a && b ? compareValues(a, b) : 0;
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  };
}

/**
 * The values that a document is sorted by. The first element of an array in the order of the sort
 * counts.
 */
export function sortValues(document: BsonValue, fields: readonly SortField[]): readonly BsonValue[] {
  const compare = compareByFields(fields);
  let first: readonly BsonValue[] | undefined;
  visitIndexedValues(
    document,
    fields.map(({ path }) => path),
    (values) => {
      const indexed = values.map((value) => value ?? nullValue);
      if (!first || compare(indexed, first) < 0) first = indexed;
    },
    () => {
      throw new CommandError('BadValue', 'cannot sort with keys that are parallel arrays');
    },
  );
  return first ?? [];
}

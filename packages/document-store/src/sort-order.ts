// What a sort compares: by which fields, which value of an array, in which direction.
import { type BsonDocument, compareValues, isDocument, toInteger } from './bson-values.ts';
import { CommandError } from './errors.ts';

export interface SortField {
  path: string;
  descending: boolean;
}

/** Reads `{a: 1, b: -1}`; refuses every other direction. */
export function parseSort(sort: BsonDocument): SortField[] {
  return Object.entries(sort).map(([path, direction]) => {
    const sign = toInteger(direction);
    if (isDocument(direction))
      throw new CommandError('NotImplemented', `sorting by ${Object.keys(direction)[0]} is not implemented`);
    if (sign !== 1 && sign !== -1) {
      throw new CommandError(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)');
    }
    if (path.startsWith('$')) throw new CommandError(16410, "FieldPath field names may not start with '$'.");
    return { path, descending: sign < 0 };
  });
}

function fieldOf(value: unknown, name: string): unknown {
  return isDocument(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** A value to sort by: of an array the smallest element, or the largest where the order is descending. */
export function sortValue(document: BsonDocument, field: SortField): unknown {
  let candidates: unknown[] = [document];
  for (const part of field.path.split('.')) {
    candidates = candidates.flatMap((value): unknown[] => {
      if (Array.isArray(value)) {
        if (/^\d+$/.test(part)) return [value[Number(part)]];
        return value.map((element) => fieldOf(element, part));
      }
      return [fieldOf(value, part)];
    });
  }
  // A missing value sorts as null; an empty array before it, as `undefined`.
  const values = candidates.flatMap((value) =>
    Array.isArray(value) ? (value.length === 0 ? [undefined] : value) : [value ?? null],
  );
  let chosen = values[0];
  if (values.length === 0) return null;
  for (const value of values.slice(1)) {
    const order = compareValues(value, chosen);
    if (field.descending ? order > 0 : order < 0) chosen = value;
  }
  return chosen;
}

export function compareByFields(fields: readonly SortField[]) {
  return (left: readonly unknown[], right: readonly unknown[]): number => {
    for (const [position, field] of fields.entries()) {
      const order = compareValues(left[position], right[position]);
      if (order !== 0) return field.descending ? -order : order;
    }
    return 0;
  };
}

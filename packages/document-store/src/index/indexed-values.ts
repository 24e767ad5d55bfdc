// The values of a document at the paths of an index or a sort. A combination has one value for each
// path. An array gives one combination per element.
import { type BsonValue, elementsOf, fieldOf, isArray, isObject, undefinedValue } from '../bson/value.ts';
import type { Path } from '../query/path.ts';

/** A position on a path. */
interface Walk {
  /** `undefined` if it is missing. */
  value: BsonValue | undefined;
  rest: Path;
  /** Whether the walk has ended. An array is then a value, and its elements are not visited. */
  closed?: boolean;
}

/**
 * Follows the path to its end, to a missing value, or to an array whose elements must be visited.
 */
function descend(walk: Walk): Walk {
  let { value, rest } = walk;
  for (let part = rest[0]; part && !walk.closed; part = rest[0]) {
    if (isArray(value)) {
      if (part.index === undefined) break;
      value = elementsOf(value)[part.index];
    } else value = isObject(value) ? fieldOf(value, part.name) : undefined;
    if (value === undefined) return { value, rest: [] };
    rest = rest.slice(1);
  }
  return { ...walk, value, rest };
}

/**
 * Calls `found` once for each combination of values. The second argument has the positions of those
 * paths on which an array was visited. An empty array at the end of a path counts as BSON's
 * `undefined`, which sorts before null. If the path continues after an empty array, its value is
 * missing. Calls `refuseParallel`, which must throw, if two paths visit different arrays at the
 * same time.
 */
export function visitIndexedValues(
  document: BsonValue,
  paths: readonly Path[],
  found: (values: readonly (BsonValue | undefined)[], arrays: readonly number[]) => void,
  refuseParallel: () => never,
): void {
  const visit = (walks: readonly Walk[], outer: readonly number[]): void => {
    const reached = walks.map(descend);
    const opened = reached.flatMap(({ value, closed }, field) => (isArray(value) && !closed ? [field] : []));
    const arrays = [...outer, ...opened];
    const array = reached[opened[0] ?? -1]?.value;
    if (!array) {
      found(
        reached.map(({ value }) => value),
        arrays,
      );
      return;
    }
    if (opened.some((field) => reached[field]?.value?.start !== array.start)) refuseParallel();
    const elements = elementsOf(array);
    if (elements.length === 0) {
      const values = reached.map(({ value, rest }, field) => {
        if (!opened.includes(field)) return value;
        return rest.length === 0 ? undefinedValue : undefined;
      });
      found(values, arrays);
      return;
    }
    for (const element of elements) {
      const next = reached.map((walk, field): Walk => {
        if (!opened.includes(field)) return { ...walk, closed: true };
        if (walk.rest.length === 0) return { value: element, rest: [], closed: true };
        return { value: isArray(element) ? undefined : element, rest: walk.rest };
      });
      visit(next, arrays);
    }
  };
  visit(
    paths.map((path) => ({ value: document, rest: path })),
    [],
  );
}

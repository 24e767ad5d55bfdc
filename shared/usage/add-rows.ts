/**
 * Adds rows to those with the same key, in place. @returns the list, or a new one in place of an
 * empty one.
 */
export function addRows<Row extends object>(
  into: Row[],
  more: readonly Row[],
  key: keyof Row,
  add: (sum: Row, row: Row) => void,
): Row[] {
  // A copy is as long as its rows; an empty list that is added to has a capacity of 17.
  if (into.length === 0) return more.map((row) => ({ ...row }));
  for (const row of more) {
    const same = findRow(into, key, row[key]);
    if (same === undefined) into.push({ ...row });
    else add(same, row);
  }
  return into;
}

/** A loop, because `find` would need a function for every row. */
export function findRow<Row, Key extends keyof Row>(rows: readonly Row[], key: Key, value: Row[Key]): Row | undefined {
  for (const row of rows) if (row[key] === value) return row;
  return undefined;
}

/** The order of texts by their code units. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

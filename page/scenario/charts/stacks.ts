/** A part of each bar. */
export interface Series<Row> {
  readonly name: string;
  /** The class, and with two dashes the custom property, of its colour. */
  readonly color: `series-${string}`;
  /** Null without a value, such as an amount without a price. */
  readonly valueOf: (row: Row) => number | null;
  readonly textOf: (row: Row) => string;
}

/** The upper ends of the parts of each bar, from the lowest part. */
export type Stack = readonly (number | null)[];

/**
 * Puts the series of each row on top of each other. A row without any value is a gap, of which
 * nothing is drawn.
 * @returns the upper ends by series.
 */
export function stackSeries<Row>(rows: readonly Row[], series: readonly Series<Row>[]): Stack[] {
  const stacks = series.map((): (number | null)[] => []);
  for (const row of rows) {
    const values = series.map(({ valueOf }) => valueOf(row) ?? 0);
    const isGap = values.every((value) => value === 0);
    let end = 0;
    for (const [index, value] of values.entries()) {
      end += value;
      stacks[index]?.push(isGap ? null : end);
    }
  }
  return stacks;
}

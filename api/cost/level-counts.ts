import { isSliceOver, nextSlice } from '../../shared/process/time-slices.ts';
import type { LevelClass } from '../../shared/scenarios/level-class.ts';
import { type Interval, intervalLength } from '../../shared/usage/periods.ts';
import type { HourUsage } from '../../shared/usage/usage.ts';

interface LevelRow {
  /** The start of the UTC hour or day, in epoch milliseconds. */
  readonly start: number;
  readonly logs: Map<LevelClass, bigint>;
}

interface LevelPage {
  /** Hours or days with entries, ascending. */
  readonly rows: readonly LevelRow[];
  /** The start of the row after the last one; null if there is none. */
  readonly next: number | null;
}

/**
 * Counts entries by level and by hour or day.
 * @param days hours with their levels, in order.
 * @param limit the most rows.
 */
export async function countByLevel(
  days: AsyncIterable<readonly HourUsage[]>,
  { interval, limit }: { interval: Interval; limit: number },
): Promise<LevelPage> {
  const rows: LevelRow[] = [];
  const length = intervalLength(interval);
  for await (const hours of days) {
    for (const hour of hours) {
      if (isSliceOver()) await nextSlice();
      if (hour.logs === 0n) continue;
      const start = Math.floor(hour.hour.getTime() / length) * length;
      if (rows.at(-1)?.start !== start) {
        if (rows.length === limit) return { rows, next: start };
        rows.push({ start, logs: new Map() });
      }
      addHour(rows.at(-1)?.logs ?? new Map(), hour);
    }
  }
  return { rows, next: null };
}

function addHour(sums: Map<LevelClass, bigint>, { levels = [] }: HourUsage): void {
  for (const { level, entries } of levels) sums.set(level, (sums.get(level) ?? 0n) + entries);
}

import type { LevelCounts, Metrics } from '../../client/responses.ts';
import { addDecimals } from '../../format/decimals.ts';

type MetricsRow = Metrics['timeseries'][number];
/** Entries by the class of their level; absent ones have none. */
export type Levels = LevelCounts['rows'][number]['logs'];

/** Usage and cost of an hour, a day or a month. */
export interface TimeRow extends Pick<MetricsRow, 'logs' | 'size_bytes' | 'pii_logs' | 'cost'> {
  /** In epoch milliseconds. */
  readonly start: number;
  /** Absent until a chart of levels needs them. */
  readonly levels?: Levels;
}

/** Sums the days of each UTC month. Prices have tiers by month, so this is its cost. */
export function sumMonths(days: readonly TimeRow[]): TimeRow[] {
  const months = new Map<number, TimeRow>();
  for (const row of days) {
    const date = new Date(row.start);
    const start = Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
    const sum = months.get(start);
    months.set(start, sum ? addRow(sum, row) : { ...row, start });
  }
  return [...months.values()];
}

function addRow(sum: TimeRow, row: TimeRow): TimeRow {
  const amount = (service: keyof TimeRow['cost']) => addAmounts(sum.cost[service], row.cost[service]);
  return {
    start: sum.start,
    logs: sum.logs + row.logs,
    size_bytes: sum.size_bytes + row.size_bytes,
    pii_logs: sum.pii_logs + row.pii_logs,
    cost: {
      queue: amount('queue'),
      function: amount('function'),
      inference: amount('inference'),
      total: amount('total'),
    },
    ...(sum.levels || row.levels ? { levels: addLevels(sum.levels ?? {}, row.levels ?? {}) } : {}),
  };
}

function addLevels(sum: Levels, more: Levels): Levels {
  const added = Object.entries(more).map(([level, entries]) => [level, (sum[level as keyof Levels] ?? 0) + entries]);
  return { ...sum, ...Object.fromEntries(added) };
}

/** An amount without a price adds nothing, as in the totals of the API. */
const addAmounts = (a: string | null, b: string | null) => (a === null || b === null ? (a ?? b) : addDecimals(a, b));

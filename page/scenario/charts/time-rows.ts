import { read } from '../../client/api.ts';
import type { LevelCounts, Metrics } from '../../client/responses.ts';
import type { Interval } from '../../format/times.ts';
import type { Bounds } from '../../period/period.ts';
import { scenariosPath } from '../../scenarios/scenario-queries.ts';
import { maxRows } from './time-steps.ts';

/** Entries by the class of their level; absent ones have none. */
type Levels = LevelCounts['rows'][number]['logs'];

/** Usage and cost of an hour or a day. */
export interface TimeRow extends Pick<Metrics['timeseries'][number], 'logs' | 'pii_logs' | 'cost'> {
  /** In epoch milliseconds. */
  readonly start: number;
  /** Absent until a chart of levels needs them. */
  readonly levels?: Levels;
}

/** Decades of days. The service leaves out pages without entries. */
const maxPages = 20;

interface Wanted {
  readonly bounds: Bounds;
  readonly interval: Interval;
  /** Entries by level are read only where they are shown, because they take longer. */
  readonly hasLevels: boolean;
}

/** Reads the rows of a period. Hours and days without entries far from others are left out. */
export async function readRows(
  id: string,
  { bounds, interval, hasLevels }: Wanted,
  signal: AbortSignal,
): Promise<TimeRow[]> {
  const [rows, levels] = await Promise.all([
    readMetrics(id, { ...bounds, interval }, signal),
    hasLevels ? readLevels(id, { ...bounds, interval }, signal) : null,
  ]);
  return levels === null ? rows : rows.map((row) => ({ ...row, levels: levels.get(row.start) ?? {} }));
}

type Query = Bounds & { readonly interval: Interval };

async function readMetrics(id: string, query: Query, signal: AbortSignal): Promise<TimeRow[]> {
  const rows: TimeRow[] = [];
  let cursor: string | null | undefined;
  for (let page = 0; page < maxPages && cursor !== null; page += 1) {
    const parameters = { ...query, limit: maxRows, cursor };
    const { timeseries, next } = await read<Metrics>(`${scenariosPath}/${id}/metrics`, parameters, signal);
    for (const { hour, logs, pii_logs, cost } of timeseries)
      rows.push({ start: Date.parse(hour), logs, pii_logs, cost });
    cursor = next;
  }
  return rows;
}

async function readLevels(id: string, query: Query, signal: AbortSignal): Promise<Map<number, Levels>> {
  const levels = new Map<number, Levels>();
  let from: string | null = query.from;
  for (let page = 0; page < maxPages && from !== null; page += 1) {
    const path = `${scenariosPath}/${id}/metrics/levels`;
    const counts: LevelCounts = await read<LevelCounts>(path, { ...query, from }, signal);
    for (const { start, logs } of counts.rows) levels.set(Date.parse(start), logs);
    from = counts.next;
  }
  return levels;
}

import { read } from '../../client/api.ts';
import type { LevelCounts, Metrics } from '../../client/responses.ts';
import type { Interval } from '../../format/times.ts';
import type { Bounds } from '../../period/period.ts';
import { scenariosPath } from '../../scenarios/scenario-queries.ts';
import { type Levels, sumMonths, type TimeRow } from './sum-months.ts';
import { maxRows } from './time-steps.ts';

/** Decades of days. The service leaves out pages without entries. */
const maxPages = 20;

interface Wanted {
  readonly bounds: Bounds;
  readonly step: Interval;
  /** Entries by level are read only where they are shown, because they take longer. */
  readonly hasLevels: boolean;
}

/** Reads the rows of a period. Hours and days without entries far from others are left out. */
export async function readRows(id: string, wanted: Wanted, signal: AbortSignal): Promise<TimeRow[]> {
  const interval = wanted.step === 'hour' ? 'hour' : 'day';
  const [rows, levels] = await Promise.all([
    readMetrics(id, { ...wanted.bounds, interval }, signal),
    wanted.hasLevels ? readLevels(id, { ...wanted.bounds, interval }, signal) : null,
  ]);
  const complete = levels === null ? rows : rows.map((row) => ({ ...row, levels: levels.get(row.start) ?? {} }));
  return wanted.step === 'month' ? sumMonths(complete) : complete;
}

type Query = Bounds & { readonly interval: 'hour' | 'day' };

async function readMetrics(id: string, query: Query, signal: AbortSignal): Promise<TimeRow[]> {
  const rows: TimeRow[] = [];
  let cursor: string | null | undefined;
  for (let page = 0; page < maxPages && cursor !== null; page += 1) {
    const parameters = { ...query, limit: maxRows, cursor };
    const { timeseries, next } = await read<Metrics>(`${scenariosPath}/${id}/metrics`, parameters, signal);
    for (const { hour, logs, size_bytes, pii_logs, cost } of timeseries) {
      rows.push({ start: Date.parse(hour), logs, size_bytes, pii_logs, cost });
    }
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

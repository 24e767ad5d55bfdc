import { read } from '../../client/api.ts';
import type { Metrics } from '../../client/responses.ts';
import type { Interval } from '../../format/times.ts';
import type { Bounds } from '../../period/period.ts';
import { scenariosPath } from '../../scenarios/scenario-queries.ts';
import { sumMonths, type TimeRow } from './sum-months.ts';
import { maxRows } from './time-steps.ts';

/** Decades of days. The service leaves out pages without entries. */
const maxPages = 20;

/** Reads the rows of a period. Hours and days without entries far from others are left out. */
export async function readRows(id: string, bounds: Bounds, step: Interval, signal: AbortSignal): Promise<TimeRow[]> {
  const rows: TimeRow[] = [];
  const interval = step === 'hour' ? 'hour' : 'day';
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const query = { ...bounds, interval, limit: maxRows, cursor };
    const { timeseries, next } = await read<Metrics>(`${scenariosPath}/${id}/metrics`, query, signal);
    for (const { hour, logs, size_bytes, pii_logs, cost } of timeseries) {
      rows.push({ start: Date.parse(hour), logs, size_bytes, pii_logs, cost });
    }
    if (next === null) break;
    cursor = next;
  }
  return step === 'month' ? sumMonths(rows) : rows;
}

import type { CostBucket } from '../../../shared/cost/bucket-page.ts';
import type { MonthsCost } from '../../../shared/cost/monthly-usage.ts';
import {
  type PipelineTotals,
  presentAmount,
  presentLines,
  presentPipeline,
  presentTotals,
  presentUsage,
} from '../../../shared/cost/present-cost.ts';
import { type CsvCell, type CsvColumns, createCsvTable } from './csv-table.ts';

interface HourRow {
  row: 'hour' | 'total';
  hour: string | null;
  service: string;
  logs: number;
  size_bytes: number;
  pii_logs: number;
  requests?: CsvCell;
  invocations?: CsvCell;
  gb_seconds?: CsvCell;
  input_tokens?: CsvCell;
  output_tokens?: CsvCell;
  empty_receives?: CsvCell;
  calls?: CsvCell;
  cache_read_tokens?: CsvCell;
  cache_write_tokens?: CsvCell;
  cost: string | null;
  share: string | null;
  status: string | null;
}

interface Terms {
  region: string;
  priceBook: string;
  /** Whether the usage is that of a pipeline, which has more columns. */
  hasPipeline: boolean;
  /** Whether own prices or discounts apply to a part of the period, which a column then says. */
  hasOverrides: boolean;
}

const columns: CsvColumns<HourRow & Terms> = {
  row: ({ row }) => row,
  hour: ({ hour }) => hour,
  service: ({ service }) => service,
  logs: ({ logs }) => logs,
  size_bytes: ({ size_bytes }) => size_bytes,
  pii_logs: ({ pii_logs }) => pii_logs,
  requests: ({ requests }) => requests ?? null,
  invocations: ({ invocations }) => invocations ?? null,
  gb_seconds: ({ gb_seconds }) => gb_seconds ?? null,
  input_tokens: ({ input_tokens }) => input_tokens ?? null,
  output_tokens: ({ output_tokens }) => output_tokens ?? null,
  cost: ({ cost }) => cost,
  share: ({ share }) => share,
  status: ({ status }) => status,
  region: ({ region }) => region,
  price_book: ({ priceBook }) => priceBook,
};

const pipelineColumns: CsvColumns<HourRow & Terms> = {
  ...columns,
  empty_receives: ({ empty_receives }) => empty_receives ?? null,
  inference_calls: ({ calls }) => calls ?? null,
  cache_read_tokens: ({ cache_read_tokens }) => cache_read_tokens ?? null,
  cache_write_tokens: ({ cache_write_tokens }) => cache_write_tokens ?? null,
};

/** Formats the hours of a scenario and their totals. Hours without entries have no lines. */
export function createHourLines(terms: Terms) {
  const table = createCsvTable({
    ...(terms.hasPipeline ? pipelineColumns : columns),
    ...(terms.hasOverrides && { own_prices: () => 'true' }),
  });
  const format = (rows: HourRow[]) => table.lines(rows.map((row) => ({ ...row, ...terms })));
  return {
    header: () => table.header(),
    hours: (buckets: readonly CostBucket[]) => format(buckets.flatMap((bucket) => rowsOfHour(bucket, terms))),
    totals: (cost: MonthsCost) => format(rowsOfTotals(cost)),
  };
}

function rowsOfHour({ start, usage, cost }: CostBucket, { hasPipeline }: Terms): HourRow[] {
  const shown = presentUsage(usage);
  const ofPipeline = hasPipeline ? presentPipeline(usage) : undefined;
  const common = { hour: new Date(start).toISOString(), ...pickCounts(shown), share: null, status: null } as const;
  return [
    {
      row: 'hour',
      ...common,
      service: 'queue',
      requests: shown.queue_requests,
      ...(ofPipeline && { empty_receives: ofPipeline.empty_receives }),
      cost: presentAmount(cost.queue),
    },
    {
      row: 'hour',
      ...common,
      service: 'function',
      invocations: shown.function_invocations,
      gb_seconds: shown.function_gb_seconds,
      cost: presentAmount(cost.function),
    },
    {
      row: 'hour',
      ...common,
      service: 'inference',
      input_tokens: shown.input_tokens,
      output_tokens: shown.output_tokens,
      ...(ofPipeline && presentCalls(ofPipeline)),
      cost: presentAmount(cost.inference),
    },
  ];
}

/** One row per service and one of all: the figures of the metrics. */
function rowsOfTotals(scenarioCost: MonthsCost): HourRow[] {
  const totals = presentTotals(scenarioCost);
  const common = { row: 'total', hour: null, ...pickCounts(totals) } as const;
  return [
    ...presentLines(scenarioCost).map(({ service, usage, cost, share, status }) => ({
      ...common,
      ...usage,
      service,
      cost,
      share,
      status,
    })),
    {
      ...common,
      service: 'all',
      requests: totals.queue_requests,
      invocations: totals.function_invocations,
      gb_seconds: totals.function_gb_seconds,
      input_tokens: totals.input_tokens,
      output_tokens: totals.output_tokens,
      ...(scenarioCost.hasPipeline && presentAll(presentPipeline(scenarioCost.usage))),
      cost: totals.cost,
      share: null,
      status: totals.status,
    },
  ];
}

function presentCalls({ inference_calls: calls, cache_read_tokens, cache_write_tokens }: PipelineTotals) {
  return { calls, cache_read_tokens, cache_write_tokens };
}

function presentAll(totals: PipelineTotals) {
  return { empty_receives: totals.empty_receives, ...presentCalls(totals) };
}

function pickCounts({ logs, size_bytes, pii_logs }: { logs: number; size_bytes: number; pii_logs: number }) {
  return { logs, size_bytes, pii_logs };
}

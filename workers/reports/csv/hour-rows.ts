import { formatExactGbSeconds, formatExactMoney, type Money } from '../../../shared/cost/money.ts';
import { presentPipeline, presentUsage } from '../../../shared/cost/present-cost.ts';
import { presentRemarks, remarkSentences } from '../../../shared/cost/present-remarks.ts';
import type { CostStatus, Service } from '../../../shared/cost/price-month.ts';
import type { PricedBucket } from '../../../shared/cost/scenario-cost.ts';
import { type CsvCell, type CsvColumns, createCsvTable } from './csv-table.ts';

/** An hour of a service. Every quantity is on one row of its hour, so each column adds up. */
interface HourRow {
  hour: string;
  service: Service;
  /** Entries are on the row of the queue, which all of them pass. */
  logs?: CsvCell;
  size_bytes?: CsvCell;
  pii_logs?: CsvCell;
  requests?: CsvCell;
  invocations?: CsvCell;
  gb_seconds?: CsvCell;
  input_tokens?: CsvCell;
  output_tokens?: CsvCell;
  empty_receives?: CsvCell;
  inference_calls?: CsvCell;
  cache_read_tokens?: CsvCell;
  cache_write_tokens?: CsvCell;
  /** With all decimals; null if none of the usage has a price. */
  cost: string | null;
  status: CostStatus;
  /** Sentences about entries that were not counted as their senders may have meant. */
  remarks?: string;
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
  hour: ({ hour }) => hour,
  service: ({ service }) => service,
  logs: ({ logs }) => logs ?? null,
  size_bytes: ({ size_bytes }) => size_bytes ?? null,
  pii_logs: ({ pii_logs }) => pii_logs ?? null,
  requests: ({ requests }) => requests ?? null,
  invocations: ({ invocations }) => invocations ?? null,
  gb_seconds: ({ gb_seconds }) => gb_seconds ?? null,
  input_tokens: ({ input_tokens }) => input_tokens ?? null,
  output_tokens: ({ output_tokens }) => output_tokens ?? null,
  cost: ({ cost }) => cost,
  status: ({ status }) => status,
  region: ({ region }) => region,
  price_book: ({ priceBook }) => priceBook,
  remarks: ({ remarks }) => remarks ?? null,
};

const pipelineColumns: CsvColumns<HourRow & Terms> = {
  ...columns,
  empty_receives: ({ empty_receives }) => empty_receives ?? null,
  inference_calls: ({ inference_calls }) => inference_calls ?? null,
  cache_read_tokens: ({ cache_read_tokens }) => cache_read_tokens ?? null,
  cache_write_tokens: ({ cache_write_tokens }) => cache_write_tokens ?? null,
};

/** Formats the hours of a scenario. Hours without entries have no lines. */
export function createHourLines(terms: Terms) {
  const table = createCsvTable({
    ...(terms.hasPipeline ? pipelineColumns : columns),
    ...(terms.hasOverrides && { own_prices: () => 'true' }),
  });
  return {
    header: () => table.header(),
    hours: (buckets: readonly PricedBucket[]) =>
      table.lines(buckets.flatMap((bucket) => rowsOfHour(bucket, terms)).map((row) => ({ ...row, ...terms }))),
  };
}

function rowsOfHour({ start, usage, services }: PricedBucket, { hasPipeline }: Terms): HourRow[] {
  const { logs, size_bytes, pii_logs, ...shown } = presentUsage(usage);
  const { empty_receives = null, ...calls } = hasPipeline ? presentPipeline(usage) : {};
  const remarks = remarkSentences(presentRemarks(usage));
  const hour = new Date(start).toISOString();
  const rowOf = (service: HourRow['service'], quantities: Partial<HourRow>): HourRow => ({
    hour,
    service,
    ...quantities,
    cost: exactAmount(services[service].amount),
    status: services[service].status,
  });
  return [
    rowOf('queue', {
      logs,
      size_bytes,
      pii_logs,
      requests: shown.queue_requests,
      empty_receives,
      ...(remarks.length > 0 && { remarks: remarks.join(' ') }),
    }),
    rowOf('function', {
      invocations: shown.function_invocations,
      gb_seconds: formatExactGbSeconds(usage.functions.reduce((sum, { mbMs }) => sum + mbMs, 0n)),
    }),
    rowOf('inference', { input_tokens: shown.input_tokens, output_tokens: shown.output_tokens, ...calls }),
  ];
}

const exactAmount = (amount: Money | null) => (amount === null ? null : formatExactMoney(amount));

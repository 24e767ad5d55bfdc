import { type Static, Type } from 'typebox';
import type { PagedCost } from '../../shared/cost/paged-cost.ts';
import {
  presentCosts,
  presentPeriod,
  presentRemarks,
  presentServices,
  presentTotals,
  presentUsage,
  presentVersion,
} from '../../shared/cost/present-cost.ts';
import { costStatuses, type PricingTerms } from '../../shared/cost/price-month.ts';
import type { CostBucket } from '../../shared/cost/scenario-cost.ts';
import { isSliceOver, nextSlice } from '../../shared/process/time-slices.ts';
import { parseTimestamp } from '../../shared/timestamp.ts';
import { type Interval, intervalLength, intervals } from '../../shared/usage/periods.ts';
import type { UnprocessedEntries } from '../../shared/usage/read-usage.ts';
import {
  count,
  decimal,
  exampleScenarioId,
  mapOf,
  named,
  nullable,
  oneOf,
  timestamp,
  uuid,
} from '../http/response-types.ts';

/** Usage of one entry, or the sum of several. */
export const entryUsage = {
  queue_requests: count(),
  function_invocations: count(),
  function_gb_seconds: decimal(),
  input_tokens: count(),
  output_tokens: count(),
};
const usageFields = { logs: count(), size_bytes: count(), pii_logs: count(), ...entryUsage };

/** An amount in USD; null when none of the usage has a price. */
export const amount = () => nullable(decimal());

export const costByService = () =>
  Type.Object({ queue: amount(), function: amount(), inference: amount(), total: amount() });

/** Usage of a service by unit. */
const lineUsage = () => mapOf<number | string>({ type: ['number', 'string'] });

const ofPipeline = (description = '') =>
  Type.Optional(count({ description: `${description}Present with a pipeline only.` }));

/** Usage and cost of a period. */
export const costTotals = Type.Object({
  ...usageFields,
  inference_calls: ofPipeline('Model calls. '),
  cache_read_tokens: ofPipeline(),
  cache_write_tokens: ofPipeline(),
  empty_receives: ofPipeline('Part of the queue requests: polls that returned no message. '),
  pii: Type.Object({ email: count(), national_id: count(), payment_card: count() }),
  cost: amount(),
  status: oneOf(costStatuses),
  incomplete: Type.Boolean(),
});

export const metricsTotals = Type.Object({
  ...costTotals.properties,
  untimed: count({ description: 'Entries without a time of their own: they count at their arrival.' }),
  usage_unread: count({
    description:
      'Entries with a usage of a model call that is not understood: their tokens are counted from the message.',
  }),
  unpriced: Type.Array(
    Type.Object({ model: Type.String(), calls: count(), input_tokens: count(), output_tokens: count() }),
    { description: 'Calls of models that are not in the price book, by name; 20 names an hour, then `other`.' },
  ),
  pending_entries: count({
    description: 'Accepted entries that are not part of these metrics yet, in any period: workers process them.',
  }),
  failed_entries: count({
    description: 'Accepted entries whose processing has failed, in any period. They are not part of these metrics.',
  }),
});

export const metricsLine = Type.Object({
  service: oneOf(['queue', 'function', 'inference']),
  usage: lineUsage(),
  cost: amount(),
  share: nullable(Type.String()),
  status: oneOf(costStatuses),
  unpriced: Type.Optional(lineUsage()),
  remarks: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Why prices are not certain: the size of calls, for example. Absent without a reason.',
    }),
  ),
});

const metricsRow = Type.Object({
  hour: timestamp({ description: 'Start of the UTC hour, or of the UTC day with `interval=day`.' }),
  ...usageFields,
  cost: costByService(),
});

/** The price book that a response is computed from. */
export const usedPriceBook = Type.Object({
  version: Type.String(),
  as_of: Type.String(),
  own_prices: Type.Optional(
    Type.Unsafe<true>({
      type: 'boolean',
      const: true,
      description: 'Present if the installation has own prices or discounts.',
    }),
  ),
});
/** A period in whole hours; null for an open end without entries. */
export const wholePeriod = Type.Object({ from: nullable(timestamp()), to: nullable(timestamp()) });

export const metricsResponse = named('Metrics', {
  scenario_id: uuid(),
  region: Type.String(),
  currency: Type.Unsafe<string>({ type: 'string', const: 'USD' }),
  price_book: usedPriceBook,
  period: wholePeriod,
  totals: metricsTotals,
  cost_breakdown: Type.Array(metricsLine),
  interval: oneOf(intervals),
  timeseries: Type.Array(metricsRow),
  next: nullable(Type.String({ description: 'The `cursor` of the next page of `timeseries`; null on the last one.' })),
});
export type Metrics = Static<typeof metricsResponse>;

/** The metrics of a scenario: counts are numbers, money and GB-seconds decimal strings. */
export async function presentMetrics(
  id: string,
  { region, book }: PricingTerms,
  cost: PagedCost,
  unprocessed: UnprocessedEntries,
): Promise<Metrics> {
  const timeseries: Metrics['timeseries'] = [];
  for (const row of cost.rows) {
    if (isSliceOver()) await nextSlice();
    timeseries.push(presentRow(row));
  }
  return {
    scenario_id: id,
    region,
    currency: book.currency,
    price_book: presentVersion(book),
    period: presentPeriod(cost.period),
    totals: {
      ...presentTotals(cost),
      ...presentRemarks(cost.usage),
      pending_entries: unprocessed.pending,
      failed_entries: unprocessed.failed,
    },
    cost_breakdown: presentServices(cost),
    interval: cost.interval,
    timeseries,
    next: cost.next === null ? null : formatCursor({ interval: cost.interval, start: cost.next }),
  };
}

export const presentRow = ({ start, usage, cost }: CostBucket): Metrics['timeseries'][number] => ({
  hour: new Date(start).toISOString(),
  ...presentUsage(usage),
  cost: presentCosts(cost),
});

/** Where a page of the time series begins. */
export interface MetricsCursor {
  interval: Interval;
  /** The start of a UTC hour or day, in epoch milliseconds. */
  start: number;
}

/**
 * `hour:2026-05-01T12:00:00.000Z`: it names the interval, so that entries that arrive between two
 * pages do not change it.
 */
export const formatCursor = ({ interval, start }: MetricsCursor): string =>
  `${interval}:${new Date(start).toISOString()}`;

/** Undefined for a text that is not a cursor. */
export function parseCursor(text: string): MetricsCursor | undefined {
  const { name, time } = /^(?<name>hour|day):(?<time>.+Z)$/.exec(text)?.groups ?? {};
  const interval = name as Interval | undefined;
  const start = parseTimestamp(time);
  if (interval === undefined || start === undefined || start % intervalLength(interval) !== 0) return undefined;
  return { interval, start };
}

/** The entries of the example of `ingestEntries`, as the example of metrics has them too. */
export const totalsExample = {
  logs: 2,
  size_bytes: 42,
  pii_logs: 1,
  metrics: {
    queue_requests: 2,
    function_invocations: 2,
    function_gb_seconds: '0.100000000000',
    input_tokens: 14,
    output_tokens: 200,
  },
  cost: {
    queue: '0.000000800000',
    function: '0.000002066670',
    inference: '0.001115400000',
    total: '0.001118266670',
  },
};

const { logs, size_bytes, pii_logs, metrics, cost } = totalsExample;
const usage = { logs, size_bytes, pii_logs, ...metrics };

/** The metrics after the example of `ingestEntries`. */
export const metricsExample: Metrics = {
  scenario_id: exampleScenarioId,
  region: 'eu-west-1',
  currency: 'USD',
  price_book: { version: '2026-10-01-0f3a5c7e9b1d', as_of: '2026-10-01' },
  period: { from: '2026-05-01T13:00:00.000Z', to: '2026-05-01T14:00:00.000Z' },
  totals: {
    ...usage,
    pii: { email: 1, national_id: 0, payment_card: 0 },
    cost: cost.total,
    status: 'estimated',
    incomplete: false,
    pending_entries: 0,
    failed_entries: 0,
    untimed: 2,
    usage_unread: 0,
    unpriced: [],
  },
  cost_breakdown: [
    { service: 'queue', usage: { requests: 2 }, cost: cost.queue, share: '0.0007', status: 'ok' },
    {
      service: 'function',
      usage: { invocations: 2, gb_seconds: metrics.function_gb_seconds },
      cost: cost.function,
      share: '0.0018',
      status: 'ok',
    },
    {
      service: 'inference',
      usage: { input_tokens: metrics.input_tokens, output_tokens: metrics.output_tokens },
      cost: cost.inference,
      share: '0.9974',
      status: 'estimated',
    },
  ],
  interval: 'hour',
  timeseries: [{ hour: '2026-05-01T13:00:00.000Z', ...usage, cost }],
  next: null,
};

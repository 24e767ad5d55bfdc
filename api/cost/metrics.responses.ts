import { type Static, Type } from 'typebox';
import { costStatuses } from '../../shared/cost/price-month.ts';
import { intervals } from '../../shared/usage/periods.ts';
import { count, decimal, mapOf, nullable, oneOf, timestamp, uuid } from '../http/response-types.ts';

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
const amount = () => nullable(decimal());

export const costByService = () =>
  Type.Object({ queue: amount(), function: amount(), inference: amount(), total: amount() });

/** Usage of a service by unit. */
const lineUsage = () => mapOf<number | string>({ type: ['number', 'string'] });

/** Usage and cost of a period. */
export const costTotals = Type.Object({
  ...usageFields,
  inference_calls: Type.Optional(count({ description: 'Model calls. Present with a pipeline only.' })),
  cache_read_tokens: Type.Optional(count({ description: 'Present with a pipeline only.' })),
  cache_write_tokens: Type.Optional(count({ description: 'Present with a pipeline only.' })),
  empty_receives: Type.Optional(
    count({
      description: 'Part of the queue requests: polls that returned no message. Present with a pipeline only.',
    }),
  ),
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
export type MetricsRow = Static<typeof metricsRow>;

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

export const metricsResponse = Type.Object(
  {
    scenario_id: uuid(),
    region: Type.String(),
    currency: Type.Unsafe<string>({ type: 'string', const: 'USD' }),
    price_book: usedPriceBook,
    period: wholePeriod,
    totals: metricsTotals,
    cost_breakdown: Type.Array(metricsLine),
    interval: oneOf(intervals),
    timeseries: Type.Array(metricsRow),
    next: nullable(
      Type.String({ description: 'The `cursor` of the next page of `timeseries`; null on the last one.' }),
    ),
  },
  { $id: 'Metrics' },
);
export type Metrics = Static<typeof metricsResponse>;

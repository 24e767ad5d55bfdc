import { type Static, Type } from 'typebox';
import { costStatuses } from '../../shared/cost/service-cost.ts';
import type { CompleteAssumptions } from '../../shared/scenarios/assumptions.ts';
import { count, decimal, nullable, oneOf, timestamp, uuid } from '../http/response-types.ts';
import { costByService, costTotals, metricsLine, usedPriceBook, wholePeriod } from './metrics.responses.ts';
import { differenceLines } from './price-difference.ts';

const currency = Type.Unsafe<string>({ type: 'string', const: 'USD' });
const assumptions = Type.Unsafe<CompleteAssumptions>({
  type: 'object',
  description: 'All assumptions, with defaults.',
});

/** Usage and cost on certain terms. */
export const pricedUsage = Type.Object({
  price_book: usedPriceBook,
  region: Type.String(),
  assumptions,
  totals: costTotals,
  cost_breakdown: Type.Array(metricsLine),
});
export type PricedUsage = Static<typeof pricedUsage>;

const difference = nullable(
  Type.Object({
    amount: decimal(),
    share: nullable(Type.String({ pattern: '^-?\\d+\\.\\d{4}$' }), {
      description: 'The difference as a share of the first amount; null if that is 0.',
    }),
  }),
  { description: 'In USD; null if one of the two amounts is not or only partly known.' },
);
export type Difference = Static<typeof difference>;

export const differences = Type.Object({
  queue: difference,
  function: difference,
  inference: difference,
  total: difference,
});
export type Differences = Static<typeof differences>;

const ownPriceBook = Type.Object(usedPriceBook.properties, { description: 'The price book of the scenario.' });

const notes = Type.Array(Type.String(), {
  description: 'Costs and effects that the response does not take into account.',
});

export const estimateResponse = Type.Object(
  {
    scenario_id: uuid(),
    currency,
    price_book: ownPriceBook,
    period: wholePeriod,
    present: pricedUsage,
    estimate: pricedUsage,
    difference: differences,
    lines: Type.Optional(differenceLines),
    notes,
  },
  { $id: 'Estimate' },
);
export type Estimate = Static<typeof estimateResponse>;

const regionCost = Type.Object({
  region: Type.String(),
  name: Type.String(),
  cost: costByService(),
  status: oneOf(costStatuses),
  incomplete: Type.Boolean(),
  difference: Type.Object({ total: difference }, { description: 'From the region of the scenario.' }),
});

export const regionsResponse = Type.Object(
  {
    scenario_id: uuid(),
    currency,
    price_book: usedPriceBook,
    period: wholePeriod,
    region: Type.String({ description: 'The region of the scenario.' }),
    assumptions,
    cheapest: nullable(Type.String(), {
      description: 'The cheapest of the regions with a complete cost at verified prices.',
    }),
    items: Type.Array(regionCost, {
      description:
        'The cheapest first. Regions with unverified prices follow, then those whose cost is known in part, in the order of their codes.',
    }),
    notes,
  },
  { $id: 'RegionEstimates' },
);
export type RegionEstimates = Static<typeof regionsResponse>;

const projectionBases = ['entries_per_month', 'entries_per_second', 'observed_rate'] as const;

const projectedCost = Type.Object({
  totals: costTotals,
  cost_breakdown: Type.Array(metricsLine),
});

export const projectionResponse = Type.Object(
  {
    scenario_id: uuid(),
    currency,
    price_book: usedPriceBook,
    region: Type.String(),
    assumptions,
    basis: Type.Object({
      kind: oneOf(projectionBases),
      entries_per_month: Type.String({ description: 'A decimal number, rounded to 12 decimals.' }),
      hours_per_month: count(),
      observed: Type.Object({
        entries: count(),
        from: timestamp(),
        to: timestamp(),
        hours: count(),
      }),
    }),
    month: projectedCost,
    twelve_months: projectedCost,
    notes,
  },
  { $id: 'Projection' },
);
export type Projection = Static<typeof projectionResponse>;

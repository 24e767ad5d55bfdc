import { type Static, Type } from 'typebox';
import type { Money } from '../../shared/cost/money.ts';
import type { MonthsCost } from '../../shared/cost/monthly-usage.ts';
import { presentServices } from '../../shared/cost/present-cost.ts';
import type { PriceBook } from '../../shared/cost/price-book.ts';
import { differencesOf, presentCosts, type presentPeriod, presentVersion } from '../../shared/cost/priced-usage.ts';
import { type CostStatus, costStatuses } from '../../shared/cost/service-cost.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import { count, nullable, oneOf, uuid } from '../http/response-types.ts';
import { differences } from './differences.responses.ts';
import { costByService, metricsLine, usedPriceBook, wholePeriod } from './metrics.responses.ts';

const cheapest = Type.Array(uuid());

const comparedBy = ['cost', 'cost_per_1000_entries'] as const;

const comparedScenario = Type.Object({
  id: uuid(),
  name: Type.String(),
  region: Type.String(),
  price_book: usedPriceBook,
  period: wholePeriod,
  logs: count(),
  cost: costByService(),
  cost_per_1000_entries: nullable(costByService(), { description: 'Null without entries.' }),
  cost_breakdown: Type.Array(metricsLine),
  status: oneOf(costStatuses),
  incomplete: Type.Boolean(),
  difference: Type.Object(differences.properties, {
    description: 'From the first scenario, of what `compared_by` names.',
  }),
  price_difference: Type.Optional(
    Type.Object(differences.properties, {
      description: 'With `price_book`: how much more that is than with the prices of the scenario itself.',
    }),
  ),
});

export const comparisonResponse = Type.Object(
  {
    currency: Type.Unsafe<string>({ type: 'string', const: 'USD' }),
    price_book: Type.Object(usedPriceBook.properties, {
      description: 'The price book of the first scenario. Each scenario names its own.',
    }),
    compared_by: oneOf(comparedBy),
    items: Type.Array(comparedScenario, { description: 'In the order of the ids.' }),
    cheapest: Type.Object(
      { queue: cheapest, function: cheapest, inference: cheapest, total: cheapest },
      {
        description: 'Ids: several if they cost the same, none if no scenario has a complete cost.',
      },
    ),
  },
  { $id: 'Comparison' },
);

export interface ComparedScenario {
  scenario: Pick<Scenario, '_id' | 'name' | 'region'>;
  period: ReturnType<typeof presentPeriod>;
  /** The prices of `cost`. */
  book: PriceBook;
  cost: MonthsCost;
  /** The cost at the prices of the scenario itself, if they are others. */
  own?: MonthsCost;
}

/** @param compared at least one. */
export function presentComparison(compared: readonly ComparedScenario[]): Static<typeof comparisonResponse> {
  const [first] = compared as readonly [ComparedScenario];
  const isSameVolume = compared.every(({ cost }) => cost.usage.logs === first.cost.usage.logs);
  const basisOf = (cost: MonthsCost) => (isSameVolume ? cost : perThousand(cost));
  return {
    currency: first.book.currency,
    price_book: presentVersion(first.book),
    compared_by: isSameVolume ? 'cost' : 'cost_per_1000_entries',
    items: compared.map(({ scenario, period, book, cost, own }) => ({
      id: scenario._id,
      name: scenario.name,
      region: scenario.region,
      price_book: presentVersion(book),
      period,
      logs: Number(cost.usage.logs),
      cost: presentCosts(cost),
      cost_per_1000_entries: cost.usage.logs === 0n ? null : presentCosts(perThousand(cost)),
      cost_breakdown: presentServices(cost),
      status: cost.total.status,
      incomplete: cost.total.incomplete,
      difference: differencesOf(basisOf(first.cost), basisOf(cost)),
      ...(own && { price_difference: differencesOf(own, cost) }),
    })),
    cheapest: {
      queue: cheapestOf(compared, isSameVolume, ({ services }) => services.queue),
      function: cheapestOf(compared, isSameVolume, ({ services }) => services.function),
      inference: cheapestOf(compared, isSameVolume, ({ services }) => services.inference),
      total: cheapestOf(compared, isSameVolume, ({ total }) => total),
    },
  };
}

/** The cost of 1,000 entries, in whole units of money; unknown without entries. */
function perThousand(cost: MonthsCost): MonthsCost {
  const { logs } = cost.usage;
  const scale = <Cost extends { amount: Money | null; status: CostStatus }>(part: Cost): Cost =>
    logs === 0n
      ? { ...part, amount: null, status: 'missing' }
      : { ...part, amount: part.amount === null ? null : (part.amount * 1_000n) / logs };
  const { queue, function: fn, inference } = cost.services;
  return {
    ...cost,
    services: { queue: scale(queue), function: scale(fn), inference: scale(inference) },
    total: scale(cost.total),
  };
}

/** A cost that is known in part only is never the cheapest. Shares are compared exactly. */
function cheapestOf(
  compared: readonly ComparedScenario[],
  isSameVolume: boolean,
  costOf: (cost: MonthsCost) => { amount: Money | null; status: CostStatus },
): string[] {
  let ids: string[] = [];
  let least: { amount: Money; logs: bigint } | undefined;
  for (const { scenario, cost } of compared) {
    const { amount, status } = costOf(cost);
    const logs = isSameVolume ? 1n : cost.usage.logs;
    if (amount === null || status === 'missing' || logs === 0n) continue;
    const difference = least ? amount * least.logs - least.amount * logs : -1n;
    if (difference === 0n) ids.push(scenario._id);
    if (difference >= 0n) continue;
    ids = [scenario._id];
    least = { amount, logs };
  }
  return ids;
}

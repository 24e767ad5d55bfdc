import { type Static, Type } from 'typebox';
import type { Money } from '../../shared/cost/money.ts';
import type { MonthsCost } from '../../shared/cost/monthly-usage.ts';
import { presentServices } from '../../shared/cost/present-cost.ts';
import type { PriceBook } from '../../shared/cost/price-book.ts';
import { costStatuses } from '../../shared/cost/service-cost.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import { count, nullable, oneOf, uuid } from '../http/response-types.ts';
import { differences } from './estimates.responses.ts';
import { costByService, metricsLine, usedPriceBook, wholePeriod } from './metrics.responses.ts';
import { differencesOf, presentCosts, type presentPeriod, presentVersion } from './priced-usage.ts';

const cheapest = nullable(uuid());

const comparedScenario = Type.Object({
  id: uuid(),
  name: Type.String(),
  region: Type.String(),
  price_book: usedPriceBook,
  period: wholePeriod,
  logs: count(),
  cost: costByService(),
  cost_breakdown: Type.Array(metricsLine),
  status: oneOf(costStatuses),
  incomplete: Type.Boolean(),
  difference: differences,
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
    items: Type.Array(comparedScenario, { description: 'In the order of the ids.' }),
    cheapest: Type.Object(
      { queue: cheapest, function: cheapest, inference: cheapest, total: cheapest },
      {
        description: 'Ids. Null if no scenario has a complete cost. Of equal costs, the first in the order of the ids.',
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
  return {
    currency: first.book.currency,
    price_book: presentVersion(first.book),
    items: compared.map(({ scenario, period, book, cost, own }) => ({
      id: scenario._id,
      name: scenario.name,
      region: scenario.region,
      price_book: presentVersion(book),
      period,
      logs: Number(cost.usage.logs),
      cost: presentCosts(cost),
      cost_breakdown: presentServices(cost),
      status: cost.total.status,
      incomplete: cost.total.incomplete,
      difference: differencesOf(first.cost, cost),
      ...(own && { price_difference: differencesOf(own, cost) }),
    })),
    cheapest: {
      queue: cheapestOf(compared, ({ services }) => services.queue),
      function: cheapestOf(compared, ({ services }) => services.function),
      inference: cheapestOf(compared, ({ services }) => services.inference),
      total: cheapestOf(compared, ({ total }) => total),
    },
  };
}

/** A cost that is known in part only is never the cheapest. */
function cheapestOf(
  compared: readonly ComparedScenario[],
  costOf: (cost: MonthsCost) => { amount: Money | null; status: string },
): string | null {
  let cheapestSoFar: { id: string; amount: Money } | undefined;
  for (const { scenario, cost } of compared) {
    const { amount, status } = costOf(cost);
    if (amount === null || status === 'missing') continue;
    if (cheapestSoFar === undefined || amount < cheapestSoFar.amount) cheapestSoFar = { id: scenario._id, amount };
  }
  return cheapestSoFar?.id ?? null;
}

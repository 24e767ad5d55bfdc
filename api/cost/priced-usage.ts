// The parts that designs, comparison and explanation share: pricing usage, differences.

import { type Static, Type } from 'typebox';
import { formatMoney, formatRelativeDifference, type Money } from '../../shared/cost/money.ts';
import { type MonthlyUsage, type MonthsCost, priceMonths } from '../../shared/cost/monthly-usage.ts';
import { presentAmount } from '../../shared/cost/present-cost.ts';
import type { PriceBook } from '../../shared/cost/price-book.ts';
import type { PricedScenario } from '../../shared/cost/price-books.ts';
import type { Service } from '../../shared/cost/price-month.ts';
import type { Terms } from '../../shared/cost/terms.ts';
import { hour } from '../../shared/durations.ts';
import type { Resources } from '../../shared/open-resources.ts';
import { wholeHours } from '../../shared/usage/periods.ts';
import { decimal, nullable } from '../http/response-types.ts';

export interface PriceSettings extends Pick<Resources, 'config'> {
  /** The version by which the usage is priced. */
  priceBook: PriceBook;
}

/** The dependencies of a handler with the prices of a scenario. */
export async function withPricesOf<Deps extends Pick<Resources, 'priceBooks'>>(
  scenario: PricedScenario,
  deps: Deps,
): Promise<Deps & Pick<PriceSettings, 'priceBook'>> {
  return { ...deps, priceBook: await deps.priceBooks.ofScenario(scenario) };
}

/** The version of a price book, and whether the installation has own prices. */
export const presentVersion = ({ version, asOf, overrides }: PriceBook) => ({
  version,
  as_of: asOf,
  ...(overrides.length > 0 && { own_prices: true as const }),
});

/** Prices usage that was read on these terms. */
export function priceOnTerms(
  { months, period }: Pick<MonthlyUsage, 'months' | 'period'>,
  { region, assumptions, asModel, countedBy }: Terms,
  { priceBook: book, config }: PriceSettings,
): Promise<MonthsCost> {
  const { priceFallback: fallback } = config;
  return priceMonths({ months, period }, { region, assumptions, asModel, countedBy, book, fallback });
}

/** The period in whole hours; an open end is that of the hours with entries. */
export function presentPeriod({ period, firstHour, lastHour }: MonthlyUsage) {
  const { from, to } = wholeHours(period);
  const end = to ?? (lastHour && new Date(lastHour.getTime() + hour));
  return { from: (from ?? firstHour)?.toISOString() ?? null, to: end?.toISOString() ?? null };
}

export function presentCosts({ services, total }: Pick<MonthsCost, 'services' | 'total'>) {
  return {
    queue: presentAmount(services.queue.amount),
    function: presentAmount(services.function.amount),
    inference: presentAmount(services.inference.amount),
    total: presentAmount(total.amount),
  };
}

const difference = nullable(
  Type.Object({
    amount: decimal(),
    share: nullable(Type.String({ pattern: '^-?\\d+\\.\\d{4}$' }), {
      description: 'The difference as a share of the first amount; null if that is 0.',
    }),
  }),
  { description: 'In USD; null if one of the two amounts is not or only partly known.' },
);
export const differences = Type.Object({
  queue: difference,
  function: difference,
  inference: difference,
  total: difference,
});

/** How much more the second costs than the first. */
export function differencesOf(first: MonthsCost, second: MonthsCost): Static<typeof differences> {
  const known = ({ amount, status }: { amount: Money | null; status: string }) =>
    status === 'missing' ? null : amount;
  const between = (service: Service) => differenceOf(known(first.services[service]), known(second.services[service]));
  return {
    queue: between('queue'),
    function: between('function'),
    inference: between('inference'),
    total: differenceOf(known(first.total), known(second.total)),
  };
}

function differenceOf(first: Money | null, second: Money | null): Static<typeof difference> {
  if (first === null || second === null) return null;
  return { amount: formatMoney(second - first), share: formatRelativeDifference(first, second) };
}

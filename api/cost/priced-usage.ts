import { formatMoney, formatRelativeDifference, type Money } from '../../shared/cost/money.ts';
import { type MonthlyUsage, type MonthsCost, priceMonths } from '../../shared/cost/monthly-usage.ts';
import { presentAmount, type Scale } from '../../shared/cost/present-cost.ts';
import type { PriceBook } from '../../shared/cost/price-book.ts';
import type { PricedScenario } from '../../shared/cost/price-books.ts';
import type { Service } from '../../shared/cost/price-month.ts';
import type { Terms } from '../../shared/cost/what-if.ts';
import { hour } from '../../shared/durations.ts';
import type { Resources } from '../../shared/open-resources.ts';
import { wholeHours } from '../../shared/usage/periods.ts';
import type { Difference, Differences } from './estimates.responses.ts';

/**
 * The parts that what-if, projection, comparison and explanation share: pricing usage, differences.
 */

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
  { months, period }: MonthlyUsage,
  { region, assumptions, asModel }: Terms,
  { priceBook: book, config }: PriceSettings,
): Promise<MonthsCost> {
  return priceMonths({ months, period }, { region, assumptions, asModel, book, fallback: config.priceFallback });
}

/** The period in whole hours; an open end is that of the hours with entries. */
export function presentPeriod({ period, firstHour, lastHour }: MonthlyUsage) {
  const { from, to } = wholeHours(period);
  const end = to ?? (lastHour && new Date(lastHour.getTime() + hour));
  return { from: (from ?? firstHour)?.toISOString() ?? null, to: end?.toISOString() ?? null };
}

export function presentCosts({ services, total }: MonthsCost, scale?: Scale) {
  return {
    queue: presentAmount(services.queue.amount, scale),
    function: presentAmount(services.function.amount, scale),
    inference: presentAmount(services.inference.amount, scale),
    total: presentAmount(total.amount, scale),
  };
}

/** How much more the second costs than the first. */
export function differencesOf(first: MonthsCost, second: MonthsCost): Differences {
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

function differenceOf(first: Money | null, second: Money | null): Difference {
  if (first === null || second === null) return null;
  return { amount: formatMoney(second - first), share: formatRelativeDifference(first, second) };
}

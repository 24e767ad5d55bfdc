// The parts that designs, comparison and explanation share: pricing usage, differences.

import { hour } from '../durations.ts';
import { wholeHours } from '../usage/periods.ts';
import { formatMoney, formatRelativeDifference, type Money } from './money.ts';
import { type MonthlyUsage, type MonthsCost, priceMonths } from './monthly-usage.ts';
import { presentAmount } from './present-cost.ts';
import type { PriceBook, PriceFallback } from './price-book.ts';
import type { Service } from './price-month.ts';
import type { Terms } from './terms.ts';

export interface PriceSettings {
  config: { readonly priceFallback: PriceFallback };
  /** The version by which the usage is priced. */
  priceBook: PriceBook;
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

interface Difference {
  amount: string;
  /** Of the first amount; null if that is 0. */
  share: string | null;
}

/** How much more the second costs than the first. */
export function differencesOf(first: MonthsCost, second: MonthsCost): Record<Service | 'total', Difference | null> {
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

function differenceOf(first: Money | null, second: Money | null): Difference | null {
  if (first === null || second === null) return null;
  return { amount: formatMoney(second - first), share: formatRelativeDifference(first, second) };
}

// What the three services have in common: how much of a cost is known, and how sure it is.
import type { Money } from './money.ts';
import type { PriceBook, PriceFallback } from './price-book.ts';
import type { UsageCounters } from './usage.ts';

/** From best to worst; a total has the worst status of its lines. */
export const costStatuses = ['ok', 'estimated', 'unverified', 'missing'] as const;
export type CostStatus = (typeof costStatuses)[number];

/** What decides prices: a Region, the prices, and what stands in where one is not known. */
export interface PricingTerms {
  region: string;
  book: PriceBook;
  fallback: PriceFallback;
}

/** The cost of some usage of one service. The costs of parts add up to the cost of the whole. */
export interface ServiceCost<Unpriced> {
  /** The known part. */
  amount: Money;
  /** Whether a price was applied to any unit. */
  charged: boolean;
  /** Whether any of it is at another Region's price. */
  standIn: boolean;
  /** Whether any of its quantities is estimated. */
  estimated: boolean;
  /** The usage without a price; null when there is none. */
  unpriced: Unpriced | null;
}

/** Prices one service's usage, bucket by bucket in time order. */
export interface ServiceMeter<Unpriced> {
  /** Tiers and free amounts begin again. */
  startMonth(): void;
  /** What the next bucket adds to the month's cost; null when it used nothing. */
  add(usage: UsageCounters): ServiceCost<Unpriced> | null;
}

/** The amount to show: null when usage has no price and no other part of it has one. Never zero instead. */
export function knownAmount(cost: ServiceCost<unknown> | null): Money | null {
  if (cost === null) return 0n;
  return cost.unpriced !== null && !cost.charged ? null : cost.amount;
}

export function statusOf(cost: ServiceCost<unknown>): CostStatus {
  if (cost.unpriced !== null) return 'missing';
  if (cost.standIn) return 'unverified';
  return cost.estimated ? 'estimated' : 'ok';
}

export function worstStatus(statuses: readonly CostStatus[]): CostStatus {
  return statuses.reduce(
    (worst, status) => (costStatuses.indexOf(status) > costStatuses.indexOf(worst) ? status : worst),
    'ok',
  );
}

/** Adds known amounts: null only when none is known. */
export function sumKnown(amounts: readonly (Money | null)[]): Money | null {
  let sum: Money | null = null;
  for (const amount of amounts) if (amount !== null) sum = sum === null ? amount : sum + amount;
  return sum;
}

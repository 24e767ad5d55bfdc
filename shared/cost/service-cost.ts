// Common parts of the costs of the three services: how much of a cost is known, and how reliable
// the cost is.

import type { UsageCounters } from '../usage/usage.ts';
import type { Money } from './money.ts';
import type { PriceBook, PriceFallback } from './price-book.ts';

/** From best to worst. A total has the worst status of its lines. */
export const costStatuses = ['ok', 'estimated', 'unverified', 'missing'] as const;
export type CostStatus = (typeof costStatuses)[number];

/** The terms that determine prices. */
export interface PricingTerms {
  region: string;
  book: PriceBook;
  fallback: PriceFallback;
}

/** The cost of usage of one service. The costs of parts add up to the cost of the whole. */
export interface ServiceCost<Unpriced> {
  /** The known part of the cost. */
  amount: Money;
  /** Whether a price was applied to any unit. */
  charged: boolean;
  /** Whether a fallback price was applied to any unit. */
  atFallbackPrice: boolean;
  /** Whether any quantity is estimated. */
  estimated: boolean;
  /** The usage without a price, if any. */
  unpriced: Unpriced | null;
}

/** Prices the usage of one service in one month, bucket by bucket in order of time. */
export interface ServiceMeter<Unpriced> {
  /** Adds a bucket. @returns the increase of the month's cost. */
  add(usage: UsageCounters): ServiceCost<Unpriced>;
}

/** The known amount of a cost: null, not zero, if there is usage and none of it has a price. */
export function knownAmount(cost: ServiceCost<unknown>): Money | null {
  return cost.unpriced !== null && !cost.charged ? null : cost.amount;
}

export function statusOf(cost: ServiceCost<unknown>): CostStatus {
  if (cost.unpriced !== null) return 'missing';
  if (cost.atFallbackPrice) return 'unverified';
  return cost.estimated ? 'estimated' : 'ok';
}

export function worstStatus(statuses: readonly CostStatus[]): CostStatus {
  return statuses.reduce(
    (worst, status) => (costStatuses.indexOf(status) > costStatuses.indexOf(worst) ? status : worst),
    'ok',
  );
}

/** The sum of the known amounts; null if none is known. */
export function sumKnown(amounts: readonly (Money | null)[]): Money | null {
  let sum: Money | null = null;
  for (const amount of amounts) if (amount !== null) sum = sum === null ? amount : sum + amount;
  return sum;
}

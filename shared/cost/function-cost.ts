// The cost of the function service: requests without tiers, and compute in MB·ms with tiers per
// architecture.

import { type Architecture, architectures } from '../scenarios/assumptions.ts';
import type { UsageCounters } from '../usage/usage.ts';
import type { PricingTerms, ServiceCost, ServiceMeter } from './service-cost.ts';
import { MonthMeter, max, type Tier, tiersOf } from './tiers.ts';

export interface FunctionUsage {
  invocations: bigint;
  mbMs: bigint;
}

/** Billed milliseconds of one invocation: the duration rounded up to a whole number, at least 1. */
export function billedMs(durationMs: number): number {
  return Math.max(1, Math.ceil(durationMs));
}

/** The price tiers of requests, and of compute in MB·ms. */
export function functionTiers(
  { region, book }: Pick<PricingTerms, 'region' | 'book'>,
  architecture: Architecture,
): { requests: Tier[]; compute: Tier[] } {
  const prices = book.function.prices(region);
  if (prices === undefined) return { requests: tiersOf([]), compute: tiersOf([]) };
  return {
    requests: tiersOf([{ to: null, price: prices.perInvocation }]),
    compute: tiersOf(prices.compute[architecture]),
  };
}

/**
 * Prices the function usage of a month. With the free tier, x86_64 consumes the free amounts before
 * arm64.
 */
export function createFunctionMeter(terms: PricingTerms, freeTier: boolean): ServiceMeter<FunctionUsage> {
  const { book } = terms;
  const freeInvocations = freeTier ? book.function.freeInvocations : 0n;
  const freeMbMs = freeTier ? book.function.freeMbMs : 0n;
  const meters = architectures.map((architecture) => {
    const tiers = functionTiers(terms, architecture);
    return { architecture, requests: new MonthMeter(tiers.requests), compute: new MonthMeter(tiers.compute) };
  });

  return {
    add(usage: UsageCounters): ServiceCost<FunctionUsage> {
      let amount = 0n;
      let charged = false;
      const unpriced = { invocations: 0n, mbMs: 0n };
      let invocationsLeft = freeInvocations;
      let mbMsLeft = freeMbMs;
      for (const { architecture, requests, compute } of meters) {
        for (const row of usage.functions) {
          if (row.architecture !== architecture) continue;
          requests.add(row.invocations);
          compute.add(row.mbMs);
        }
        const requestCharge = requests.chargeAdded(invocationsLeft);
        const computeCharge = compute.chargeAdded(mbMsLeft);
        amount += requestCharge.amount + computeCharge.amount;
        charged ||= requestCharge.charged > 0n || computeCharge.charged > 0n;
        unpriced.invocations += requestCharge.unpriced;
        unpriced.mbMs += computeCharge.unpriced;
        invocationsLeft = max(0n, invocationsLeft - requests.used);
        mbMsLeft = max(0n, mbMsLeft - compute.used);
      }
      const isMissing = unpriced.invocations > 0n || unpriced.mbMs > 0n;
      return { amount, charged, atFallbackPrice: false, estimated: false, unpriced: isMissing ? unpriced : null };
    },
  };
}

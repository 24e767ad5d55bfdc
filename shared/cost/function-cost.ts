// The cost of the function service: requests without tiers, and compute in MB·ms with tiers per
// architecture.

import { architectures } from '../scenarios/assumptions.ts';
import type { UsageCounters } from '../usage/usage.ts';
import type { PricingTerms, ServiceCost, ServiceMeter } from './service-cost.ts';
import { MonthMeter, tiersOf } from './tiers.ts';

export interface FunctionUsage {
  invocations: bigint;
  mbMs: bigint;
}

/** Billed milliseconds of one invocation: the duration rounded up to a whole number, at least 1. */
export function billedMs(durationMs: number): number {
  return Math.max(1, Math.ceil(durationMs));
}

/**
 * Prices function usage month by month. With the free tier, x86_64 consumes the free amounts before
 * arm64.
 */
export function createFunctionMeter({ region, book }: PricingTerms, freeTier: boolean): ServiceMeter<FunctionUsage> {
  const prices = book.function.prices(region);
  const freeInvocations = freeTier ? book.function.freeInvocations : 0n;
  const freeMbMs = freeTier ? book.function.freeMbMs : 0n;
  const meters = architectures.map((architecture) => ({
    architecture,
    requests: new MonthMeter(tiersOf(prices === undefined ? [] : [{ to: null, price: prices.perInvocation }])),
    compute: new MonthMeter(tiersOf(prices?.compute[architecture] ?? [])),
  }));

  return {
    startMonth() {
      for (const { requests, compute } of meters) {
        requests.startMonth();
        compute.startMonth();
      }
    },
    add(usage: UsageCounters): ServiceCost<FunctionUsage> | null {
      if (!usage.functions.some(({ invocations, mbMs }) => invocations > 0n || mbMs > 0n)) return null;
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
        invocationsLeft = requests.used < invocationsLeft ? invocationsLeft - requests.used : 0n;
        mbMsLeft = compute.used < mbMsLeft ? mbMsLeft - compute.used : 0n;
      }
      const isMissing = unpriced.invocations > 0n || unpriced.mbMs > 0n;
      return { amount, charged, atFallbackPrice: false, estimated: false, unpriced: isMissing ? unpriced : null };
    },
  };
}

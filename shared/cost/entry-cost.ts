// The cost of a single log entry: its usage at first-tier prices without free tier, independent of
// other entries. The cost is computed for every entry, and many entries have the same usage, so
// prices and formatted costs are cached.

import { type Architecture, architectures, type QueueType, queueTypes } from '../scenarios/assumptions.ts';
import type { EntryUsage } from '../usage/entry-usage.ts';
import { inferencePrices, tokenCounters } from './inference-cost.ts';
import { formatMoney, type Money } from './money.ts';
import type { InferencePrices } from './price-book.ts';
import { queueTiers } from './queue-cost.ts';
import { type PricingTerms, sumKnown } from './service-cost.ts';

/** The part of an entry's usage that has a price. */
export type PricedUsage = Pick<
  EntryUsage,
  'queueType' | 'queueRequests' | 'architecture' | 'mbMs' | 'model' | 'inputTokens'
> & {
  /** As the entry reports them, or the scenario assumes them. */
  outputTokens: number;
  /** Absent: 0. */
  cacheReadTokens?: number;
  cacheWriteTokens?: number;
  cacheWrite1hTokens?: number;
};

/**
 * The usage of an entry, or the sum of several entries of one kind: as many as their invocations.
 */
export type PricedEntries = PricedUsage & { invocations?: number };

/**
 * Decimal strings in USD with 12 decimals; null without a price. The total is the sum of the known
 * costs.
 */
export interface EntryCost {
  queue: string | null;
  function: string | null;
  inference: string | null;
  total: string | null;
}

export interface EntryPricer {
  price(usage: PricedUsage): EntryCost;
  /**
   * The cost of up to a million entries, for which numbers are exact. It is rounded once, from the
   * exact sum.
   */
  sum(usages: Iterable<PricedEntries>): EntryCost;
}

interface ExactCost {
  queue: Money | null;
  function: Money | null;
  inference: Money | null;
}

/** Number of cached costs per pricer. */
const maxCached = 10_000;

/** Prices entries of one Region. Create one per batch. */
export function createEntryPricer(terms: PricingTerms): EntryPricer {
  const { book, region } = terms;
  const perRequest = new Map<QueueType, Money | null>(
    queueTypes.map((type) => [type, queueTiers(terms, type)[0]?.price ?? null]),
  );
  const functionPrices = book.function.prices(region);
  const perMbMs = new Map<Architecture, Money | null>(
    architectures.map((architecture) => [architecture, functionPrices?.compute[architecture][0]?.price ?? null]),
  );
  const cache = new Map<string, EntryCost>();

  function exactCost(usage: PricedUsage, invocations = 1): ExactCost {
    const request = perRequest.get(usage.queueType) ?? null;
    const compute = perMbMs.get(usage.architecture) ?? null;
    return {
      queue: request === null ? null : BigInt(usage.queueRequests) * request,
      function:
        compute === null || functionPrices === undefined
          ? null
          : BigInt(invocations) * functionPrices.perInvocation + BigInt(usage.mbMs) * compute,
      inference: inferenceAmount(usage, inferencePrices(book, usage.model, region)),
    };
  }

  return {
    price(usage) {
      const { queueType, queueRequests, architecture, mbMs, model } = usage;
      const tokens = tokenCounters.map(({ field }) => usage[field] ?? 0).join(' ');
      const key = `${queueType} ${queueRequests} ${architecture} ${mbMs} ${tokens} ${model}`;
      let cost = cache.get(key);
      if (cost === undefined) {
        cost = formatCost(exactCost(usage));
        if (cache.size === maxCached) cache.clear();
        cache.set(key, cost);
      }
      return { ...cost };
    },
    sum(usages) {
      const sums: ExactCost = { queue: null, function: null, inference: null };
      // At first-tier prices, all units cost the same, so usage of one kind is summed before it is
      // priced.
      const kinds = new Map<string, PricedEntries & { invocations: number }>();
      for (const usage of usages) {
        const key = `${usage.queueType} ${usage.architecture} ${usage.model}`;
        const kind = kinds.get(key);
        if (kind === undefined) {
          kinds.set(key, { invocations: 1, ...usage });
        } else {
          kind.queueRequests += usage.queueRequests;
          kind.mbMs += usage.mbMs;
          for (const { field } of tokenCounters) kind[field] = (kind[field] ?? 0) + (usage[field] ?? 0);
          kind.invocations += usage.invocations ?? 1;
        }
      }
      for (const kind of kinds.values()) {
        const cost = exactCost(kind, kind.invocations);
        for (const service of ['queue', 'function', 'inference'] as const) {
          sums[service] = sumKnown([sums[service], cost[service]]);
        }
      }
      return formatCost(kinds.size === 0 ? { queue: 0n, function: 0n, inference: 0n } : sums);
    },
  };
}

/** Null if any of the tokens has no price. */
function inferenceAmount(usage: PricedUsage, prices: InferencePrices | undefined): Money | null {
  let amount = 0n;
  for (const { field, price } of tokenCounters) {
    const tokens = usage[field] ?? 0;
    if (tokens === 0) continue;
    const perToken = prices?.[price];
    if (perToken === undefined) return null;
    amount += BigInt(tokens) * perToken;
  }
  return amount;
}

function formatCost(cost: ExactCost): EntryCost {
  const format = (amount: Money | null) => (amount === null ? null : formatMoney(amount));
  return {
    queue: format(cost.queue),
    function: format(cost.function),
    inference: format(cost.inference),
    total: format(sumKnown([cost.queue, cost.function, cost.inference])),
  };
}

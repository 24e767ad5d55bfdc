// The cost of a single log entry: its usage at first-tier prices without free tier, independent of
// other entries. The cost is computed for every entry, and many entries have the same usage, so
// prices and formatted costs are cached.

import type { EntryUsage } from '../usage/entry-usage.ts';
import { emptyUsage } from '../usage/usage.ts';
import { formatMoney, type Money } from './money.ts';
import { MonthPricer, type PricingTerms, type Service } from './price-month.ts';
import { CostSum, type ServiceCosts, totalOf } from './service-cost.ts';

/** The part of an entry's usage that has a price. */
export type PricedUsage = Pick<
  EntryUsage,
  'queueType' | 'queueRequests' | 'architecture' | 'mbMs' | 'model' | 'inputTokens'
> & {
  /** As the entry reports them, or the scenario assumes them. */
  outputTokens: number;
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

/** Number of cached costs per pricer. */
const maxCached = 10_000;

/** Prices entries of one Region. Create one per batch. */
export function createEntryPricer({ region, book, fallback }: PricingTerms): EntryPricer {
  const pricer = new MonthPricer({ region, book, fallback, firstTierOnly: true });
  const cache = new Map<string, EntryCost>();

  const costOf = (usages: Iterable<PricedEntries>): EntryCost => {
    const sum = new CostSum(false);
    for (const usage of usages) sum.add(pricer.add(usageOf(usage)));
    return formatCosts(sum.services());
  };

  return {
    price(usage) {
      const { queueType, queueRequests, architecture, mbMs, model, inputTokens, outputTokens } = usage;
      const key = `${queueType} ${queueRequests} ${architecture} ${mbMs} ${inputTokens} ${outputTokens} ${model}`;
      let cost = cache.get(key);
      if (cost === undefined) {
        cost = costOf([usage]);
        if (cache.size === maxCached) cache.clear();
        cache.set(key, cost);
      }
      return { ...cost };
    },
    sum(usages) {
      // At first-tier prices, all units cost the same, so usage of one kind is summed before it is
      // priced.
      const kinds = new Map<string, Required<PricedEntries>>();
      for (const usage of usages) {
        const key = `${usage.queueType} ${usage.architecture} ${usage.model}`;
        const kind = kinds.get(key);
        if (kind === undefined) {
          kinds.set(key, { invocations: 1, ...usage });
        } else {
          kind.queueRequests += usage.queueRequests;
          kind.mbMs += usage.mbMs;
          kind.inputTokens += usage.inputTokens;
          kind.outputTokens += usage.outputTokens;
          kind.invocations += usage.invocations ?? 1;
        }
      }
      return costOf(kinds.values());
    },
  };
}

function usageOf({ queueType, queueRequests, architecture, mbMs, model, invocations = 1, ...tokens }: PricedEntries) {
  const { inputTokens, outputTokens } = tokens;
  return {
    ...emptyUsage(),
    queues: [{ type: queueType, requests: BigInt(queueRequests) }],
    functions: [{ architecture, invocations: BigInt(invocations), mbMs: BigInt(mbMs), otherMemoryInvocations: 0n }],
    inference: [{ model, inputTokens: BigInt(inputTokens), outputTokens: BigInt(outputTokens), estimatedEntries: 0n }],
  };
}

function formatCosts(services: ServiceCosts): EntryCost {
  const format = (amount: Money | null) => (amount === null ? null : formatMoney(amount));
  const costOf = (service: Service) => format(services[service].amount);
  return {
    queue: costOf('queue'),
    function: costOf('function'),
    inference: costOf('inference'),
    total: format(totalOf(services).amount),
  };
}

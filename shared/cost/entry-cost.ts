// The cost of a single log entry: its usage at first-tier prices without free tier, independent of
// other entries. The cost is computed for every entry, and many entries have the same usage, so
// prices and formatted costs are cached.

import type { BatchResults, LogEntry } from '../ingest/log-batch.model.ts';
import type { EntryUsage } from '../usage/entry-usage.ts';
import { emptyUsage, type UsageCounters } from '../usage/usage.ts';
import { formatMoney, type Money } from './money.ts';
import { services } from './price-line.ts';
import { CostSum, MonthPricer, type PricingTerms, sumKnown, tokenCounters } from './price-month.ts';

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
type PricedEntries = PricedUsage & { invocations?: number };

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
    const amounts: (Money | null)[][] = services.map(() => []);
    for (const usage of usages) {
      const sum = new CostSum(false);
      sum.add(pricer.add(usageOf(usage)));
      const costs = sum.services();
      // An entry has no price if a part of it has none.
      for (const [index, service] of services.entries()) {
        amounts[index]?.push(costs[service].unpriced === null ? costs[service].amount : null);
      }
    }
    const [queue = null, fn = null, inference = null] = amounts.map((of) => (of.length === 0 ? 0n : sumKnown(of)));
    const format = (amount: Money | null) => (amount === null ? null : formatMoney(amount));
    return {
      queue: format(queue),
      function: format(fn),
      inference: format(inference),
      total: format(sumKnown([queue, fn, inference])),
    };
  };

  return {
    price(usage) {
      const { queueType, queueRequests, architecture, mbMs, model } = usage;
      const tokens = tokenCounters.map(({ field }) => usage[field] ?? 0).join(' ');
      const key = `${queueType} ${queueRequests} ${architecture} ${mbMs} ${tokens} ${model}`;
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
      const kinds = new Map<string, PricedEntries & { invocations: number }>();
      for (const [usage, count] of countSame(usages)) {
        const { queueType, architecture, model } = usage;
        const key = `${queueType} ${architecture} ${model}`;
        let kind = kinds.get(key);
        if (kind === undefined) {
          kind = { ...noUsage, queueType, architecture, model };
          kinds.set(key, kind);
        }
        kind.queueRequests += count * usage.queueRequests;
        kind.mbMs += count * usage.mbMs;
        for (const { field } of tokenCounters) kind[field] = (kind[field] ?? 0) + count * (usage[field] ?? 0);
        kind.invocations += count * (usage.invocations ?? 1);
      }
      return costOf(kinds.values());
    },
  };
}

const noUsage = { invocations: 0, queueRequests: 0, mbMs: 0, inputTokens: 0, outputTokens: 0 };

/** Most entries of a batch share the object of their usage with others. */
function countSame(usages: Iterable<PricedEntries>): Map<PricedEntries, number> {
  const counts = new Map<PricedEntries, number>();
  for (const usage of usages) counts.set(usage, (counts.get(usage) ?? 0) + 1);
  return counts;
}

function usageOf({ invocations = 1, ...usage }: PricedEntries): UsageCounters {
  const { queueType: type, architecture, model } = usage;
  const tokens = Object.fromEntries(tokenCounters.map(({ field }) => [field, BigInt(usage[field] ?? 0)]));
  return {
    ...emptyUsage(),
    queues: [{ type, requests: BigInt(usage.queueRequests) }],
    functions: [
      { architecture, invocations: BigInt(invocations), mbMs: BigInt(usage.mbMs), otherMemoryInvocations: 0n },
    ],
    inference: [{ model, inputTokens: 0n, outputTokens: 0n, ...tokens, estimatedEntries: 0n }],
  };
}

/**
 * The usage of a stored entry: that of its batch, with its own values where they differ.
 * @param assumedOutput the output tokens of an entry that reports none.
 */
export function resolvePricedUsage(
  { queueType, architecture, commonUsage }: BatchResults,
  entry: Pick<LogEntry, 'inputTokens' | 'usage'>,
  assumedOutput: number,
): PricedUsage {
  const { queueRequests, memoryMb, billedMs, outputTokens, ...ofModel } = entry.usage
    ? { ...commonUsage, ...entry.usage }
    : commonUsage;
  return {
    queueType,
    architecture,
    queueRequests,
    mbMs: memoryMb * billedMs,
    ...ofModel,
    inputTokens: entry.inputTokens,
    outputTokens: outputTokens ?? assumedOutput,
  };
}

// The cost of a single log entry: its usage at first-tier prices without free tier, independent of
// other entries. The cost is computed for every entry, and many entries have the same usage, so
// prices and formatted costs are cached.

import type { BatchResults, LogEntry } from '../ingest/log-batch.model.ts';
import { addUsage, type cacheCounters, emptyUsage, fieldOfModel, type UsageTotals } from '../usage/stored-hour.ts';
import type { EntryUsage } from '../usage/usage-tally.ts';
import { sumOf } from './integers.ts';
import { presentAmount } from './present-cost.ts';
import { ofServices } from './price-line.ts';
import { type ChargeLine, createMonthPricer, type PricingTerms, sumKnown, tokenCounters } from './price-month.ts';

/**
 * The part of an entry's usage that has a price, with its output tokens as it reports them, or the
 * scenario assumes them.
 */
export type PricedUsage = Pick<
  EntryUsage,
  'queueType' | 'queueRequests' | 'architecture' | 'mbMs' | 'model' | 'inputTokens'
> & { outputTokens: number } & Partial<Pick<EntryUsage, (typeof cacheCounters)[number]>>;

export type EntryCost = ReturnType<typeof presentLines>;

/** Number of cached costs per pricer. */
const maxCached = 10_000;

/** Prices entries of one Region. Create one per batch. */
export function createEntryPricer({ region, book, fallback }: PricingTerms) {
  const pricer = createMonthPricer({ region, book, fallback, firstTierOnly: true });
  const cache = new Map<string, EntryCost>();
  return {
    price(usage: PricedUsage): EntryCost {
      const { queueType, queueRequests, architecture, mbMs, model } = usage;
      const tokens = tokenCounters.map(({ field }) => usage[field] ?? 0).join(' ');
      const key = `${queueType} ${queueRequests} ${architecture} ${mbMs} ${tokens} ${model}`;
      const cost = cache.get(key) ?? presentLines(pricer.add(usageOf(usage, 1)));
      if (cache.size === maxCached) cache.clear();
      cache.set(key, cost);
      return { ...cost };
    },
    /** The cost of several entries. It is rounded once, from the exact sum. */
    sum(usages: Iterable<PricedUsage>): EntryCost {
      // Most entries of a batch share the object of their usage with others.
      const counts = new Map<PricedUsage, number>();
      for (const usage of usages) counts.set(usage, (counts.get(usage) ?? 0) + 1);
      const all = emptyUsage();
      for (const [usage, count] of counts) addUsage(all, usageOf(usage, count));
      return presentLines(pricer.add(all));
    },
  };
}

/**
 * Decimal strings in USD with 12 decimals; null without a price. The cost of a model, a queue type
 * or an architecture is unknown if that of a part of it is. The total is that of known costs.
 */
function presentLines(lines: readonly ChargeLine[]) {
  const costs = ofServices((service) => {
    const all = lines.filter((line) => line.service === service);
    const unknown = new Set(all.filter(({ amount }) => amount === null).map(({ of }) => of));
    const known = all.filter(({ of }) => !unknown.has(of));
    return known.length === 0 && unknown.size > 0 ? null : sumOf(known, ({ amount }) => amount ?? 0n);
  });
  return {
    ...ofServices((service) => presentAmount(costs[service])),
    total: presentAmount(sumKnown(Object.values(costs))),
  };
}

function usageOf(usage: PricedUsage, count: number): UsageTotals {
  const { queueType, queueRequests, architecture, mbMs, model } = usage;
  const times = (units: number) => BigInt(units) * BigInt(count);
  const tokens = Object.fromEntries(tokenCounters.map(({ field }) => [field, times(usage[field] ?? 0)]));
  return {
    ...emptyUsage(),
    queues: { [queueType]: times(queueRequests) },
    functions: { [architecture]: { invocations: count, mbMs: times(mbMs) } },
    inference: { [fieldOfModel(model)]: { inputTokens: 0, outputTokens: 0, ...tokens } },
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

// The cost of the queue service.

import { type QueueType, queueTypes } from '../scenarios/assumptions.ts';
import type { UsageCounters } from '../usage/usage.ts';
import { type PricingTerms, type ServiceCost, type ServiceMeter } from './service-cost.ts';
import { MonthMeter, max, type Tier, tiersOf } from './tiers.ts';

export interface QueueUsage {
  requests: bigint;
}

/**
 * The price tiers of a queue type in a Region. Fallback prices apply in commercial Regions only.
 */
export function queueTiers({ region, book, fallback }: PricingTerms, type: QueueType): Tier[] {
  const hasFallback = fallback !== 'off' && book.region(region)?.partition === 'aws';
  return tiersOf(book.queue.knownTiers(region, type), hasFallback ? book.queue.knownTiers(fallback, type) : []);
}

/**
 * Prices the queue usage of a month. With the free tier, standard requests consume the free amount
 * before FIFO.
 */
export function createQueueMeter(terms: PricingTerms, freeTier: boolean): ServiceMeter<QueueUsage> {
  const freeRequests = freeTier ? terms.book.queue.freeRequests : 0n;
  const meters = queueTypes.map((type) => ({ type, meter: new MonthMeter(queueTiers(terms, type)) }));

  return {
    add(usage: UsageCounters): ServiceCost<QueueUsage> {
      let amount = 0n;
      let charged = false;
      let atFallbackPrice = false;
      let requests = 0n;
      let free = freeRequests;
      for (const { type, meter } of meters) {
        for (const row of usage.queues) if (row.type === type) meter.add(row.requests);
        const added = meter.chargeAdded(free);
        amount += added.amount;
        charged ||= added.charged > 0n;
        atFallbackPrice ||= added.atFallbackPrice > 0n;
        requests += added.unpriced;
        free = max(0n, free - meter.used);
      }
      return { amount, charged, atFallbackPrice, estimated: false, unpriced: requests > 0n ? { requests } : null };
    },
  };
}

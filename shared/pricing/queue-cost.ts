// Queue: every action is a billable request, and each started 64 KiB of its payload is one more.
import { type QueueType, queueTypes } from './assumptions.ts';
import { type PricingTerms, type ServiceCost, type ServiceMeter } from './service-cost.ts';
import { MonthMeter, type Tier, tiersOf } from './tiers.ts';
import type { UsageCounters } from './usage.ts';

export interface QueueUsage {
  requests: bigint;
}

const chunkBytes = 65_536;
const maxBatchMessages = 10;
const maxBatchBytes = 1_048_576;

/** Requests of one action with a payload of so many bytes; an action without payload is one request. */
function chunks(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / chunkBytes));
}

/**
 * Requests that one message causes over its life of `requestsPerMessage` actions: the send and the receive carry the
 * payload; the delete, and whatever comes after it, carry none.
 */
export function queueRequests(bytes: number, requestsPerMessage: number): number {
  return chunks(bytes) * Math.min(requestsPerMessage, 2) + Math.max(requestsPerMessage - 2, 0);
}

/**
 * Requests of one batch action, which is billed on its combined payload.
 * @throws RangeError for no message, more than 10, or more than 1 MiB together.
 */
export function queueBatchRequests(messageBytes: readonly number[]): number {
  const bytes = messageBytes.reduce((sum, size) => sum + size, 0);
  if (messageBytes.length < 1 || messageBytes.length > maxBatchMessages || bytes > maxBatchBytes) {
    throw new RangeError(`a batch holds 1 to ${maxBatchMessages} messages of together at most ${maxBatchBytes} bytes`);
  }
  return chunks(bytes);
}

/** The price tiers of a queue type in a Region. Only commercial Regions let another Region's price stand in. */
export function queueTiers({ region, book, fallback }: PricingTerms, type: QueueType): Tier[] {
  const mayStandIn = fallback !== 'off' && book.region(region)?.partition === 'aws';
  return tiersOf(book.queue.knownTiers(region, type), mayStandIn ? book.queue.knownTiers(fallback, type) : []);
}

/** Prices queue usage month by month; with the free tier, standard requests use up the free ones first. */
export function queueMeter(terms: PricingTerms, freeTier: boolean): ServiceMeter<QueueUsage> {
  const freeRequests = freeTier ? terms.book.queue.freeRequests : 0n;
  const meters = queueTypes.map((type) => ({ type, meter: new MonthMeter(queueTiers(terms, type)) }));

  return {
    startMonth() {
      for (const { meter } of meters) meter.startMonth();
    },
    add(usage: UsageCounters): ServiceCost<QueueUsage> | null {
      if (!usage.queues.some(({ requests }) => requests > 0n)) return null;
      let amount = 0n;
      let charged = false;
      let standIn = false;
      let requests = 0n;
      let free = freeRequests;
      for (const { type, meter } of meters) {
        for (const row of usage.queues) if (row.type === type) meter.use(row.requests);
        const step = meter.step(free);
        amount += step.amount;
        charged ||= step.charged > 0n;
        standIn ||= step.standIn > 0n;
        requests += step.unpriced;
        free = meter.used < free ? free - meter.used : 0n;
      }
      return { amount, charged, standIn, estimated: false, unpriced: requests > 0n ? { requests } : null };
    },
  };
}

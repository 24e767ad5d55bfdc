// The cost of one month at another volume of the same entries. Volumes are fractions of the usage,
// and tiers make the cost nonlinear, so the month is priced in exact fractions: usage, tier limits
// and free amounts are counted in parts of a unit.
import { hour as hourMs } from '../durations.ts';
import type { HourUsage, UsageCounters } from '../usage/usage.ts';
import { type MonthsCost, priceMonths } from './monthly-usage.ts';
import type { PriceBook, PricedTier } from './price-book.ts';
import type { ScenarioPricing } from './scenario-cost.ts';

/** Hours of a projected month. */
export const hoursPerMonth = 730n;

/** The exact factor `times / over`; both are positive. */
export interface Ratio {
  times: bigint;
  over: bigint;
}

/** Usage and amounts of a projected month, all multiplied by `over`, which makes them integers. */
export interface ProjectedMonth extends MonthsCost {
  over: bigint;
}

/**
 * Hours from the first to the last hour with entries, both included. Undefined if all entries are
 * of one hour: its rate cannot be known, because the hour is observed in part.
 */
export function observedHours(first: Date, last: Date): bigint | undefined {
  const hours = BigInt((last.getTime() - first.getTime()) / hourMs) + 1n;
  return hours > 1n ? hours : undefined;
}

/** Prices the month that has `ratio` times the usage. The usage is at least one entry. */
export async function projectMonth(
  usage: UsageCounters,
  { times, over }: Ratio,
  pricing: Omit<ScenarioPricing, 'from' | 'to'>,
): Promise<ProjectedMonth> {
  const month: HourUsage = { hour: new Date(0), ...multiplyUsage(usage, times) };
  const cost = await priceMonths({ months: [month], period: {} }, { ...pricing, book: inParts(pricing.book, over) });
  return { ...cost, over };
}

function multiplyUsage(usage: UsageCounters, times: bigint): UsageCounters {
  return {
    logs: usage.logs * times,
    sizeBytes: usage.sizeBytes * times,
    piiLogs: usage.piiLogs * times,
    pii: usage.pii.map((row) => ({ ...row, count: row.count * times })),
    queues: usage.queues.map((row) => ({ ...row, requests: row.requests * times })),
    functions: usage.functions.map((row) => ({
      ...row,
      invocations: row.invocations * times,
      mbMs: row.mbMs * times,
      otherMemoryInvocations: row.otherMemoryInvocations * times,
    })),
    inference: usage.inference.map((row) => ({
      ...row,
      inputTokens: row.inputTokens * times,
      outputTokens: row.outputTokens * times,
      estimatedEntries: row.estimatedEntries * times,
    })),
  };
}

/**
 * The price book for usage that is counted in parts, of which `parts` are one unit. Prices stay
 * prices per unit.
 */
function inParts(book: PriceBook, parts: bigint): PriceBook {
  const tiers = (known: readonly PricedTier[]) =>
    known.map(({ to, price }) => ({ to: to === null ? null : to * parts, price }));
  const scaled: PriceBook = {
    ...book,
    queue: {
      ...book.queue,
      freeRequests: book.queue.freeRequests * parts,
      knownTiers: (region, type) => tiers(book.queue.knownTiers(region, type)),
    },
    function: {
      ...book.function,
      freeInvocations: book.function.freeInvocations * parts,
      freeMbMs: book.function.freeMbMs * parts,
      prices: (region) => {
        const prices = book.function.prices(region);
        return (
          prices && {
            ...prices,
            compute: { x86_64: tiers(prices.compute.x86_64), arm64: tiers(prices.compute.arm64) },
          }
        );
      },
    },
  };
  return scaled;
}

// The cost returned with a log line: its own usage at first-tier prices without free tier, whatever other lines there
// are. It runs once per line, and lines resemble each other, so prices are resolved once and strings are kept.
import { type Architecture, architectures, type QueueType, queueTypes } from './assumptions.ts';
import { inferencePrices } from './inference-cost.ts';
import { formatMoney, type Money } from './money.ts';
import type { InferencePrices } from './price-book.ts';
import { queueTiers } from './queue-cost.ts';
import { type PricingTerms, sumKnown } from './service-cost.ts';
import type { EntryUsage } from './usage.ts';

/** The part of an entry's usage that has a price. */
export type PricedUsage = Pick<
  EntryUsage,
  'queueType' | 'queueRequests' | 'architecture' | 'mbMs' | 'model' | 'inputTokens' | 'outputTokens'
>;

/** Decimal strings in USD with 12 decimals; null where there is no price. The total is the sum of what is known. */
export interface EntryCost {
  queue: string | null;
  function: string | null;
  inference: string | null;
  total: string | null;
}

export interface EntryPricer {
  price(usage: PricedUsage): EntryCost;
  /** The cost of several entries, rounded once from the exact sum; up to a million, so that numbers hold the sums. */
  sum(usages: Iterable<PricedUsage>): EntryCost;
}

interface ExactCost {
  queue: Money | null;
  function: Money | null;
  inference: Money | null;
}

/** Costs kept per pricer; a pricer lives as long as a job, at most a process. */
const maxKept = 10_000;

/** Prices entries of one Region. Make one per batch. */
export function createEntryPricer(terms: PricingTerms): EntryPricer {
  const { book, region } = terms;
  const perRequest = new Map<QueueType, Money | null>(
    queueTypes.map((type) => [type, queueTiers(terms, type)[0]?.price ?? null]),
  );
  const functionPrices = book.function.prices(region);
  const perMbMs = new Map<Architecture, Money | null>(
    architectures.map((architecture) => [architecture, functionPrices?.compute[architecture][0]?.price ?? null]),
  );
  const perToken = new Map<string, InferencePrices | undefined>();
  const kept = new Map<string, EntryCost>();

  function exact(usage: PricedUsage, invocations = 1): ExactCost {
    const request = perRequest.get(usage.queueType) ?? null;
    const compute = perMbMs.get(usage.architecture) ?? null;
    let tokens = perToken.get(usage.model);
    if (tokens === undefined && !perToken.has(usage.model)) {
      tokens = inferencePrices(book, usage.model, region);
      perToken.set(usage.model, tokens);
    }
    return {
      queue: request === null ? null : BigInt(usage.queueRequests) * request,
      function:
        compute === null || functionPrices === undefined
          ? null
          : BigInt(invocations) * functionPrices.perInvocation + BigInt(usage.mbMs) * compute,
      inference: inferenceAmount(usage, tokens),
    };
  }

  return {
    price(usage) {
      const { queueType, queueRequests, architecture, mbMs, model, inputTokens, outputTokens } = usage;
      const key = `${queueType} ${queueRequests} ${architecture} ${mbMs} ${inputTokens} ${outputTokens} ${model}`;
      let cost = kept.get(key);
      if (cost === undefined) {
        cost = shown(exact(usage));
        if (kept.size === maxKept) kept.clear();
        kept.set(key, cost);
      }
      return { ...cost };
    },
    sum(usages) {
      const sums: ExactCost = { queue: null, function: null, inference: null };
      // First-tier prices are the same for every unit, so usage of one kind is added up before it is priced.
      const kinds = new Map<string, PricedUsage & { invocations: number }>();
      for (const usage of usages) {
        const key = `${usage.queueType} ${usage.architecture} ${usage.model}`;
        const kind = kinds.get(key);
        if (kind === undefined) {
          kinds.set(key, { ...usage, invocations: 1 });
        } else {
          kind.queueRequests += usage.queueRequests;
          kind.mbMs += usage.mbMs;
          kind.inputTokens += usage.inputTokens;
          kind.outputTokens += usage.outputTokens;
          kind.invocations += 1;
        }
      }
      for (const kind of kinds.values()) {
        const cost = exact(kind, kind.invocations);
        for (const service of ['queue', 'function', 'inference'] as const) {
          sums[service] = sumKnown([sums[service], cost[service]]);
        }
      }
      return shown(kinds.size === 0 ? { queue: 0n, function: 0n, inference: 0n } : sums);
    },
  };
}

function inferenceAmount(
  { inputTokens, outputTokens }: PricedUsage,
  prices: InferencePrices | undefined,
): Money | null {
  if (inputTokens === 0 && outputTokens === 0) return 0n;
  return prices === undefined ? null : BigInt(inputTokens) * prices.input + BigInt(outputTokens) * prices.output;
}

function shown(cost: ExactCost): EntryCost {
  const show = (amount: Money | null) => (amount === null ? null : formatMoney(amount));
  return {
    queue: show(cost.queue),
    function: show(cost.function),
    inference: show(cost.inference),
    total: show(sumKnown([cost.queue, cost.function, cost.inference])),
  };
}

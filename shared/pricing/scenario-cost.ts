// What a scenario's usage costs: in total, by service, and by hour or day. A bucket costs what it adds to its month,
// so buckets add up to the month exactly, and a period is the difference between its end and its start.
import { hour as hourMs } from '../durations.ts';
import { type Assumptions, withDefaults } from './assumptions.ts';
import { type FunctionUsage, functionMeter } from './function-cost.ts';
import { type InferenceUsage, inferenceMeter } from './inference-cost.ts';
import type { Money } from './money.ts';
import {
  bucketsOf,
  epochPeriod,
  type Interval,
  inOrder,
  lengthOf,
  type Period,
  startOfMonth,
  wholeHours,
} from './periods.ts';
import { type QueueUsage, queueMeter } from './queue-cost.ts';
import {
  type CostStatus,
  knownAmount,
  type PricingTerms,
  type ServiceCost,
  type ServiceMeter,
  statusOf,
  sumKnown,
  worstStatus,
} from './service-cost.ts';
import { emptyUsage, type HourUsage, sumHours, type UsageCounters } from './usage.ts';

export interface ScenarioPricing extends PricingTerms, Period {
  assumptions: Assumptions | null | undefined;
  interval: Interval;
  /** Prices all inference as this model's: a what-if. */
  asModel?: string | undefined;
}

/** One service's cost; `amount` is null when nothing of its usage has a price. */
export interface CostLine<Unpriced> {
  amount: Money | null;
  status: CostStatus;
  /** The usage without a price; null unless the status is `missing`. */
  unpriced: Unpriced | null;
}

export interface TotalCost {
  /** The sum of the known lines; null when none is known. */
  amount: Money | null;
  /** The worst of the lines. */
  status: CostStatus;
  /** Whether a line is missing, so that the amount is a part of the cost only. */
  incomplete: boolean;
}

export interface BucketCost {
  queue: Money | null;
  function: Money | null;
  inference: Money | null;
  total: Money | null;
}

export interface CostBucket {
  /** The start of the UTC hour or day, in epoch milliseconds. */
  start: number;
  usage: Readonly<UsageCounters>;
  cost: Readonly<BucketCost>;
}

export interface ScenarioCost {
  /** The hours that hold the asked period; where it is open, from the first hour with entries to the end of the last. */
  period: { from: Date | null; to: Date | null };
  usage: UsageCounters;
  lines: { queue: CostLine<QueueUsage>; function: CostLine<FunctionUsage>; inference: CostLine<InferenceUsage> };
  total: TotalCost;
  /** Every hour or day from the first to the last one with entries in the period, those without entries included. */
  buckets: CostBucket[];
}

/** The usage of buckets without entries: one object for all of them. */
export const zeroUsage: Readonly<UsageCounters> = Object.freeze(emptyUsage());
/** The cost of buckets without entries: one object for all of them. */
export const zeroCost: Readonly<BucketCost> = Object.freeze({ queue: 0n, function: 0n, inference: 0n, total: 0n });

/**
 * Prices a scenario's hours. `hours` must reach back to the start of the month of `from` (`usageNeededFor`); hours
 * before `from` and from `to` on are not part of the result, but the former use up tiers and free amounts.
 */
export function priceHours(hours: readonly HourUsage[], pricing: ScenarioPricing): ScenarioCost {
  const { free_tier: freeTier } = withDefaults(pricing.assumptions);
  const services = {
    queue: new ServiceTotal(queueMeter(pricing, freeTier), addQueueUsage),
    function: new ServiceTotal(functionMeter(pricing, freeTier), addFunctionUsage),
    inference: new ServiceTotal(inferenceMeter(pricing, pricing.asModel), addInferenceUsage),
  };
  const all = Object.values(services);
  const { from, to } = epochPeriod(pricing);
  const sorted = inOrder(hours).filter(({ logs }) => logs > 0n);
  const within = sorted.filter(({ hour }) => hour.getTime() >= from && hour.getTime() < to);

  let month = Number.NaN;
  if (from !== -Infinity) {
    month = startOfMonth(new Date(from));
    const before = sumHours(sorted, { from: new Date(month), to: new Date(from) });
    for (const service of all) service.skip(before);
  }

  const length = lengthOf(pricing.interval);
  const buckets: CostBucket[] = [];
  for (const { start, usage } of bucketsOf(within, length)) {
    const previous = buckets.at(-1)?.start ?? start;
    for (let empty = previous + length; empty < start; empty += length) {
      buckets.push({ start: empty, usage: zeroUsage, cost: zeroCost });
    }
    const bucketMonth = startOfMonth(new Date(start));
    if (bucketMonth !== month) {
      month = bucketMonth;
      for (const service of all) service.startMonth();
    }
    const queue = services.queue.add(usage);
    const fn = services.function.add(usage);
    const inference = services.inference.add(usage);
    const total = sumKnown([queue, fn, inference]);
    buckets.push({ start, usage, cost: { queue, function: fn, inference, total } });
  }

  const lines = {
    queue: services.queue.line(),
    function: services.function.line(),
    inference: services.inference.line(),
  };
  const status = worstStatus([lines.queue.status, lines.function.status, lines.inference.status]);
  return {
    period: periodOf(pricing, within),
    usage: sumHours(within),
    lines,
    total: {
      amount: sumKnown([lines.queue.amount, lines.function.amount, lines.inference.amount]),
      status,
      incomplete: status === 'missing',
    },
    buckets,
  };
}

/** A service's meter together with the sum of what it has charged in the period. */
class ServiceTotal<Unpriced> {
  readonly #meter: ServiceMeter<Unpriced>;
  readonly #addUnpriced: (a: Unpriced, b: Unpriced) => Unpriced;
  readonly #sum: ServiceCost<Unpriced> = {
    amount: 0n,
    charged: false,
    standIn: false,
    estimated: false,
    unpriced: null,
  };

  constructor(meter: ServiceMeter<Unpriced>, addUnpriced: (a: Unpriced, b: Unpriced) => Unpriced) {
    this.#meter = meter;
    this.#addUnpriced = addUnpriced;
  }

  startMonth(): void {
    this.#meter.startMonth();
  }

  /** Usage of the month before the period begins: it moves tiers and free amounts on, its cost is not asked for. */
  skip(usage: UsageCounters): void {
    this.#meter.add(usage);
  }

  add(usage: UsageCounters): Money | null {
    const cost = this.#meter.add(usage);
    if (cost === null) return 0n;
    const sum = this.#sum;
    sum.amount += cost.amount;
    sum.charged ||= cost.charged;
    sum.standIn ||= cost.standIn;
    sum.estimated ||= cost.estimated;
    if (cost.unpriced !== null) {
      sum.unpriced = sum.unpriced === null ? cost.unpriced : this.#addUnpriced(sum.unpriced, cost.unpriced);
    }
    return knownAmount(cost);
  }

  line(): CostLine<Unpriced> {
    return { amount: knownAmount(this.#sum), status: statusOf(this.#sum), unpriced: this.#sum.unpriced };
  }
}

function addQueueUsage(a: QueueUsage, b: QueueUsage): QueueUsage {
  return { requests: a.requests + b.requests };
}

function addFunctionUsage(a: FunctionUsage, b: FunctionUsage): FunctionUsage {
  return { invocations: a.invocations + b.invocations, mbMs: a.mbMs + b.mbMs };
}

function addInferenceUsage(a: InferenceUsage, b: InferenceUsage): InferenceUsage {
  return { inputTokens: a.inputTokens + b.inputTokens, outputTokens: a.outputTokens + b.outputTokens };
}

function periodOf(asked: Period, within: readonly HourUsage[]): ScenarioCost['period'] {
  const { from, to } = wholeHours(asked);
  const last = within.at(-1)?.hour.getTime();
  return {
    from: from ?? within[0]?.hour ?? null,
    to: to ?? (last === undefined ? null : new Date(last + hourMs)),
  };
}

// The cost of a scenario's usage: in total, by service, and by hour or day. The cost of a bucket is what it adds to the
// cost of its month, so the buckets of a month add up to it exactly.
import { hour as hourMs } from '../durations.ts';
import type { SlicedWork } from '../runtime/time-slices.ts';
import { type Assumptions, applyDefaults } from './assumptions.ts';
import { BucketPage, type CostBucket, type PageRequest } from './bucket-page.ts';
import { createFunctionMeter, type FunctionUsage } from './function-cost.ts';
import { createInferenceMeter, type InferenceUsage } from './inference-cost.ts';
import type { Money } from './money.ts';
import {
  epochPeriod,
  type Interval,
  intervalLength,
  type Period,
  sortHours,
  startOfMonth,
  sumIntoBuckets,
  wholeHours,
} from './periods.ts';
import { createQueueMeter, type QueueUsage } from './queue-cost.ts';
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
import { addUsage, emptyUsage, type HourUsage, sortLists, sumHours, type UsageCounters } from './usage.ts';

export interface ScenarioPricing extends PricingTerms, Period {
  assumptions: Assumptions | null | undefined;
  interval: Interval;
  /** The buckets that the result has; its sums are those of the whole period. */
  page: PageRequest;
  /** Prices all inference as if this model had processed it. */
  asModel?: string | undefined;
}

/** The cost of one service; `amount` is null if none of its usage has a price. */
export interface CostLine<Unpriced> {
  amount: Money | null;
  status: CostStatus;
  /** The usage without a price; null unless the status is `missing`. */
  unpriced: Unpriced | null;
}

export interface TotalCost {
  /** The sum of the known lines; null if none is known. */
  amount: Money | null;
  /** The worst of the lines. */
  status: CostStatus;
  /** Whether a line is missing, so that the amount is only a part of the cost. */
  incomplete: boolean;
}

export interface ScenarioCost {
  /** The requested period in whole hours; an open end is that of the hours with entries. */
  period: { from: Date | null; to: Date | null };
  usage: UsageCounters;
  lines: { queue: CostLine<QueueUsage>; function: CostLine<FunctionUsage>; inference: CostLine<InferenceUsage> };
  total: TotalCost;
  /** One page of the hours or days from the first to the last one with entries. */
  buckets: CostBucket[];
  /** The cursor of the next page; null after the last one. */
  next: number | null;
}

/**
 * Prices a scenario's hours. `hours` must begin with the month of `from` (`usageNeededFor`): hours before `from` are
 * not part of the result, but count for its tiers and free amounts. Hours from `to` on are ignored. Can be interrupted
 * between two buckets.
 */
export function* priceHours(hours: readonly HourUsage[], pricing: ScenarioPricing): SlicedWork<ScenarioCost> {
  const { free_tier: freeTier } = applyDefaults(pricing.assumptions);
  const services = {
    queue: new ServiceTotal(createQueueMeter(pricing, freeTier), addQueueUsage),
    function: new ServiceTotal(createFunctionMeter(pricing, freeTier), addFunctionUsage),
    inference: new ServiceTotal(createInferenceMeter(pricing, pricing.asModel), addInferenceUsage),
  };
  const all = Object.values(services);
  const { from, to } = epochPeriod(pricing);
  const sorted = sortHours(hours).filter(({ logs }) => logs > 0n);
  const within = sorted.filter(({ hour }) => hour.getTime() >= from && hour.getTime() < to);

  let month = Number.NaN;
  if (from !== -Infinity) {
    month = startOfMonth(new Date(from));
    const before = sumHours(sorted, { from: new Date(month), to: new Date(from) });
    for (const service of all) service.skip(before);
  }

  const length = intervalLength(pricing.interval);
  const page = new BucketPage(pricing.page, length);
  const sum = emptyUsage();
  for (const { start, usage } of sumIntoBuckets(within, length)) {
    const bucketMonth = startOfMonth(new Date(start));
    if (bucketMonth !== month) {
      month = bucketMonth;
      for (const service of all) service.startMonth();
    }
    const queue = services.queue.add(usage);
    const fn = services.function.add(usage);
    const inference = services.inference.add(usage);
    const total = sumKnown([queue, fn, inference]);
    page.add({ start, usage, cost: { queue, function: fn, inference, total } });
    addUsage(sum, usage);
    yield;
  }
  sortLists(sum);

  const lines = {
    queue: services.queue.line(),
    function: services.function.line(),
    inference: services.inference.line(),
  };
  const status = worstStatus([lines.queue.status, lines.function.status, lines.inference.status]);
  return {
    period: periodOf(pricing, within),
    usage: sum,
    lines,
    total: {
      amount: sumKnown([lines.queue.amount, lines.function.amount, lines.inference.amount]),
      status,
      incomplete: status === 'missing',
    },
    buckets: page.buckets,
    next: page.next,
  };
}

/** A service's meter and the sum of its costs in the period. */
class ServiceTotal<Unpriced> {
  readonly #meter: ServiceMeter<Unpriced>;
  readonly #addUnpriced: (a: Unpriced, b: Unpriced) => Unpriced;
  readonly #sum: ServiceCost<Unpriced> = {
    amount: 0n,
    charged: false,
    atFallbackPrice: false,
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

  /** Adds usage of the month before the period: it counts for tiers and free amounts, but not for the cost. */
  skip(usage: UsageCounters): void {
    this.#meter.add(usage);
  }

  add(usage: UsageCounters): Money | null {
    const cost = this.#meter.add(usage);
    if (cost === null) return 0n;
    const sum = this.#sum;
    sum.amount += cost.amount;
    sum.charged ||= cost.charged;
    sum.atFallbackPrice ||= cost.atFallbackPrice;
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

function periodOf(requested: Period, within: readonly HourUsage[]): ScenarioCost['period'] {
  const { from, to } = wholeHours(requested);
  const last = within.at(-1)?.hour.getTime();
  return {
    from: from ?? within[0]?.hour ?? null,
    to: to ?? (last === undefined ? null : new Date(last + hourMs)),
  };
}

// The cost of a scenario's usage: in total, by service, and by hour or day. The cost of a bucket is
// what the bucket adds to the cost of its month, so the buckets of a month add up exactly.
import { hour as hourMs } from '../durations.ts';
import { type Assumptions, applyDefaults } from '../scenarios/assumptions.ts';
import { epochPeriod, type Interval, intervalLength, type Period, startOfMonth, wholeHours } from '../usage/periods.ts';
import {
  addUsage,
  emptyUsage,
  type HourUsage,
  hasUsage,
  lastHourOf,
  sortLists,
  type UsageCounters,
  type UsageSum,
} from '../usage/usage.ts';
import { withAssumedOutput } from './assumed-output.ts';
import type { CostBucket } from './bucket-page.ts';
import { createFunctionMeter, type FunctionUsage } from './function-cost.ts';
import { addInferenceUsage, createInferenceMeter, type InferenceUsage } from './inference-cost.ts';
import type { Money } from './money.ts';
import { createQueueMeter, type QueueUsage } from './queue-cost.ts';
import {
  type CostStatus,
  knownAmount,
  type PricingTerms,
  type ServiceCost,
  statusOf,
  sumKnown,
  worstStatus,
} from './service-cost.ts';

export interface ScenarioPricing extends PricingTerms, Period {
  assumptions: Assumptions | null | undefined;
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

/** How reliable the cost of a bucket is, by service. */
export type BucketStatus = Readonly<Record<keyof ScenarioCost['lines'], CostStatus>>;

interface TotalCost {
  /** The sum of the known lines; null if none is known. */
  amount: Money | null;
  /** The worst of the lines. */
  status: CostStatus;
  /** Whether a line is missing, so that the amount is only a part of the cost. */
  incomplete: boolean;
}

export interface ScenarioCost {
  /** The requested period in whole hours; where it is open, the hours with entries bound it. */
  period: { from: Date | null; to: Date | null };
  usage: UsageCounters;
  /** Whether it is the usage of a pipeline, which has more counters. */
  hasPipeline: boolean;
  lines: { queue: CostLine<QueueUsage>; function: CostLine<FunctionUsage>; inference: CostLine<InferenceUsage> };
  total: TotalCost;
}

/**
 * Prices the hours of a scenario, which are added one by one. It holds the usage of one bucket and
 * the sums, however many hours there are.
 *
 * The hours must be in ascending order without duplicates, as `readUsage` returns them, and must
 * begin with the month of `from` (`usageNeededFor`): hours before `from` are not part of the
 * result, but count for its tiers and free amounts. Hours from `to` on are ignored. Several
 * pricers, such as those of two price books, can be fed by one read.
 */
export class ScenarioPricer {
  readonly #pricing: ScenarioPricing;
  readonly #period: { from: number; to: number };
  readonly #length: number;
  readonly #onBucket: (bucket: CostBucket, status: BucketStatus) => void;
  readonly #services: {
    queue: ServiceTotal<QueueUsage>;
    function: ServiceTotal<FunctionUsage>;
    inference: ServiceTotal<InferenceUsage>;
  };
  readonly #sum = emptyUsage();
  /** The start of the month of the meters; at first the month of `from`, or NaN without `from`. */
  #month: number;
  #meters: Meters;
  #bucket: { start: number; usage: UsageCounters } | undefined;
  /** The first and the last hour with entries in the period. */
  #span: { first: number; last: number } | undefined;

  /**
   * @param onBucket receives each bucket with entries once it is complete, in ascending order;
   * buckets without entries are left out.
   */
  constructor(
    pricing: ScenarioPricing,
    interval: Interval,
    onBucket: (bucket: CostBucket, status: BucketStatus) => void = () => {},
  ) {
    // The usage of a pipeline is an estimate.
    const isEstimated = pricing.assumptions?.pipeline !== undefined;
    this.#pricing = pricing;
    this.#period = epochPeriod(pricing);
    this.#length = intervalLength(interval);
    this.#onBucket = onBucket;
    this.#month = startOfMonth(new Date(this.#period.from));
    this.#meters = createMeters(pricing);
    this.#services = {
      queue: new ServiceTotal(addQueueUsage, isEstimated),
      function: new ServiceTotal(addFunctionUsage, isEstimated),
      inference: new ServiceTotal(addInferenceUsage, isEstimated),
    };
  }

  /**
   * The number of hours from the first to the last hour with entries in the period, including the
   * hours without entries between them.
   */
  get spanHours(): number {
    return this.#span === undefined ? 0 : (this.#span.last - this.#span.first) / hourMs + 1;
  }

  /**
   * Adds an hour, or the sum of a day or a month in place of its hours unless the period begins or
   * ends in it (`divides`). If buckets are shorter than the sum, the bucket of its first hour gets
   * all of it. The object is not changed, but a bucket of one hour refers to it.
   */
  add(hour: HourUsage | UsageSum): void {
    const start = hour.hour.getTime();
    const { from, to } = this.#period;
    if (!hasUsage(hour) || start >= to) return;
    if (start < from) {
      // It counts for tiers and free amounts, but not for the cost.
      if (start >= this.#month) for (const meter of Object.values(this.#meters)) meter.add(hour);
      return;
    }
    this.#span ??= { first: start, last: start };
    this.#span.last = lastHourOf(hour).getTime();
    const bucketStart = Math.floor(start / this.#length) * this.#length;
    if (this.#bucket?.start !== bucketStart) {
      this.#closeBucket();
      this.#bucket = { start: bucketStart, usage: this.#length === hourMs ? hour : emptyUsage() };
    }
    if (this.#length !== hourMs) addUsage(this.#bucket.usage, hour);
  }

  /** Must be called once, after the last hour. */
  finish(): ScenarioCost {
    this.#closeBucket();
    sortLists(this.#sum);
    const lines = {
      queue: this.#services.queue.line(),
      function: this.#services.function.line(),
      inference: this.#services.inference.line(),
    };
    const status = worstStatus([lines.queue.status, lines.function.status, lines.inference.status]);
    return {
      period: this.#countedPeriod(),
      usage: this.#sum,
      hasPipeline: this.#pricing.assumptions?.pipeline !== undefined,
      lines,
      total: {
        amount: sumKnown([lines.queue.amount, lines.function.amount, lines.inference.amount]),
        status,
        incomplete: status === 'missing',
      },
    };
  }

  #closeBucket(): void {
    if (this.#bucket === undefined) return;
    const { start } = this.#bucket;
    const usage = withAssumedOutput(this.#bucket.usage, this.#pricing.assumptions);
    this.#bucket = undefined;
    const month = startOfMonth(new Date(start));
    if (month !== this.#month) {
      this.#month = month;
      this.#meters = createMeters(this.#pricing);
    }
    const queue = this.#services.queue.add(this.#meters.queue.add(usage));
    const fn = this.#services.function.add(this.#meters.function.add(usage));
    const inference = this.#services.inference.add(this.#meters.inference.add(usage));
    addUsage(this.#sum, usage);
    const amounts = { queue: queue.amount, function: fn.amount, inference: inference.amount };
    const total = sumKnown([queue.amount, fn.amount, inference.amount]);
    this.#onBucket(
      { start, usage, cost: { ...amounts, total } },
      { queue: queue.status, function: fn.status, inference: inference.status },
    );
  }

  #countedPeriod(): ScenarioCost['period'] {
    const { from, to } = wholeHours(this.#pricing);
    const span = this.#span;
    return {
      from: from ?? (span ? new Date(span.first) : null),
      to: to ?? (span ? new Date(span.last + hourMs) : null),
    };
  }
}

type Meters = ReturnType<typeof createMeters>;

function createMeters(pricing: ScenarioPricing) {
  const { free_tier: freeTier, pipeline } = applyDefaults(pricing.assumptions);
  return {
    queue: createQueueMeter(pricing, freeTier),
    function: createFunctionMeter(pricing, freeTier),
    inference: createInferenceMeter(pricing, { asModel: pricing.asModel, ...pipeline?.inference }),
  };
}

/** The sum of the costs of a service in the period. */
class ServiceTotal<Unpriced> {
  readonly #addUnpriced: (a: Unpriced, b: Unpriced) => Unpriced;
  readonly #isEstimated: boolean;
  readonly #sum: ServiceCost<Unpriced>;

  constructor(addUnpriced: (a: Unpriced, b: Unpriced) => Unpriced, isEstimated: boolean) {
    this.#addUnpriced = addUnpriced;
    this.#isEstimated = isEstimated;
    this.#sum = { amount: 0n, charged: false, atFallbackPrice: false, estimated: isEstimated, unpriced: null };
  }

  /** @returns the known amount of the cost, and its status. */
  add(cost: ServiceCost<Unpriced>): Pick<CostLine<Unpriced>, 'amount' | 'status'> {
    const sum = this.#sum;
    sum.amount += cost.amount;
    sum.charged ||= cost.charged;
    sum.atFallbackPrice ||= cost.atFallbackPrice;
    sum.estimated ||= cost.estimated;
    if (cost.unpriced !== null) {
      sum.unpriced = sum.unpriced === null ? cost.unpriced : this.#addUnpriced(sum.unpriced, cost.unpriced);
    }
    const status = statusOf(this.#isEstimated ? { ...cost, estimated: true } : cost);
    return { amount: knownAmount(cost), status };
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

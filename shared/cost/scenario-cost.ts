// The cost of a scenario's usage: in total, by service, and by hour or day. The cost of a bucket is
// what it adds to the cost of its month, so the buckets of a month add up to it exactly.
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
import type { PriceBook } from './price-book.ts';
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

interface TotalCost {
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
 * pricings, such as those of two price books, can be fed by one read.
 */
export class ScenarioPricer {
  readonly #pricing: ScenarioPricing;
  readonly #period: { from: number; to: number };
  readonly #length: number;
  #book: PriceBook;
  readonly #onBucket: (bucket: CostBucket) => void;
  readonly #services: {
    queue: ServiceTotal<QueueUsage>;
    function: ServiceTotal<FunctionUsage>;
    inference: ServiceTotal<InferenceUsage>;
  };
  readonly #sum = emptyUsage();
  #month = Number.NaN;
  /** The usage between the start of the month of `from` and `from`, until it has been counted. */
  #before: UsageCounters | undefined;
  #bucket: { start: number; usage: UsageCounters } | undefined;
  #first: number | undefined;
  #last: number | undefined;

  /**
   * @param onBucket receives each bucket with entries once it is complete, in ascending order;
   * buckets without entries are left out.
   */
  constructor(pricing: ScenarioPricing, interval: Interval, onBucket: (bucket: CostBucket) => void = () => {}) {
    // The usage of a pipeline is an estimate.
    const isEstimated = pricing.assumptions?.pipeline !== undefined;
    this.#pricing = pricing;
    this.#period = epochPeriod(pricing);
    this.#length = intervalLength(interval);
    this.#onBucket = onBucket;
    if (this.#period.from !== -Infinity) {
      this.#month = startOfMonth(new Date(this.#period.from));
      this.#before = emptyUsage();
    }
    this.#book = pricing.book.inMonth(this.#month);
    const meters = createMeters(pricing, this.#book);
    this.#services = {
      queue: new ServiceTotal(meters.queue, addQueueUsage, isEstimated),
      function: new ServiceTotal(meters.function, addFunctionUsage, isEstimated),
      inference: new ServiceTotal(meters.inference, addInferenceUsage, isEstimated),
    };
  }

  /**
   * The number of hours from the first to the last one with entries in the period, including those
   * without entries.
   */
  get spanHours(): number {
    return this.#first === undefined || this.#last === undefined ? 0 : (this.#last - this.#first) / hourMs + 1;
  }

  /**
   * The hour is not changed, but a bucket of one hour refers to it. The sum of a day or a month can
   * take the place of its hours unless the period begins or ends in it (`divides`). In shorter
   * buckets, it is one bucket, that of its first hour.
   */
  add(hour: HourUsage | UsageSum): void {
    const start = hour.hour.getTime();
    const { from, to } = this.#period;
    if (!hasUsage(hour) || start >= to) return;
    if (start < from) {
      if (this.#before !== undefined && start >= this.#month) addUsage(this.#before, hour);
      return;
    }
    this.#first ??= start;
    this.#last = lastHourOf(hour).getTime();
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
    if (this.#before !== undefined) {
      const before = withAssumedOutput(this.#before, this.#pricing.assumptions);
      for (const service of Object.values(this.#services)) service.skip(before);
      this.#before = undefined;
    }
    const month = startOfMonth(new Date(start));
    if (month !== this.#month) {
      this.#month = month;
      this.#startMonth(month);
    }
    const queue = this.#services.queue.add(usage);
    const fn = this.#services.function.add(usage);
    const inference = this.#services.inference.add(usage);
    addUsage(this.#sum, usage);
    const total = sumKnown([queue, fn, inference]);
    this.#onBucket({ start, usage, cost: { queue, function: fn, inference, total } });
  }

  /** Meters have the prices of one book, and few months have another one than the month before. */
  #startMonth(month: number): void {
    const book = this.#pricing.book.inMonth(month);
    const { queue, function: fn, inference } = this.#services;
    if (book === this.#book) {
      for (const service of [queue, fn, inference]) service.startMonth();
      return;
    }
    this.#book = book;
    const meters = createMeters(this.#pricing, book);
    queue.startMonth(meters.queue);
    fn.startMonth(meters.function);
    inference.startMonth(meters.inference);
  }

  #countedPeriod(): ScenarioCost['period'] {
    const { from, to } = wholeHours(this.#pricing);
    return {
      from: from ?? (this.#first === undefined ? null : new Date(this.#first)),
      to: to ?? (this.#last === undefined ? null : new Date(this.#last + hourMs)),
    };
  }
}

function createMeters(pricing: ScenarioPricing, book: PriceBook) {
  const { free_tier: freeTier, pipeline } = applyDefaults(pricing.assumptions);
  const terms = { ...pricing, book };
  return {
    queue: createQueueMeter(terms, freeTier),
    function: createFunctionMeter(terms, freeTier),
    inference: createInferenceMeter(terms, { asModel: pricing.asModel, ...pipeline?.inference }),
  };
}

/** A service's meter and the sum of its costs in the period. */
class ServiceTotal<Unpriced> {
  #meter: ServiceMeter<Unpriced>;
  readonly #addUnpriced: (a: Unpriced, b: Unpriced) => Unpriced;
  readonly #sum: ServiceCost<Unpriced>;

  constructor(
    meter: ServiceMeter<Unpriced>,
    addUnpriced: (a: Unpriced, b: Unpriced) => Unpriced,
    isEstimated: boolean,
  ) {
    this.#meter = meter;
    this.#addUnpriced = addUnpriced;
    this.#sum = { amount: 0n, charged: false, atFallbackPrice: false, estimated: isEstimated, unpriced: null };
  }

  /** @param meter one that has no usage yet, if the month has other prices. */
  startMonth(meter?: ServiceMeter<Unpriced>): void {
    if (meter) this.#meter = meter;
    else this.#meter.startMonth();
  }

  /**
   * Adds usage of the month before the period: it counts for tiers and free amounts, but not for
   * the cost.
   */
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

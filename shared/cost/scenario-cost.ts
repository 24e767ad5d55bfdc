// The cost of a scenario's usage: in total, by service, and by hour or day. The cost of a bucket is
// what the bucket adds to the cost of its month, so the buckets of a month add up exactly.
import { hour as hourMs } from '../durations.ts';
import { type Assumptions, applyDefaults } from '../scenarios/assumptions.ts';
import type { Scenario } from '../scenarios/scenario.model.ts';
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
import type { PriceBook, PriceFallback } from './price-book.ts';
import type { PriceBooks, PricedScenario } from './price-books.ts';
import { type ChargeLine, type Cost, CostSum, MonthPricer, type PricingTerms } from './price-month.ts';
import { withAssumedOutput } from './terms.ts';

export interface ScenarioPricing extends PricingTerms, Period {
  assumptions: Assumptions | null | undefined;
  /** Prices all inference as if this model had processed it. */
  asModel?: string | undefined;
  /** The book by whose limits calls were counted. Default: that of the prices. */
  countedBy?: PriceBook | undefined;
}

/** The prices of a scenario. */
export async function pricingOf(
  scenario: PricedScenario & Pick<Scenario, 'region'>,
  { priceBooks, config }: { priceBooks: Pick<PriceBooks, 'ofScenario'>; config: { priceFallback: PriceFallback } },
): Promise<ScenarioPricing> {
  const { region, assumptions } = scenario;
  return { region, assumptions, book: await priceBooks.ofScenario(scenario), fallback: config.priceFallback };
}

export interface ScenarioCost extends Cost {
  /** The requested period in whole hours; where it is open, the hours with entries bound it. */
  period: { from: Date | null; to: Date | null };
  usage: UsageCounters;
  /** Whether it is the usage of a pipeline, which has more counters. */
  hasPipeline: boolean;
}

export interface CostBucket {
  /** The start of the UTC hour or day, in epoch milliseconds. */
  start: number;
  usage: Readonly<UsageCounters>;
  cost: Readonly<Cost>;
}

/** A bucket with entries, and the lines that it adds to its month. Its cost is their sum. */
export type PricedBucket = CostBucket & { lines: readonly ChargeLine[] };

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
  readonly #onBucket: (bucket: PricedBucket) => void;
  /** The usage of a pipeline is an estimate. */
  readonly #hasPipeline: boolean;
  readonly #cost: CostSum;
  readonly #usage = emptyUsage();
  /** The start of the month; at first the month of `from`, or NaN without `from`. */
  #month: number;
  #pricer: MonthPricer;
  #bucket: { start: number; usage: UsageCounters } | undefined;
  /** The first and the last hour with entries in the period. */
  #span: { first: number; last: number } | undefined;

  /**
   * @param onBucket receives each bucket with entries once it is complete, in ascending order;
   * buckets without entries are left out.
   */
  constructor(pricing: ScenarioPricing, interval: Interval, onBucket: (bucket: PricedBucket) => void = () => {}) {
    this.#pricing = pricing;
    this.#period = epochPeriod(pricing);
    this.#length = intervalLength(interval);
    this.#onBucket = onBucket;
    this.#hasPipeline = pricing.assumptions?.pipeline !== undefined;
    this.#cost = new CostSum(this.#hasPipeline);
    this.#month = startOfMonth(new Date(this.#period.from));
    this.#pricer = pricerOf(pricing);
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
      if (start >= this.#month) this.#pricer.add(hour);
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
    sortLists(this.#usage);
    const { from, to } = wholeHours(this.#pricing);
    const span = this.#span;
    return {
      period: {
        from: from ?? (span ? new Date(span.first) : null),
        to: to ?? (span ? new Date(span.last + hourMs) : null),
      },
      usage: this.#usage,
      hasPipeline: this.#hasPipeline,
      ...this.#cost.cost(),
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
      this.#pricer = pricerOf(this.#pricing);
    }
    const lines = this.#pricer.add(usage);
    this.#cost.add(lines);
    addUsage(this.#usage, usage);
    const sum = new CostSum(this.#hasPipeline);
    sum.add(lines);
    this.#onBucket({ start, usage, lines, cost: sum.cost() });
  }
}

function pricerOf(pricing: ScenarioPricing): MonthPricer {
  const { free_tier: freeTier, pipeline } = applyDefaults(pricing.assumptions);
  return new MonthPricer({ ...pricing, freeTier, calls: pipeline?.inference });
}

// The cost of a scenario's usage: in total, by service, and by hour or day. The cost of a bucket is
// what the bucket adds to the cost of its month, so the buckets of a month add up exactly.
import { hour as hourMs } from '../durations.ts';
import { isSliceOver, nextSlice } from '../process/time-slices.ts';
import { type Assumptions, applyDefaults } from '../scenarios/assumptions.ts';
import type { Scenario } from '../scenarios/scenario.model.ts';
import {
  divides,
  epochPeriod,
  type Interval,
  intervalLength,
  type Period,
  type Span,
  startOfMonth,
  wholeHours,
} from '../usage/periods.ts';
import type { ReadDays, UsageDeps } from '../usage/read-usage.ts';
import {
  addUsage,
  type DayCounters,
  emptyUsage,
  firstHourOf,
  hasUsage,
  lastHourOf,
  mergeCounters,
  type UsagePart,
  type UsageTotals,
} from '../usage/stored-hour.ts';
import type { PipelineWork } from './pipeline/pipeline-work.ts';
import type { PriceBook, PriceFallback } from './price-book.ts';
import type { PriceBooks, PricedScenario } from './price-books.ts';
import { type ChargeLine, type Cost, CostSum, createMonthPricer, type PricingTerms } from './price-month.ts';
import { type PipelineUsage, readScenarioUsage } from './read-scenario-usage.ts';
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

export type ScenarioCost = ReturnType<ReturnType<typeof createScenarioPricer>['finish']>;

export interface CostBucket {
  /** The start of the UTC hour or day, in epoch milliseconds. */
  start: number;
  usage: Readonly<UsageTotals>;
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
 * @param onBucket receives each bucket with entries once it is complete, in ascending order;
 * buckets without entries are left out.
 */
export function createScenarioPricer(
  pricing: ScenarioPricing,
  interval: Interval,
  onBucket: (bucket: PricedBucket) => void = () => {},
) {
  const { from, to } = epochPeriod(pricing);
  const length = intervalLength(interval);
  /** The usage of a pipeline is an estimate, and has more counters. */
  const hasPipeline = pricing.assumptions?.pipeline !== undefined;
  const cost = new CostSum(hasPipeline);
  const total = emptyUsage();
  /** The start of the month; at first the month of `from`, or NaN without `from`. */
  let month = startOfMonth(new Date(from));
  let pricer = pricerOf(pricing);
  let bucket: { start: number; usage: UsageTotals } | undefined;
  /** The first and the last hour with entries in the period. */
  let span: { first: number; last: number } | undefined;

  function closeBucket(): void {
    if (bucket === undefined) return;
    const { start } = bucket;
    const usage = withAssumedOutput(bucket.usage, pricing.assumptions);
    bucket = undefined;
    const monthOfBucket = startOfMonth(new Date(start));
    if (monthOfBucket !== month) [month, pricer] = [monthOfBucket, pricerOf(pricing)];
    const lines = pricer.add(usage);
    cost.add(lines);
    addUsage(total, usage);
    const sum = new CostSum(hasPipeline);
    sum.add(lines);
    onBucket({ start, usage, lines, cost: sum.cost() });
  }

  return {
    /** The hours from the first to the last one with entries in the period, with those between. */
    spanHours: () => (span === undefined ? 0 : (span.last - span.first) / hourMs + 1),
    /**
     * Adds an hour, or the sum of a day or a month in place of its hours unless the period begins
     * or ends in it (`divides`). If buckets are shorter than the sum, the bucket of its first hour
     * gets all of it. The object is not changed, but a bucket of one hour refers to it.
     */
    add(part: UsagePart): void {
      const start = firstHourOf(part).getTime();
      if (!hasUsage(part) || start >= to) return;
      if (start < from) {
        // It counts for tiers and free amounts, but not for the cost.
        if (start >= month) pricer.add(part);
        return;
      }
      span = { first: span?.first ?? start, last: lastHourOf(part).getTime() };
      const bucketStart = Math.floor(start / length) * length;
      if (bucket?.start !== bucketStart) {
        closeBucket();
        bucket = { start: bucketStart, usage: length === hourMs ? part : emptyUsage() };
      }
      if (length !== hourMs) addUsage(bucket.usage, part);
    },
    /** Must be called once, after the last hour. */
    finish() {
      closeBucket();
      const whole = wholeHours(pricing);
      return {
        /** The requested period in whole hours; where it is open, the hours with entries bound it. */
        period: {
          from: whole.from ?? (span ? new Date(span.first) : null),
          to: whole.to ?? (span ? new Date(span.last + hourMs) : null),
        },
        usage: total,
        hasPipeline,
        ...cost.cost(),
      };
    },
  };
}

function pricerOf(pricing: ScenarioPricing) {
  const { free_tier: freeTier, pipeline } = applyDefaults(pricing.assumptions);
  return createMonthPricer({ ...pricing, freeTier, calls: pipeline?.inference });
}

/** @param work of the pipeline whose usage it is. */
type MonthUsage = DayCounters & { work?: PipelineWork };

export interface MonthlyUsage {
  /** The requested period. */
  period: Period;
  /** One record per month; two for a month that `period.from` divides. */
  months: MonthUsage[];
}

/**
 * Sums parts of months, which is enough for a cost that is not asked for by hour or day. They are
 * added from the start of a month on.
 */
export class MonthSums {
  readonly #period: Period;
  /** By the start of the month, or of the period in it. */
  readonly #months = new Map<number, MonthUsage>();

  constructor(period: Period) {
    this.#period = period;
  }

  /** The part is not changed. Hours after the period are ignored. */
  add(part: PipelineUsage): void {
    const [first, last] = [firstHourOf(part), lastHourOf(part)];
    const { from, to } = epochPeriod(this.#period);
    if (!hasUsage(part) || first.getTime() >= to) return;
    const start = Math.max(startOfMonth(first), first.getTime() < from ? -Infinity : from);
    const month = this.#months.get(start) ?? { ...emptyUsage(), first, last };
    this.#months.set(start, month);
    addUsage(month, part);
    mergeCounters(month, { first, last, work: part.work });
  }

  finish(): MonthlyUsage {
    const sorted = [...this.#months].sort(([one], [other]) => one - other);
    return { period: this.#period, months: sorted.map(([, month]) => month) };
  }
}

/**
 * @param readDays the hours in order of time, from the start of the month of `period.from`
 * (`usageNeededFor`).
 */
export async function sumMonths(readDays: ReadDays, period: Period = {}): Promise<MonthlyUsage> {
  const sums = new MonthSums(period);
  for await (const hours of readDays(detailOfMonths(period))) {
    for (const hour of hours) {
      if (isSliceOver()) await nextSlice();
      sums.add(hour);
    }
  }
  return sums.finish();
}

/** Months are enough where the period neither begins nor ends. */
export const detailOfMonths = (period: Period) => (span: Span) => (divides(period, span) ? 'hours' : 'month');

/** Reads the usage of a scenario by month. */
export const readMonths = (deps: UsageDeps, scenarioId: string, pricing: ScenarioPricing): Promise<MonthlyUsage> =>
  readScenarioUsage(deps, scenarioId, pricing, (readDays) =>
    sumMonths(readDays, { from: pricing.from, to: pricing.to }),
  );

export type MonthsCost = Awaited<ReturnType<typeof priceMonths>>;

/** Prices months: the same sums as `createScenarioPricer` has for their hours. */
export async function priceMonths({ months, period }: MonthlyUsage, pricing: Omit<ScenarioPricing, 'from' | 'to'>) {
  const { from } = epochPeriod(period);
  const works = months.filter(({ first }) => first.getTime() >= from).map(({ work }) => work);
  const buckets: PricedBucket[] = [];
  const ofPeriod = { ...pricing, from: period.from, to: period.to };
  const pricer = createScenarioPricer(ofPeriod, 'day', (bucket) => buckets.push(bucket));
  for (const month of months) {
    if (isSliceOver()) await nextSlice();
    pricer.add(month);
  }
  const cost = pricer.finish();
  /** The months by their starts, in epoch milliseconds. The cost is the sum of their lines. */
  const priced = buckets.map(({ start, usage, lines }, index) => {
    const work = works[index];
    return { month: startOfMonth(new Date(start)), usage, lines, ...(work && { work }) };
  });
  return { ...cost, months: priced };
}

/** Prices the usage of a month that has no date. */
export function priceMonth(usage: UsageTotals, pricing: Omit<ScenarioPricing, 'from' | 'to'>) {
  const first = new Date(0);
  return priceMonths({ months: [{ ...usage, first, last: first }], period: {} }, pricing);
}

import { isSliceOver, nextSlice } from '../process/time-slices.ts';
import type { Assumptions } from '../scenarios/assumptions.ts';
import { epochPeriod, type Period, usageNeededFor } from '../usage/periods.ts';
import { readUsageByDay, type UsageDeps } from '../usage/read-usage.ts';
import {
  addUsage,
  emptyUsage,
  findRow,
  type HourUsage,
  type InferenceCount,
  type ReadDays,
  sortLists,
  type UsageCounters,
} from '../usage/usage.ts';
import { detailOfMonths, type MonthlyUsage, MonthSums, sumMonths } from './monthly-usage.ts';
import {
  areTimed,
  lastHourStart,
  type Observation,
  type ObservedHour,
  observe,
  observeHour,
  type RateSpan,
  scaleUsage,
  secondsPerMonth,
  secondsWithin,
  spanOfRate,
  thirdsOf,
  type Volume,
} from './observed-rate.ts';
import { secondsPerHour } from './pipeline/active-seconds.ts';
import {
  createDerivation,
  type DerivedHour,
  dependsOnEarlierHours,
  hasPipeline,
  modelLevelsOf,
} from './pipeline/derive-hour.ts';
import { CountedHour, type HourCounts, type LevelSet, partOfHour } from './pipeline/hour-counts.ts';
import { PipelineSums, usageOfPipeline } from './pipeline/pipeline-sums.ts';
import { createUsageDerivation, ScenarioHours } from './pipeline/scenario-hours.ts';
import { readLevels, spanOf } from './read-scenario-usage.ts';
import { type ReadTerms, withAssumedOutput } from './terms.ts';

interface CountedScenario {
  _id: string;
  /** The assumptions that its entries were counted on. */
  assumptions: Assumptions | null | undefined;
}

/**
 * The usage of a scenario by month on certain terms.
 * @throws AppError INVALID_STATE if the terms cannot be applied to the usage.
 */
export async function readMonthsOn(
  deps: UsageDeps,
  { _id: id }: CountedScenario,
  terms: ReadTerms,
  { from, to }: Period = {},
): Promise<MonthlyUsage> {
  const period = { from, to };
  if (hasPipeline(terms.assumptions)) {
    return readLevels(deps, id, async (readDays) => {
      const [usage] = await sumOnTerms(readDays, [terms], period);
      return usage as MonthlyUsage;
    });
  }
  return readUsageByDay(deps, id, usageNeededFor(period), async (readDays) =>
    convertMonths(await sumMonths(readDays, period), terms),
  );
}

/** A month at a rate, on the terms of a design. */
export interface RatedMonth {
  usage: UsageCounters;
  /** That of each third of the hours; null where they do not tell it. */
  thirds: UsageCounters[] | null;
}

export interface RatedUsage {
  /** The usage of the period by month, for each of the terms. */
  usages: MonthlyUsage[];
  /** Null without entries. */
  observed: Observation | null;
  /** For each of the terms; null if the rate is not known. */
  months: RatedMonth[] | null;
}

/**
 * The usage of a scenario on each of the terms, and that of a month at the observed rate or at
 * another volume, from one state of the usage.
 * @throws AppError INVALID_STATE if terms cannot be applied to the usage.
 */
export function readAtRate(
  deps: UsageDeps,
  { _id: id }: CountedScenario,
  allTerms: readonly ReadTerms[],
  period: Period & { volume: Volume | null },
): Promise<RatedUsage> {
  return readLevels(deps, id, (readDays) => sumRated(readDays, allTerms, period));
}

/** @param readDays is called twice, because the span is not known before the last hour. */
export async function sumRated(
  readDays: ReadDays,
  allTerms: readonly ReadTerms[],
  { from, to, volume }: Period & { volume: Volume | null },
): Promise<RatedUsage> {
  const period = { from, to };
  const hours: ObservedHour[] = [];
  const calls = allTerms.flatMap((terms) => callsOf(terms) ?? []);
  const usages = await sumOnTerms(readDays, allTerms, period, (hour) => hours.push(observeHour(hour, calls)));
  const isTimed = areTimed(hours);
  const observed = observe(hours, isTimed);
  const span = observed && spanOfRate(observed, volume);
  if (!span) return { usages, observed, months: null };
  const thirds = thirdsOf(hours, span).map((third) => {
    const ofThird = observe(third, isTimed);
    return ofThird && spanOfRate(ofThird, volume);
  });
  const known = thirds.filter((third) => third !== null);
  const spans = thirds.length > 0 && known.length === thirds.length ? [span, ...known] : [span];
  const sums = await sumAtRate(readDays, { allTerms, period, spans, hours });
  const months = sums.map(([usage, ...others]) => ({
    usage: usage as UsageCounters,
    thirds: others.length > 0 ? others : null,
  }));
  return { usages, observed, months };
}

/** @param onHour gets the hours with entries of the period. */
async function sumOnTerms(
  readDays: ReadDays,
  allTerms: readonly ReadTerms[],
  period: Period,
  onHour: (hour: HourUsage) => void = () => {},
): Promise<MonthlyUsage[]> {
  const { from } = epochPeriod(period);
  const detailOf = detailOfMonths(period);
  const pipelines = allTerms.map(({ assumptions, ...options }) =>
    hasPipeline(assumptions)
      ? { assumptions, derive: createUsageDerivation(assumptions, options), sums: new MonthSums(period) }
      : undefined,
  );
  const needsEarlier = pipelines.some((pipeline) => pipeline && dependsOnEarlierHours(pipeline.assumptions));
  const hours = new ScenarioHours(spanOf(period), needsEarlier);
  const observed = new MonthSums(period);
  for await (const parts of readDays((part) => hours.detailOf(part))) {
    for (const part of parts) {
      if (isSliceOver()) await nextSlice();
      for (const { requireConvertible } of allTerms) requireConvertible(part);
      // Counters and windows are found once for all pipelines.
      for (const counted of hours.until(part, detailOf)) {
        for (const pipeline of pipelines) {
          const derived = pipeline?.derive(counted);
          if (derived) pipeline?.sums.add(derived.usage, derived.work);
        }
        if (counted.entries === undefined || counted.isEarlier) continue;
        observed.add(part);
        if (counted.start >= from) onHour(part);
      }
    }
  }
  const plain = observed.finish();
  return allTerms.map((terms, index) => pipelines[index]?.sums.finish() ?? convertMonths(plain, terms));
}

function convertMonths(usage: MonthlyUsage, { assumptions, convert }: ReadTerms): MonthlyUsage {
  return { ...usage, months: usage.months.map((month) => withAssumedOutput(convert(month), assumptions)) };
}

interface RateReading {
  allTerms: readonly ReadTerms[];
  period: Period;
  /** The whole span, and thirds of it. */
  spans: readonly RateSpan[];
  hours: readonly ObservedHour[];
}

/** The usage of a month at the rate of each of the spans, for each of the terms. */
async function sumAtRate(
  readDays: ReadDays,
  { allTerms, period, spans, hours }: RateReading,
): Promise<UsageCounters[][]> {
  const months = allTerms.map((terms) => {
    const calls = callsOf(terms);
    return spans.map((span) => new MonthAtRate(terms, span, lastCallWithin(span, hours, calls)));
  });
  const { from: start, to: end } = epochPeriod(period);
  for await (const parts of readDays((part) => (part.end > start && part.start < end ? 'hours' : 'month'))) {
    for (const part of parts) {
      const time = part.hour.getTime();
      if (part.logs === 0n || time < start || time >= end) continue;
      const counts = new CountedHour(part.levels ?? [], time / 1_000);
      for (const ofTerms of months) {
        if (isSliceOver()) await nextSlice();
        for (const month of ofTerms) month.add(part, counts);
      }
    }
  }
  return months.map((ofTerms) => ofTerms.map((month) => month.finish()));
}

/** The levels of the entries whose calls keep a prompt cached; undefined if none is cached. */
function callsOf({ assumptions: { pipeline } }: ReadTerms): LevelSet | undefined {
  return pipeline?.inference.cache_prompt ? modelLevelsOf(pipeline) : undefined;
}

/** In epoch seconds; −Infinity without a call. */
function lastCallWithin(span: RateSpan, hours: readonly ObservedHour[], calls: LevelSet | undefined): number {
  if (calls === undefined) return -Infinity;
  for (const hour of [...hours].reverse()) {
    if (hour.start > span.until || secondsWithin(span, hour.start) === null) continue;
    const last = hour.lastOf(calls);
    if (last > -Infinity) return last;
  }
  return -Infinity;
}

/** The usage of a month at the rate of a span, on certain terms. Its hours are added in order. */
class MonthAtRate {
  readonly #terms: ReadTerms;
  readonly #span: RateSpan;
  readonly #derive: ((hour: HourCounts) => DerivedHour) | undefined;
  readonly #sums = new PipelineSums();
  readonly #usage = emptyUsage();
  /** The hours with entries, and the last one of them, in epoch seconds. */
  #hours = 0;
  #lastHour = -Infinity;

  /** @param lastCalling the last active second of inference of the span, in epoch seconds. */
  constructor(terms: ReadTerms, span: RateSpan, lastCalling: number) {
    this.#terms = terms;
    this.#span = span;
    const { assumptions, convertMbMs, cacheSeconds, callLimit } = terms;
    if (!hasPipeline(assumptions)) return;
    // The span is followed by itself.
    const previous = lastCalling - Number(span.length.times) / Number(span.length.over);
    this.#derive = createDerivation(assumptions, { convertMbMs, cacheSeconds, callLimit, previous });
  }

  add(hour: HourUsage, counts: HourCounts): void {
    const seconds = secondsWithin(this.#span, counts.start);
    if (seconds === null || counts.start > this.#span.until) return;
    this.#hours += 1;
    this.#lastHour = counts.start;
    addUsage(this.#usage, hour);
    if (this.#derive) this.#sums.add(this.#derive(partOfHour(counts, seconds, this.#span.volume)));
  }

  finish(): UsageCounters {
    const { assumptions } = this.#terms;
    const usage = this.#usage;
    if (usage.logs === 0n) return emptyUsage();
    if (hasPipeline(assumptions)) this.#addIdle();
    // The converted usage belongs to the hours that are touched: others count by their entries.
    const { length, volume, entries } = this.#span;
    const perMonth = { times: secondsPerMonth * length.over * entries, over: length.times * usage.logs };
    const ofVolume = volume ? { times: perMonth.times * volume.times, over: perMonth.over * volume.over } : perMonth;
    if (!hasPipeline(assumptions)) {
      sortLists(usage);
      return scaleUsage(withAssumedOutput(this.#terms.convert(usage), assumptions), ofVolume);
    }
    const { logs, sizeBytes, piiLogs, pii } = scaleUsage(usage, ofVolume);
    const derived = scaleUsage(usageOfPipeline(emptyUsage(), this.#sums, assumptions), perMonth);
    const { prompt_tokens: prompt, cache_prompt: isCached, cache_ttl: ttl } = assumptions.pipeline.inference;
    const [field, entryField] =
      ttl === '1h'
        ? (['cacheWrite1hTokens', 'entryCacheWrites1h'] as const)
        : (['cacheWriteTokens', 'entryCacheWrites'] as const);
    const { times, over } = perMonth;
    const ofEntries = (model: string) =>
      (BigInt(findRow(this.#sums.inference, 'model', model)?.[entryField] ?? 0) * times + over - 1n) / over;
    const inference = isCached
      ? derived.inference.map((row) => withOneWrite(row, BigInt(prompt), field, ofEntries(row.model)))
      : derived.inference;
    const month = { ...derived, logs, sizeBytes, piiLogs, pii, inference };
    sortLists(month);
    return month;
  }

  #addIdle(): void {
    const { start } = this.#span;
    const lastHour = lastHourStart(this.#span);
    const touched = (lastHour - Math.floor(start / secondsPerHour) * secondsPerHour) / secondsPerHour + 1;
    const idle = touched - this.#hours;
    if (idle === 0 || !this.#derive) return;
    // The first hour has entries; the last one is idle if the span ends after them.
    const isLastIdle = this.#lastHour < lastHour;
    const whole = new CountedHour([]);
    this.#sums.add(this.#derive(whole), isLastIdle ? idle - 1 : idle);
    const seconds = isLastIdle ? secondsWithin(this.#span, lastHour) : null;
    if (seconds) this.#sums.add(this.#derive(partOfHour(whole, seconds, null)));
  }
}

/** A model with calls writes its prompt at least once a month, beside what entries write. */
function withOneWrite(
  row: InferenceCount,
  prompt: bigint,
  field: 'cacheWriteTokens' | 'cacheWrite1hTokens',
  ofEntries: bigint,
): InferenceCount {
  const written = row[field] ?? 0n;
  const missing = prompt - (written - ofEntries);
  if (missing <= 0n || (row.calls ?? 0n) === 0n) return row;
  return { ...row, [field]: written + missing, cacheReadTokens: (row.cacheReadTokens ?? 0n) - missing };
}

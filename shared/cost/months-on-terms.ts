// The usage of a scenario on the terms of designs, and a month of it at a rate.
import { day as dayMs } from '../durations.ts';
import { isSliceOver, nextSlice } from '../process/time-slices.ts';
import type { CompleteAssumptions } from '../scenarios/assumptions.ts';
import { epochPeriod, type Period, type Span } from '../usage/periods.ts';
import type { ReadDays, UsageDeps } from '../usage/read-usage.ts';
import {
  addUsage,
  emptyUsage,
  firstHourOf,
  type HourCounters,
  type UsagePart,
  type UsageTotals,
} from '../usage/stored-hour.ts';
import {
  areTimed,
  lastHourStart,
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
import { type CallCounters, dependsOnEarlierHours, hasPipeline, modelLevelsOf } from './pipeline/derive-hour.ts';
import { countHour, type HourCounts, type LevelSet, partOfHour, secondsPerHour } from './pipeline/hour-counts.ts';
import { countHours, createUsageDerivation, readLevels } from './read-scenario-usage.ts';
import { detailOfMonths, type MonthlyUsage, MonthSums, type ScenarioPricing } from './scenario-cost.ts';
import { convertUsage } from './terms.ts';

/** The terms of a design. */
export interface Terms extends ScenarioPricing {
  assumptions: CompleteAssumptions;
  /** The assumptions that the entries of the scenario were counted on. */
  counted: CompleteAssumptions;
}

/**
 * For each of the terms, the usage of the period by month, and of a month at the observed rate or
 * at another volume. The latter is null if the rate is not known, and `observed` without entries.
 */
export type RatedUsage = Awaited<ReturnType<typeof sumRated>>;
/** A month at a rate, on the terms of a design. */
export type RatedMonth = NonNullable<RatedUsage['months']>[number];

type RatedPeriod = Period & { volume: Volume | null };

/** Reads the usage of a scenario on each of the terms, and that of a month at the rate. */
export type ReadRated = (allTerms: readonly Terms[], period: RatedPeriod) => Promise<RatedUsage>;

/**
 * Reads from one state of the usage.
 * @throws AppError INVALID_STATE if terms cannot be applied to the usage.
 */
export const readAtRate =
  (deps: UsageDeps, scenarioId: string): ReadRated =>
  (allTerms, period) =>
    readLevels(deps, scenarioId, (readDays) => sumRated(readDays, allTerms, period));

/**
 * @param readDays is called twice, because the span is not known before the last hour. The second
 * read is of the days that are not used as a whole.
 */
export async function sumRated(readDays: ReadDays, allTerms: readonly Terms[], { from, to, volume }: RatedPeriod) {
  const period = { from, to };
  const hours: ObservedHour[] = [];
  const calls = allTerms.flatMap((terms) => callsOf(terms) ?? []);
  // Hours of another volume, or of a pipeline with cached prompts, are added one by one.
  const isByDay = (terms: Terms) => volume === null && callsOf(terms) === undefined;
  const days = allTerms.map((terms): DaysOnTerms | null => (isByDay(terms) ? new Map() : null));
  const usages = await sumOnTerms(readDays, allTerms, period, (hour, counts, onTerms) => {
    hours.push(observeHour(hour, counts, calls));
    for (const [index, usage] of onTerms.entries()) {
      const ofTerms = days[index];
      if (!ofTerms) continue;
      const start = startOfDay(firstHourOf(usage).getTime());
      const day = ofTerms.get(start) ?? { usage: emptyUsage(), hours: 0 };
      ofTerms.set(start, day);
      addUsage(day.usage, usage);
      day.hours += 1;
    }
  });
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
  const sums = allTerms.map((terms, index) => {
    const callLevels = callsOf(terms);
    return spans.map((each) => {
      const month = new MonthAtRate(terms, each, lastCallWithin(each, hours, callLevels));
      month.addDays(days[index] ?? new Map());
      return month;
    });
  });
  await sumAtRate(readDays, period, sums.flat());
  const months = sums.map(([month, ...others]) => ({
    usage: (month as MonthAtRate).finish(),
    /** That of each third of the hours; null where they do not tell it. */
    thirds: others.length > 0 ? others.map((third) => third.finish()) : null,
  }));
  return { usages, observed, months };
}

/**
 * The usage of UTC days on certain terms, and how many hours with entries it is of, by the starts
 * of the days in epoch milliseconds.
 */
type DaysOnTerms = Map<number, { usage: UsageTotals; hours: number }>;

const startOfDay = (epochMs: number) => Math.floor(epochMs / dayMs) * dayMs;

/** @param onHour gets the hours with entries of the period, and their usage on each of the terms. */
async function sumOnTerms(
  readDays: ReadDays,
  allTerms: readonly Terms[],
  period: Period,
  onHour: (hour: HourCounters, counts: HourCounts, onTerms: readonly UsagePart[]) => void,
): Promise<MonthlyUsage[]> {
  const { from } = epochPeriod(period);
  const observed = new MonthSums(period);
  const pipelines = allTerms.map(({ assumptions, ...terms }) =>
    hasPipeline(assumptions)
      ? { assumptions, derive: createUsageDerivation({ ...terms, assumptions }), sums: new MonthSums(period) }
      : undefined,
  );
  const needsEarlier = pipelines.some((pipeline) => pipeline && dependsOnEarlierHours(pipeline.assumptions));
  for await (const hours of countHours(readDays, period, needsEarlier, detailOfMonths(period))) {
    const { entries, isEarlier, start } = hours;
    // Counters and windows are found once for all pipelines.
    const derived = pipelines.map((pipeline) => {
      const usage = pipeline?.derive(hours);
      if (usage) pipeline?.sums.add(usage);
      return usage;
    });
    if (entries === undefined || isEarlier) continue;
    observed.add(entries);
    if (start >= from) {
      onHour(
        entries,
        hours.counts,
        derived.map((usage) => usage ?? entries),
      );
    }
  }
  const plain = observed.finish();
  return allTerms.map(({ counted, assumptions }, index) => {
    // Refuses terms that cannot be applied, also those of a pipeline.
    const months = plain.months.map((month) => convertUsage(month, counted, assumptions));
    return pipelines[index]?.sums.finish() ?? { period, months };
  });
}

/** Adds the hours of the period to each of the months. */
async function sumAtRate(readDays: ReadDays, period: Period, months: readonly MonthAtRate[]): Promise<void> {
  const { from: start, to: end } = epochPeriod(period);
  const isNeeded = (part: Span) =>
    part.end > start && part.start < end && months.some((month) => month.needsHours(part));
  for await (const parts of readDays((part) => (isNeeded(part) ? 'hours' : 'month'))) {
    for (const part of parts) {
      if (!('hour' in part)) continue;
      const time = part.hour.getTime();
      if (part.logs < 1 || time < start || time >= end) continue;
      const counts = countHour(part.levels ?? {}, time / 1_000);
      for (const month of months) {
        if (isSliceOver()) await nextSlice();
        month.add(part, counts);
      }
    }
  }
}

/** The levels of the entries whose calls keep a prompt cached; undefined if none is cached. */
function callsOf({ assumptions: { pipeline } }: Terms): LevelSet | undefined {
  return pipeline?.inference.cache_prompt ? modelLevelsOf(pipeline) : undefined;
}

/** In epoch seconds; −Infinity without a call. */
function lastCallWithin(span: RateSpan, hours: readonly ObservedHour[], calls: LevelSet | undefined): number {
  if (calls === undefined) return -Infinity;
  for (const hour of [...hours].reverse()) {
    if (hour.start > span.until || secondsWithin(span, hour.start) === null) continue;
    const last = hour.last.get(calls) ?? -Infinity;
    if (last > -Infinity) return last;
  }
  return -Infinity;
}

/** The usage of a month at the rate of a span, on certain terms. Its hours are added in order. */
class MonthAtRate {
  readonly #terms: Terms;
  readonly #span: RateSpan;
  readonly #derive: ReturnType<typeof createUsageDerivation> | undefined;
  readonly #usage = emptyUsage();
  /** The hours with entries, and the last one of them, in epoch seconds. */
  #hours = 0;
  #lastHour = -Infinity;
  /** The starts of the days that are added as a whole, in epoch milliseconds. */
  readonly #days = new Set<number>();

  /** @param lastCalling the last active second of inference of the span, in epoch seconds. */
  constructor(terms: Terms, span: RateSpan, lastCalling: number) {
    this.#terms = terms;
    this.#span = span;
    const { assumptions } = terms;
    if (!hasPipeline(assumptions)) return;
    // The span is followed by itself.
    const previous = lastCalling - Number(span.length.times) / Number(span.length.over);
    this.#derive = createUsageDerivation({ ...terms, assumptions, previous });
  }

  /** Adds whole days of the span, before its other hours. */
  addDays(days: DaysOnTerms): void {
    const { start, until } = this.#span;
    for (const [day, { usage, hours }] of days) {
      const [from, to] = [day / 1_000, (day + dayMs) / 1_000];
      // The span has all of the day, and hours with entries after it.
      if (from < start || to > until || secondsWithin(this.#span, to) === null) continue;
      this.#days.add(day);
      this.#hours += hours;
      addUsage(this.#usage, usage);
    }
  }

  /** Whether hours of a day or a month are to be added one by one. */
  needsHours({ start, end }: Span): boolean {
    for (let day = start; day < end; day += dayMs) {
      const isTouched = day + dayMs > this.#span.start * 1_000 && day <= this.#span.until * 1_000;
      if (isTouched && !this.#days.has(day)) return true;
    }
    return false;
  }

  add(hour: HourCounters, counts: HourCounts): void {
    const seconds = secondsWithin(this.#span, counts.start);
    if (seconds === null || counts.start > this.#span.until) return;
    if (this.#days.has(startOfDay(counts.start * 1_000))) return;
    this.#hours += 1;
    this.#lastHour = counts.start;
    const part = partOfHour(counts, seconds, this.#span.volume);
    addUsage(this.#usage, this.#derive?.({ start: 0, hours: 1, counts: part, entries: hour }) ?? hour);
  }

  finish(): UsageTotals {
    const { counted, assumptions } = this.#terms;
    const usage = this.#usage;
    if (usage.logs < 1) return emptyUsage();
    this.#addIdle();
    // The converted usage belongs to the hours that are touched: others count by their entries.
    const { length, volume, entries } = this.#span;
    const perMonth = { times: secondsPerMonth * length.over * entries, over: length.times * BigInt(usage.logs) };
    const ofVolume = volume ? { times: perMonth.times * volume.times, over: perMonth.over * volume.over } : perMonth;
    if (!hasPipeline(assumptions)) return scaleUsage(convertUsage(usage, counted, assumptions), ofVolume, ofVolume);
    const month = scaleUsage(usage, ofVolume, perMonth);
    const { prompt_tokens: prompt, cache_prompt: isCached, cache_ttl: ttl } = assumptions.pipeline.inference;
    const field = ttl === '1h' ? 'cacheWrite1hTokens' : 'cacheWriteTokens';
    if (!isCached) return month;
    // A model with calls writes its prompt at least once a month, beside what entries write.
    for (const row of Object.values(month.inference) as CallCounters[]) {
      const { calls = 0n, cacheReadTokens = 0n, entryWriteTokens, [field]: written = 0n } = row;
      const missing = BigInt(prompt) - (written - entryWriteTokens);
      if (missing > 0n && calls > 0n) {
        Object.assign(row, { [field]: written + missing, cacheReadTokens: cacheReadTokens - missing });
      }
    }
    return month;
  }

  #addIdle(): void {
    const { start } = this.#span;
    const lastHour = lastHourStart(this.#span);
    const touched = (lastHour - Math.floor(start / secondsPerHour) * secondsPerHour) / secondsPerHour + 1;
    const idle = touched - this.#hours;
    if (idle === 0) return;
    const add = (counts: HourCounts, hours: number) => {
      const polls = this.#derive?.({ start: 0, hours, counts });
      if (polls) addUsage(this.#usage, polls);
    };
    // The first hour has entries; the last one is idle if the span ends after them.
    const isLastIdle = this.#lastHour < lastHour;
    const whole = countHour({});
    add(whole, isLastIdle ? idle - 1 : idle);
    const seconds = isLastIdle ? secondsWithin(this.#span, lastHour) : null;
    if (seconds) add(partOfHour(whole, seconds, null), 1);
  }
}

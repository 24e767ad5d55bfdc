import { day as dayMs, hour as hourMs, second as secondMs } from '../durations.ts';
import { isSliceOver, nextSlice } from '../process/time-slices.ts';
import { type Assumptions, applyDefaults } from '../scenarios/assumptions.ts';
import {
  daySpan,
  epochPeriod,
  monthSpan,
  type Period,
  type Span,
  startOfMonth,
  usageNeededFor,
} from '../usage/periods.ts';
import { type ReadDays, readUsage, type UnprocessedEntries, type UsageDeps } from '../usage/read-usage.ts';
import { emptyUsage, firstHourOf, type HourCounters, lastHourOf, type UsagePart } from '../usage/stored-hour.ts';
import { scaleCounters } from './integers.ts';
import {
  createDerivation,
  type DerivationTerms,
  dependsOnEarlierHours,
  hasPipeline,
  hasPolls,
} from './pipeline/derive-hour.ts';
import { countHour, type HourCounts } from './pipeline/hour-counts.ts';
import type { PipelineWork } from './pipeline/pipeline-work.ts';
import type { PriceBook } from './price-book.ts';

interface UsageOf extends Period {
  assumptions: Assumptions | null | undefined;
  book: Pick<PriceBook, 'model'>;
}

/**
 * Reads the usage of a scenario that is needed to price a period, as `readUsage` does. With a
 * pipeline, it is `PipelineUsage`.
 */
export function readScenarioUsage<Result>(
  deps: UsageDeps,
  scenarioId: string,
  { assumptions: given, book, from, to }: UsageOf,
  consume: (readDays: ReadDays, unprocessed: UnprocessedEntries) => Promise<Result>,
): Promise<Result> {
  const assumptions = applyDefaults(given);
  const period = { from, to };
  if (!hasPipeline(assumptions)) return readUsage(deps, scenarioId, usageNeededFor(period), consume);
  const usageOf = (readDays: ReadDays): ReadDays =>
    async function* (detailOf) {
      const derive = createUsageDerivation({ assumptions, counted: assumptions, book });
      // The next read depends on the usage that has been consumed, so nothing is gathered.
      for await (const hours of countHours(readDays, period, dependsOnEarlierHours(assumptions), detailOf)) {
        const usage = derive(hours);
        if (usage) yield [usage];
      }
    };
  return readLevels(deps, scenarioId, (readDays, unprocessed) => consume(usageOf(readDays), unprocessed));
}

/**
 * Reads all usage of a scenario with its counts by level: whether an hour without entries has polls
 * depends on what is before and after it.
 */
export function readLevels<Result>(
  deps: UsageDeps,
  scenarioId: string,
  consume: (readDays: ReadDays, unprocessed: UnprocessedEntries) => Promise<Result>,
): Promise<Result> {
  return readUsage({ ...deps, withLevels: true }, scenarioId, {}, consume);
}

/** What a pipeline is derived from: an hour with entries, or hours without any. */
interface CountedHours {
  /** In epoch milliseconds. */
  readonly start: number;
  readonly hours: number;
  /** Those of each of the hours. */
  readonly counts: HourCounts;
  readonly entries?: HourCounters;
  /** Whether it is before the usage that is needed, and matters only for what is cached. */
  readonly isEarlier?: boolean;
}

/**
 * The hours of a scenario from the first to the last one with entries, as far as a period needs
 * them. The hour that is not over has fewer seconds.
 * @param needsEarlier whether the hours before them matter.
 * @param detailOf how long the parts without entries may be.
 */
export async function* countHours(
  readDays: ReadDays,
  period: Period,
  needsEarlier: boolean,
  detailOf: Parameters<ReadDays>[0],
): AsyncGenerator<CountedHours> {
  const { from: first, to: end } = epochPeriod(usageNeededFor(period));
  const now = Date.now();
  const idle = countHour({});
  const countsAt = (start: number, { levels = {} }: Pick<HourCounters, 'levels'> = {}) =>
    countHour(levels, start / secondMs, (now - start) / secondMs);
  /** The end of a month, of a day, or of an hour. Hours that are not over are never summed. */
  const endOfIdle = (start: number, to: number): number => {
    const hour = { start, end: start + hourMs };
    const last = Math.min(to, now);
    const month = monthSpan(startOfMonth(new Date(start)));
    if (start === month.start && month.end <= last && detailOf(month, hour) === 'month') return month.end;
    const day = daySpan(Math.floor(start / dayMs) * dayMs);
    return start === day.start && day.end <= last && detailOf(day, hour) !== 'hours' ? day.end : hour.end;
  };
  const isNeeded = (part: Span) => (needsEarlier || part.end > first) && part.start < end;
  /** The start of the hour after the last one with entries. */
  let next: number | undefined;
  for await (const parts of readDays((part) => (isNeeded(part) ? 'hours' : 'month'))) {
    for (const part of parts) {
      if (isSliceOver()) await nextSlice();
      const start = firstHourOf(part).getTime();
      for (let at = Math.max(next ?? start, first); at < Math.min(start, end); ) {
        const to = endOfIdle(at, Math.min(start, end));
        yield { start: at, hours: (to - at) / hourMs, counts: to <= now ? idle : countsAt(at) };
        at = to;
      }
      next = lastHourOf(part).getTime() + hourMs;
      if (start >= end || (start < first && !needsEarlier) || !('hour' in part)) continue;
      yield { start, hours: 1, counts: countsAt(start, part), entries: part, isEarlier: start < first };
    }
  }
}

/** A part of the usage, with the work of which it consists if it is that of a pipeline. */
export type PipelineUsage = UsagePart & { work?: PipelineWork };

/**
 * A function that derives the usage of a pipeline. It must be called for all hours in order of time.
 * It returns undefined for hours that have none, or are earlier than needed.
 */
export function createUsageDerivation(terms: DerivationTerms): (hours: CountedHours) => PipelineUsage | undefined {
  const derive = createDerivation(terms);
  return ({ start, hours, counts, entries, isEarlier }) => {
    if (!entries && !hasPolls(terms.assumptions)) return undefined;
    const derived = derive(counts);
    if (isEarlier) return undefined;
    if (entries) {
      // Named one by one: to copy all of a document takes longer than to derive a pipeline.
      const { hour, logs, sizeBytes, piiLogs = 0, pii = {}, untimed = 0, usageUnread = 0, unpriced = {} } = entries;
      return { hour, logs, sizeBytes, piiLogs, pii, untimed, usageUnread, unpriced, ...derived };
    }
    const { queues, emptyReceives, work } = derived;
    return {
      ...emptyUsage(),
      first: new Date(start),
      last: new Date(start + (hours - 1) * hourMs),
      ...scaleCounters({ queues, emptyReceives, work }, { times: BigInt(hours), over: 1n }),
    };
  };
}

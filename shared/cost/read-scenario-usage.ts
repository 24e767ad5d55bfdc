import { isSliceOver, nextSlice } from '../process/time-slices.ts';
import { type Assumptions, applyDefaults } from '../scenarios/assumptions.ts';
import { epochPeriod, type Period, usageNeededFor } from '../usage/periods.ts';
import { readUsageByDay, type UnprocessedEntries, type UsageDeps } from '../usage/read-usage.ts';
import type { ReadDays, Span } from '../usage/usage.ts';
import {
  createDerivation,
  dependsOnEarlierHours,
  hasPipeline,
  type PipelineAssumptions,
} from './pipeline/derive-hour.ts';
import { hasPolls, ScenarioHours } from './pipeline/pipeline-months.ts';
import { usageOfIdleHours, usageOfPipeline } from './pipeline/pipeline-sums.ts';
import type { PriceBook } from './price-book.ts';
import { limitsOf } from './terms.ts';

interface UsageOf extends Period {
  assumptions: Assumptions | null | undefined;
  book: Pick<PriceBook, 'model'>;
}

/**
 * Reads the usage of a scenario that is needed to price a period, as `readUsageByDay` does. With a
 * pipeline, it is that of the pipeline.
 */
export function readScenarioUsage<Result>(
  deps: UsageDeps,
  scenarioId: string,
  { assumptions, book, ...period }: UsageOf,
  consume: (readDays: ReadDays, unprocessed: UnprocessedEntries) => Promise<Result>,
): Promise<Result> {
  const complete = applyDefaults(assumptions);
  if (!hasPipeline(complete)) return readUsageByDay(deps, scenarioId, usageNeededFor(period), consume);
  return readLevels(deps, scenarioId, (readDays, unprocessed) =>
    consume(usageOfPipelineDays(readDays, { assumptions: complete, book }, spanOf(period)), unprocessed),
  );
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
  return readUsageByDay({ ...deps, withLevels: true }, scenarioId, {}, consume);
}

/** The span of the usage that is needed to price a period. */
export function spanOf(period: Period): Span {
  const { from: start, to: end } = epochPeriod(usageNeededFor(period));
  return { start, end };
}

/**
 * Pipelines are derived from the hours of a span. Sums are enough for the rest.
 * @param needsEarlier whether the hours before the span are read, too.
 */
export const hoursWithin = (span: Span, needsEarlier: boolean) => (part: Span) =>
  (needsEarlier || part.end > span.start) && part.start < span.end ? 'hours' : 'month';

function usageOfPipelineDays(
  readDays: ReadDays,
  { assumptions, book }: { assumptions: PipelineAssumptions; book: Pick<PriceBook, 'model'> },
  span: Span,
): ReadDays {
  return async function* (detailOf) {
    const hours = new ScenarioHours(span, Date.now());
    const derive = createDerivation(assumptions, limitsOf(book));
    const needsEarlier = dependsOnEarlierHours(assumptions);
    for await (const parts of readDays(hoursWithin(span, needsEarlier))) {
      for (const part of parts) {
        if (isSliceOver()) await nextSlice();
        // The next read depends on the usage that has been consumed, so nothing is gathered.
        for (const idle of hours.idleBefore(part, detailOf)) {
          if (hasPolls(assumptions)) yield [usageOfIdleHours(idle, derive(idle.counts), assumptions)];
        }
        const counts = hours.counts(part);
        if (!counts && needsEarlier && part.hour.getTime() < span.start) derive(hours.countsOf(part));
        if (counts) yield [{ hour: part.hour, ...usageOfPipeline(part, derive(counts), assumptions) }];
      }
    }
  };
}

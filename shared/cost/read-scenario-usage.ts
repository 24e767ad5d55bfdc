import { isSliceOver, nextSlice } from '../process/time-slices.ts';
import { type Assumptions, applyDefaults } from '../scenarios/assumptions.ts';
import { epochPeriod, type Period, usageNeededFor } from '../usage/periods.ts';
import { readUsageByDay, type UnprocessedEntries, type UsageDeps } from '../usage/read-usage.ts';
import type { ReadDays, Span } from '../usage/usage.ts';
import { dependsOnEarlierHours, hasPipeline, type PipelineAssumptions } from './pipeline/derive-hour.ts';
import { createUsageDerivation, ScenarioHours } from './pipeline/scenario-hours.ts';
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

function usageOfPipelineDays(
  readDays: ReadDays,
  { assumptions, book }: { assumptions: PipelineAssumptions; book: Pick<PriceBook, 'model'> },
  span: Span,
): ReadDays {
  return async function* (detailOf) {
    const hours = new ScenarioHours(span, dependsOnEarlierHours(assumptions));
    const derive = createUsageDerivation(assumptions, limitsOf(book));
    for await (const parts of readDays((part) => hours.detailOf(part))) {
      for (const part of parts) {
        if (isSliceOver()) await nextSlice();
        // The next read depends on the usage that has been consumed, so nothing is gathered.
        for (const counted of hours.until(part, detailOf)) {
          const derived = derive(counted);
          if (derived) yield [derived.usage];
        }
      }
    }
  };
}

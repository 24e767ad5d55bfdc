import { isSliceOver, nextSlice } from '../process/time-slices.ts';
import type { Assumptions } from '../scenarios/assumptions.ts';
import { type Period, usageNeededFor } from '../usage/periods.ts';
import { readUsageByDay, type UsageDeps } from '../usage/read-usage.ts';
import { withAssumedOutput } from './assumed-output.ts';
import { detailOfMonths, type MonthlyUsage, MonthSums, sumMonths } from './monthly-usage.ts';
import { hasPipeline } from './pipeline/derive-hour.ts';
import { PipelineMonths } from './pipeline/pipeline-months.ts';
import { ScenarioHours } from './pipeline/scenario-hours.ts';
import type { Ratio } from './projection.ts';
import { hoursWithin, readLevels, spanOf } from './read-scenario-usage.ts';
import type { ChangedTerms } from './what-if.ts';

/** The terms of a reading. */
interface ReadTerms extends ChangedTerms {
  /** Derives the usage of a pipeline at another volume: as a multiple of the observed one. */
  volume?: Ratio;
}

interface CountedScenario {
  _id: string;
  /** The assumptions that its entries were counted on. */
  assumptions: Assumptions | null | undefined;
}

/**
 * The usage of a scenario by month, once on each of the terms, from one read.
 * @throws AppError INVALID_STATE if terms cannot be applied to the usage.
 */
export async function readMonthsOn<const All extends readonly ReadTerms[]>(
  deps: UsageDeps,
  scenario: CountedScenario,
  allTerms: All,
  { from, to }: Period = {},
): Promise<{ [Index in keyof All]: MonthlyUsage }> {
  const read = allTerms.some(({ assumptions }) => hasPipeline(assumptions)) ? readOnPipelines : readSimple;
  // One for each of the terms, in their order.
  return (await read(deps, scenario, allTerms, { from, to })) as { [Index in keyof All]: MonthlyUsage };
}

function readSimple(
  deps: UsageDeps,
  { _id: id }: CountedScenario,
  allTerms: readonly ReadTerms[],
  period: Period,
): Promise<MonthlyUsage[]> {
  return readUsageByDay(deps, id, usageNeededFor(period), async (readDays) => {
    const usage = await sumMonths(readDays, period);
    return allTerms.map((terms) => convertMonths(usage, terms));
  });
}

function readOnPipelines(
  deps: UsageDeps,
  { _id: id }: CountedScenario,
  allTerms: readonly ReadTerms[],
  period: Period,
): Promise<MonthlyUsage[]> {
  return readLevels(deps, id, async (readDays) => {
    const span = spanOf(period);
    const detailOf = detailOfMonths(period);
    const hours = new ScenarioHours(span, Date.now());
    const sums = new MonthSums(period);
    const pipelines = new Map<ReadTerms, PipelineMonths>();
    for (const terms of allTerms) {
      const { assumptions: complete } = terms;
      if (hasPipeline(complete)) pipelines.set(terms, new PipelineMonths({ ...terms, assumptions: complete }, period));
    }
    for await (const parts of readDays(hoursWithin(span))) {
      for (const part of parts) {
        if (isSliceOver()) await nextSlice();
        for (const { requireConvertible } of pipelines.keys()) requireConvertible(part);
        for (const idle of hours.idleBefore(part, detailOf)) {
          for (const pipeline of pipelines.values()) pipeline.addIdle(idle);
        }
        // Counters and windows are found once for all pipelines.
        const counts = hours.counts(part);
        if (counts === undefined) continue;
        sums.add(part);
        const start = part.hour.getTime();
        for (const pipeline of pipelines.values()) pipeline.add(start, counts);
      }
    }
    const observed = sums.finish();
    return allTerms.map((terms) => pipelines.get(terms)?.finish(observed) ?? convertMonths(observed, terms));
  });
}

function convertMonths(usage: MonthlyUsage, { assumptions, convert }: ReadTerms): MonthlyUsage {
  return { ...usage, months: usage.months.map((month) => withAssumedOutput(convert(month), assumptions)) };
}

import { isSliceOver, nextSlice } from '../process/time-slices.ts';
import { type Assumptions, applyDefaults } from '../scenarios/assumptions.ts';
import { epochPeriod, type Period, startOfMonth, usageNeededFor } from '../usage/periods.ts';
import { readUsageByDay, type UsageDeps } from '../usage/read-usage.ts';
import type { HourUsage, Span, UsageSum } from '../usage/usage.ts';
import { withAssumedOutput } from './assumed-output.ts';
import { detailOfMonths, type MonthlyUsage, MonthSums, sumMonths } from './monthly-usage.ts';
import { countHour } from './pipeline/count-hour.ts';
import { hasPipeline, type PipelineAssumptions } from './pipeline/derive-hour.ts';
import type { HourCounts } from './pipeline/hour-counts.ts';
import { PipelineFlow } from './pipeline/pipeline-flow.ts';
import { PipelineHours, type PipelineTerms } from './pipeline/pipeline-hours.ts';
import { PipelineParts } from './pipeline/pipeline-parts.ts';
import { ScaledHour } from './pipeline/scaled-hour.ts';
import type { Ratio } from './projection.ts';
import { hoursWithin, readLevels, spanOf } from './read-scenario-usage.ts';
import type { ChangedTerms } from './what-if.ts';

/** The terms of a reading. */
export interface ReadTerms extends ChangedTerms, Pick<PipelineTerms, 'onDerived'> {
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

/** The usage of a scenario by month, and the parts of the usage of its pipeline in the period. */
export async function readWithParts(
  deps: UsageDeps,
  scenario: CountedScenario,
  terms: ChangedTerms,
  period: Period,
): Promise<{ usage: MonthlyUsage; parts: ReadonlyMap<number, PipelineParts> }> {
  const parts = new Map<number, PipelineParts>();
  const onDerived = derivedIn(
    period,
    () => parts.clear(),
    (start, derived, hours) => {
      const month = startOfMonth(new Date(start));
      const sums = parts.get(month) ?? new PipelineParts();
      parts.set(month, sums);
      sums.add(derived, hours);
    },
  );
  const [usage] = await readMonthsOn(deps, scenario, [{ ...terms, onDerived }], period);
  return { usage, parts };
}

/** The usage of a scenario by month on each of the terms, and the flow of their pipelines. */
export async function readWithFlows(
  deps: UsageDeps,
  scenario: CountedScenario,
  allTerms: readonly ChangedTerms[],
  period: Period,
): Promise<{ usage: MonthlyUsage; flow: PipelineFlow }[]> {
  const flows = allTerms.map(() => new PipelineFlow());
  const observed = allTerms.map((terms, index) => ({
    ...terms,
    onDerived: derivedIn(
      period,
      () => (flows[index] = new PipelineFlow()),
      (_, derived) => flows[index]?.add(derived),
    ),
  }));
  const usages = await readMonthsOn(deps, scenario, observed, period);
  return usages.map((usage, index) => ({ usage, flow: flows[index] as PipelineFlow }));
}

type OnDerived = NonNullable<ReadTerms['onDerived']>;

/**
 * Reports the hours that are derived in a period.
 * @param restart called when a read that was overtaken begins again.
 */
function derivedIn(period: Period, restart: () => void, add: OnDerived): OnDerived {
  const { from } = epochPeriod(period);
  let latest = -Infinity;
  return (start, derived, hours) => {
    if (start <= latest) restart();
    latest = start;
    if (start >= from) add(start, derived, hours);
  };
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
  { _id: id, assumptions }: CountedScenario,
  allTerms: readonly ReadTerms[],
  period: Period,
): Promise<MonthlyUsage[]> {
  const own = applyDefaults(assumptions);
  return readLevels(deps, id, async (readDays) => {
    const span = spanOf(period);
    const now = Date.now();
    const sides = allTerms.map((terms) =>
      hasPipeline(terms.assumptions)
        ? new PipelineSide(terms, terms.assumptions, { period, span, now })
        : new SimpleSide(terms, { period, span }),
    );
    for await (const parts of readDays(hoursWithin(span))) {
      for (const part of parts) {
        // Windows are found once for all sides.
        let counted: HourCounts | undefined;
        const counts = () => {
          counted ??= countHour(part, own, now);
          return counted;
        };
        for (const side of sides) {
          if (isSliceOver()) await nextSlice();
          side.add(part, counts);
        }
      }
    }
    return sides.map((side) => side.finish());
  });
}

/** Usage with one message, invocation and call per entry. */
class SimpleSide {
  readonly #terms: ReadTerms;
  readonly #span: Span;
  readonly #sums: MonthSums;

  constructor(terms: ReadTerms, { period, span }: { period: Period; span: Span }) {
    this.#terms = terms;
    this.#span = span;
    this.#sums = new MonthSums(period);
  }

  add(part: HourUsage | UsageSum): void {
    if (part.hour.getTime() >= this.#span.start) this.#sums.add(part);
  }

  finish(): MonthlyUsage {
    return convertMonths(this.#sums.finish(), this.#terms);
  }
}

/** Usage of a pipeline. */
class PipelineSide {
  readonly #terms: ReadTerms;
  readonly #hours: PipelineHours;
  readonly #sums: MonthSums;
  readonly #detailOf: ReturnType<typeof detailOfMonths>;

  constructor(
    terms: ReadTerms,
    assumptions: PipelineAssumptions,
    { period, span, now }: { period: Period; span: Span; now: number },
  ) {
    this.#terms = terms;
    this.#hours = new PipelineHours({ ...terms, assumptions }, span, now);
    this.#sums = new MonthSums(period);
    this.#detailOf = detailOfMonths(period);
  }

  add(part: HourUsage | UsageSum, counts: () => HourCounts): void {
    this.#terms.requireConvertible(part);
    const { volume } = this.#terms;
    const atVolume = volume === undefined ? counts : () => new ScaledHour(counts(), volume);
    for (const usage of this.#hours.add(part, atVolume, this.#detailOf)) this.#sums.add(usage);
  }

  finish(): MonthlyUsage {
    return this.#sums.finish();
  }
}

function convertMonths(usage: MonthlyUsage, { assumptions, convert }: ReadTerms): MonthlyUsage {
  return { ...usage, months: usage.months.map((month) => withAssumedOutput(convert(month), assumptions)) };
}

import type { Period } from '../../usage/periods.ts';
import { emptyUsage, sortLists } from '../../usage/usage.ts';
import { type MonthlyUsage, Months } from '../monthly-usage.ts';
import type { Ratio } from '../projection.ts';
import { createDerivation, type DerivedHour, type PipelineAssumptions } from './derive-hour.ts';
import { usageOfPipeline } from './derived-usage.ts';
import type { HourCounts } from './hour-counts.ts';
import { PipelineSums } from './pipeline-sums.ts';
import { ScaledHour } from './scaled-hour.ts';
import type { IdleHours } from './scenario-hours.ts';

interface PipelineTerms {
  assumptions: PipelineAssumptions;
  /** Converts billed time of entries to these assumptions, if it was counted on others. */
  convertMbMs?: Parameters<typeof createDerivation>[1];
  /** Derives the usage at another volume: as a multiple of the observed one. */
  volume?: Ratio | undefined;
}

/** Sums the work of a pipeline by month. Hours are added in order of time. */
export class PipelineMonths {
  readonly #assumptions: PipelineAssumptions;
  readonly #derive: (hour: HourCounts) => DerivedHour;
  readonly #months: Months<{ start: number; pipeline: PipelineSums }>;

  constructor({ assumptions, convertMbMs, volume }: PipelineTerms, period: Period) {
    const derive = createDerivation(assumptions, convertMbMs);
    this.#assumptions = assumptions;
    this.#derive = volume === undefined ? derive : (hour) => derive(new ScaledHour(hour, volume));
    this.#months = new Months(period, (start) => ({ start, pipeline: new PipelineSums() }));
  }

  /** Adds an hour with entries. */
  add(start: number, counts: HourCounts): void {
    this.#months.at(start)?.pipeline.add(this.#derive(counts));
  }

  addIdle({ start, hours, counts }: IdleHours): void {
    if (hasPolls(this.#assumptions)) this.#months.at(start)?.pipeline.addIdle(this.#derive(counts), hours);
  }

  /** @param observed the usage of the same hours without a pipeline. */
  finish({ period, firstHour, lastHour, months: observed }: MonthlyUsage): MonthlyUsage {
    const months = this.#months.list.map(({ start, pipeline }) => {
      const entries = observed.find(({ hour }) => this.#months.isSame(hour.getTime(), start)) ?? emptyUsage();
      const usage = usageOfPipeline(entries, pipeline, this.#assumptions);
      sortLists(usage);
      return { hour: new Date(start), ...usage, pipeline };
    });
    return { period, months, firstHour, lastHour };
  }
}

/** Whether hours without entries have usage. */
export const hasPolls = ({ pipeline }: PipelineAssumptions) => pipeline.queue.pollers > 0;

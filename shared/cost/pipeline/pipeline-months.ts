import type { Period } from '../../usage/periods.ts';
import { emptyUsage, sortLists } from '../../usage/usage.ts';
import { type MonthlyUsage, Months } from '../monthly-usage.ts';
import { createDerivation, type DerivationOptions, type DerivedHour, type PipelineAssumptions } from './derive-hour.ts';
import { usageOfPipeline } from './derived-usage.ts';
import type { HourCounts } from './hour-counts.ts';
import { PipelineSums } from './pipeline-sums.ts';
import type { IdleHours } from './scenario-hours.ts';

export interface PipelineTerms extends DerivationOptions {
  assumptions: PipelineAssumptions;
}

/** Sums the work of a pipeline by month. Hours are added in order of time. */
export class PipelineMonths {
  readonly #assumptions: PipelineAssumptions;
  readonly #derive: (hour: HourCounts) => DerivedHour;
  readonly #months: Months<{ start: number; pipeline: PipelineSums }>;

  constructor({ assumptions, ...options }: PipelineTerms, period: Period) {
    this.#assumptions = assumptions;
    this.#derive = createDerivation(assumptions, options);
    this.#months = new Months(period, (start) => ({ start, pipeline: new PipelineSums() }));
  }

  /** Adds an hour with entries. */
  add(start: number, counts: HourCounts): void {
    this.#months.at(start)?.pipeline.add(this.#derive(counts));
  }

  /** Adds an hour before the period, for what the period depends on. */
  addEarlier(counts: HourCounts): void {
    this.#derive(counts);
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

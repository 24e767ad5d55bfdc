import type { Period } from '../../usage/periods.ts';
import {
  addEntries,
  emptyUsage,
  type HourUsage,
  type Span,
  sortLists,
  type UsageCounters,
  type UsageSum,
} from '../../usage/usage.ts';
import { detailOfMonths, type MonthlyUsage, Months } from '../monthly-usage.ts';
import type { Ratio } from '../projection.ts';
import { usageOfPipeline } from './derived-usage.ts';
import type { HourCounts } from './hour-counts.ts';
import { PipelineHours, type PipelineTerms } from './pipeline-hours.ts';
import { PipelineSums } from './pipeline-sums.ts';
import { ScaledHour } from './scaled-hour.ts';

interface MonthsTerms extends PipelineTerms {
  /** Derives the usage at another volume: as a multiple of the observed one. */
  volume?: Ratio | undefined;
  /** @throws AppError INVALID_STATE if the billed time of entries cannot be converted. */
  requireConvertible: (usage: UsageCounters) => void;
}

interface PipelineMonth {
  /** Its first hour. */
  hour: Date;
  /** Usage without that of services. */
  entries: UsageCounters;
  pipeline: PipelineSums;
}

/** Sums the usage of a pipeline by month. Hours with entries are added in order of time. */
export class PipelineMonths {
  readonly #terms: MonthsTerms;
  readonly #period: Period;
  readonly #hours: PipelineHours;
  readonly #detailOf: ReturnType<typeof detailOfMonths>;
  readonly #months: Months<PipelineMonth>;

  constructor(terms: MonthsTerms, { period, span, now }: { period: Period; span: Span; now: number }) {
    this.#terms = terms;
    this.#period = period;
    this.#hours = new PipelineHours(terms, span, now);
    this.#detailOf = detailOfMonths(period);
    this.#months = new Months(period, (start) => ({
      hour: new Date(start),
      entries: emptyUsage(),
      pipeline: new PipelineSums(),
    }));
  }

  add(part: HourUsage | UsageSum, counts: () => HourCounts): void {
    this.#terms.requireConvertible(part);
    for (const idle of this.#hours.idleBefore(part, this.#detailOf)) {
      this.#months.at(idle.start)?.pipeline.addIdle(idle.derived, idle.hours);
    }
    const { volume } = this.#terms;
    const atVolume = volume === undefined ? counts : () => new ScaledHour(counts(), volume);
    const derived = this.#hours.derive(part, atVolume);
    if (derived === undefined) return;
    const month = this.#months.atEntries(part);
    if (month === undefined) return;
    addEntries(month.entries, part);
    month.pipeline.add(derived);
  }

  finish(): MonthlyUsage {
    const { months, ...hours } = this.#months.finish();
    const { assumptions } = this.#terms;
    return {
      period: this.#period,
      months: months.map(({ hour, entries, pipeline }) => {
        const usage = { hour, ...usageOfPipeline(entries, pipeline, assumptions), pipeline };
        sortLists(usage);
        return usage;
      }),
      ...hours,
    };
  }
}

import { day as dayMs, hour as hourMs, second as secondMs } from '../../durations.ts';
import { daySpan, monthSpan, type Period, startOfMonth } from '../../usage/periods.ts';
import {
  type Detail,
  emptyUsage,
  type HourUsage,
  lastHourOf,
  type Span,
  sortLists,
  type UsageSum,
} from '../../usage/usage.ts';
import { type MonthlyUsage, Months } from '../monthly-usage.ts';
import { createDerivation, type DerivationOptions, type DerivedHour, type PipelineAssumptions } from './derive-hour.ts';
import { CountedHour, type HourCounts, type IdleHours } from './hour-counts.ts';
import { PipelineSums, usageOfPipeline } from './pipeline-sums.ts';

/** How long the parts without entries may be: see `ReadDays`. */
type DetailOf = (span: Span, first: Span) => Detail;

/**
 * The counters of all hours of a scenario from the first to the last one with entries, within a
 * span: what its pipelines are derived from. For each hour with entries, in order of time,
 * `idleBefore` must be called, then `counts`.
 */
export class ScenarioHours {
  readonly #span: Span;
  readonly #now: number;
  readonly #idle = new CountedHour([]);
  /** The start of the hour after the last one with entries. */
  #next: number | undefined;

  /**
   * @param now in epoch milliseconds: the hour that is not over has fewer seconds.
   */
  constructor(span: Span, now: number) {
    this.#span = span;
    this.#now = now;
  }

  /**
   * The hours without entries before this part, one by one or together. A sum can take the place
   * of hours outside the span.
   */
  idleBefore(part: HourUsage | UsageSum, detailOf: DetailOf): Iterable<IdleHours> {
    const start = part.hour.getTime();
    const from = Math.max(this.#next ?? start, this.#span.start);
    this.#next = lastHourOf(part).getTime() + hourMs;
    return from < start ? this.#idleHours(from, Math.min(start, this.#span.end), detailOf) : [];
  }

  /** Undefined outside the span. */
  counts(hour: HourUsage): HourCounts | undefined {
    const start = hour.hour.getTime();
    return start < this.#span.start || start >= this.#span.end ? undefined : this.countsOf(hour);
  }

  countsOf(hour: HourUsage): HourCounts {
    const start = hour.hour.getTime();
    return new CountedHour(hour.levels ?? [], start / secondMs, (this.#now - start) / secondMs);
  }

  *#idleHours(from: number, to: number, detailOf: DetailOf): Generator<IdleHours> {
    for (let start = from; start < to; ) {
      const end = this.#endOfPart(start, to, detailOf);
      const counts =
        end <= this.#now ? this.#idle : new CountedHour([], start / secondMs, (this.#now - start) / secondMs);
      yield { start, hours: (end - start) / hourMs, counts };
      start = end;
    }
  }

  /** The end of a month, of a day, or of an hour. Hours that are not over are never summed. */
  #endOfPart(start: number, to: number, detailOf: DetailOf): number {
    const hour = { start, end: start + hourMs };
    const last = Math.min(to, this.#now);
    const month = monthSpan(startOfMonth(new Date(start)));
    if (start === month.start && month.end <= last && detailOf(month, hour) === 'month') return month.end;
    const day = daySpan(Math.floor(start / dayMs) * dayMs);
    return start === day.start && day.end <= last && detailOf(day, hour) !== 'hours' ? day.end : hour.end;
  }
}

interface PipelineTerms extends DerivationOptions {
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

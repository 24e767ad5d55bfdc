import { day as dayMs, hour as hourMs, second as secondMs } from '../../durations.ts';
import { daySpan, monthSpan, startOfMonth } from '../../usage/periods.ts';
import { type Detail, type HourUsage, lastHourOf, type Span, type UsageSum } from '../../usage/usage.ts';
import { createDerivation, type DerivedHour, type PipelineAssumptions } from './derive-hour.ts';
import { usageOfIdleHours, usageOfPipeline } from './derived-usage.ts';
import { CountedHour, type HourCounts } from './hour-counts.ts';

/** How long the parts without entries may be: see `ReadDays`. */
export type DetailOf = (span: Span, first: Span) => Detail;

export interface PipelineTerms {
  assumptions: PipelineAssumptions;
  /** Converts billed time of entries to these assumptions, if it was counted on others. */
  convertMbMs?: HourConversion;
  /** Called for each hour that is derived: `start` in epoch milliseconds, of so many hours. */
  onDerived?: (start: number, derived: DerivedHour, hours: number) => void;
}

type HourConversion = Parameters<typeof createDerivation>[1];

/** An hour without entries of which so many seconds have passed. */
const idleHour = (seconds?: number): HourCounts => new CountedHour([], seconds);

/**
 * The usage of a pipeline in all hours from the first to the last one with entries, within a span.
 * Hours without entries have polls.
 */
export class PipelineHours {
  readonly #span: Span;
  readonly #now: number;
  readonly #assumptions: PipelineAssumptions;
  readonly #derive: (hour: HourCounts) => DerivedHour;
  readonly #onDerived: NonNullable<PipelineTerms['onDerived']>;
  readonly #idle: DerivedHour;
  /** The start of the hour after the last one with entries. */
  #next: number | undefined;

  /** @param now in epoch milliseconds: the hour that is not over has fewer seconds. */
  constructor({ assumptions, convertMbMs, onDerived = () => {} }: PipelineTerms, span: Span, now: number) {
    this.#span = span;
    this.#now = now;
    this.#assumptions = assumptions;
    this.#derive = createDerivation(assumptions, convertMbMs);
    this.#onDerived = onDerived;
    this.#idle = this.#derive(idleHour());
  }

  /**
   * Must be called for the hours with entries in order of time. A sum can take the place of hours
   * outside the span.
   * @param counts returns the counters of the hour; called within the span only.
   * @returns the hours without entries before it, one by one or summed, and its own usage.
   */
  *add(part: HourUsage | UsageSum, counts: () => HourCounts, detailOf: DetailOf): Generator<HourUsage | UsageSum> {
    if (part.logs === 0n) return;
    const start = part.hour.getTime();
    const { start: from, end: to } = this.#span;
    yield* this.#idleParts(Math.max(this.#next ?? start, from), Math.min(start, to), detailOf);
    this.#next = lastHourOf(part).getTime() + hourMs;
    if (start < from || start >= to) return;
    const derived = this.#derive(counts());
    this.#onDerived(start, derived, 1);
    yield usageOfPipeline(part, derived, this.#assumptions);
  }

  *#idleParts(from: number, to: number, detailOf: DetailOf): Generator<HourUsage | UsageSum> {
    if (this.#idle.queue.emptyReceives === 0n) return;
    for (let start = from; start < to; ) {
      const end = this.#endOfPart(start, to, detailOf);
      const hours = (end - start) / hourMs;
      const derived = end <= this.#now ? this.#idle : this.#derive(idleHour((this.#now - start) / secondMs));
      this.#onDerived(start, derived, hours);
      const usage = usageOfIdleHours(new Date(start), hours, derived, this.#assumptions);
      yield hours === 1 ? usage : { ...usage, last: new Date(end - hourMs) };
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

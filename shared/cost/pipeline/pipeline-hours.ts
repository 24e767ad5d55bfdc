import { day as dayMs, hour as hourMs, second as secondMs } from '../../durations.ts';
import { daySpan, monthSpan, startOfMonth } from '../../usage/periods.ts';
import { type Detail, type HourUsage, lastHourOf, type Span, type UsageSum } from '../../usage/usage.ts';
import { createDerivation, type DerivedHour, type PipelineAssumptions } from './derive-hour.ts';
import { CountedHour, type HourCounts } from './hour-counts.ts';

/** How long the parts without entries may be: see `ReadDays`. */
export type DetailOf = (span: Span, first: Span) => Detail;

export interface PipelineTerms {
  assumptions: PipelineAssumptions;
  /** Converts billed time of entries to these assumptions, if it was counted on others. */
  convertMbMs?: Parameters<typeof createDerivation>[1];
}

/** Hours without entries. */
export interface IdleHours {
  /** In epoch milliseconds. */
  start: number;
  hours: number;
  /** One of them. */
  derived: DerivedHour;
}

/** An hour without entries of which so many seconds have passed. */
const idleHour = (seconds?: number): HourCounts => new CountedHour([], seconds);

/**
 * The work of a pipeline in all hours from the first to the last one with entries, within a span.
 * Hours without entries have polls. For each hour with entries, in order of time, `idleBefore` must
 * be called, then `derive`.
 */
export class PipelineHours {
  readonly #span: Span;
  readonly #now: number;
  readonly #derive: (hour: HourCounts) => DerivedHour;
  readonly #idle: DerivedHour;
  /** The start of the hour after the last one with entries. */
  #next: number | undefined;

  /** @param now in epoch milliseconds: the hour that is not over has fewer seconds. */
  constructor({ assumptions, convertMbMs }: PipelineTerms, span: Span, now: number) {
    this.#span = span;
    this.#now = now;
    this.#derive = createDerivation(assumptions, convertMbMs);
    this.#idle = this.#derive(idleHour());
  }

  /**
   * The hours without entries before this part, one by one or summed. A sum can take the place of
   * hours outside the span.
   */
  idleBefore(part: HourUsage | UsageSum, detailOf: DetailOf): Iterable<IdleHours> {
    const start = part.hour.getTime();
    const from = Math.max(this.#next ?? start, this.#span.start);
    this.#next = lastHourOf(part).getTime() + hourMs;
    return from < start && this.#idle.queue.emptyReceives !== 0
      ? this.#idleHours(from, Math.min(start, this.#span.end), detailOf)
      : [];
  }

  /**
   * @param counts returns the counters of the hour.
   * @returns undefined outside the span.
   */
  derive(part: HourUsage | UsageSum, counts: () => HourCounts): DerivedHour | undefined {
    const start = part.hour.getTime();
    return start < this.#span.start || start >= this.#span.end ? undefined : this.#derive(counts());
  }

  *#idleHours(from: number, to: number, detailOf: DetailOf): Generator<IdleHours> {
    for (let start = from; start < to; ) {
      const end = this.#endOfPart(start, to, detailOf);
      const derived = end <= this.#now ? this.#idle : this.#derive(idleHour((this.#now - start) / secondMs));
      yield { start, hours: (end - start) / hourMs, derived };
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

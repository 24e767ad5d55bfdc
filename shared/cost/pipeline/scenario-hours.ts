import { day as dayMs, hour as hourMs, second as secondMs } from '../../durations.ts';
import { daySpan, monthSpan, startOfMonth } from '../../usage/periods.ts';
import { type Detail, type HourUsage, lastHourOf, type Span, type UsageSum } from '../../usage/usage.ts';
import { CountedHour, type HourCounts } from './hour-counts.ts';

/** How long the parts without entries may be: see `ReadDays`. */
export type DetailOf = (span: Span, first: Span) => Detail;

/** Hours without entries. */
export interface IdleHours {
  /** In epoch milliseconds. */
  start: number;
  hours: number;
  /** Those of each of the hours. */
  counts: HourCounts;
}

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

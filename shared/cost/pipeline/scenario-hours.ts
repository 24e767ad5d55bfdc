import { day as dayMs, hour as hourMs, second as secondMs } from '../../durations.ts';
import { daySpan, monthSpan, startOfMonth } from '../../usage/periods.ts';
import { type Detail, emptyUsage, type HourUsage, lastHourOf, type Span, type UsageSum } from '../../usage/usage.ts';
import { createDerivation, type DerivationOptions, type DerivedHour, type PipelineAssumptions } from './derive-hour.ts';
import { CountedHour, type HourCounts } from './hour-counts.ts';
import { usageOfPipeline } from './pipeline-sums.ts';

/** How long the parts without entries may be: see `ReadDays`. */
type DetailOf = (span: Span, first: Span) => Detail;

/** What a pipeline is derived from: an hour with entries, or hours without any. */
interface CountedHours {
  /** In epoch milliseconds. */
  readonly start: number;
  readonly hours: number;
  /** Those of each of the hours. */
  readonly counts: HourCounts;
  readonly entries?: HourUsage;
  /** Whether it is before the span, and matters only for what is cached. */
  readonly isEarlier?: boolean;
}

/** Hours of a scenario from the first to the last one with entries, within a span. */
export class ScenarioHours {
  readonly #span: Span;
  readonly #now = Date.now();
  readonly #needsEarlier: boolean;
  readonly #idle = new CountedHour([]);
  /** The start of the hour after the last one with entries. */
  #next: number | undefined;

  /** @param needsEarlier whether the hours before the span matter. */
  constructor(span: Span, needsEarlier: boolean) {
    this.#span = span;
    this.#needsEarlier = needsEarlier;
  }

  /** The parts to read: hours within the span, while sums are enough for the rest. */
  detailOf(part: Span): Detail {
    const isWithin = (this.#needsEarlier || part.end > this.#span.start) && part.start < this.#span.end;
    return isWithin ? 'hours' : 'month';
  }

  /**
   * The hours without entries before a part, one by one or together, and its own. It must be called
   * for the parts in order of time. The hour that is not over has fewer seconds.
   */
  *until(part: HourUsage | UsageSum, detailOf: DetailOf): Generator<CountedHours> {
    const start = part.hour.getTime();
    const { start: first, end } = this.#span;
    const from = Math.max(this.#next ?? start, first);
    this.#next = lastHourOf(part).getTime() + hourMs;
    if (from < start) yield* this.#idleHours(from, Math.min(start, end), detailOf);
    if (start >= end || (start < first && !this.#needsEarlier)) return;
    const counts = this.#counts(start, part);
    yield { start, hours: 1, counts, entries: part, isEarlier: start < first };
  }

  #counts(start: number, { levels = [] }: Pick<HourUsage, 'levels'> = {}): HourCounts {
    return new CountedHour(levels, start / secondMs, (this.#now - start) / secondMs);
  }

  *#idleHours(from: number, to: number, detailOf: DetailOf): Generator<CountedHours> {
    for (let start = from; start < to; ) {
      const end = this.#endOfPart(start, to, detailOf);
      yield { start, hours: (end - start) / hourMs, counts: end <= this.#now ? this.#idle : this.#counts(start) };
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

/** The usage of a pipeline in an hour, or in several without entries, and the work of each hour. */
interface DerivedUsage {
  readonly usage: HourUsage | UsageSum;
  readonly work: DerivedHour;
}

/**
 * A function that derives the usage of a pipeline. It must be called for all hours in order of time.
 * It returns undefined for hours that have none, or are before the span.
 */
export function createUsageDerivation(
  assumptions: PipelineAssumptions,
  options: DerivationOptions,
): (hours: CountedHours) => DerivedUsage | undefined {
  const derive = createDerivation(assumptions, options);
  return ({ start, hours, counts, entries, isEarlier }) => {
    if (!entries && !hasPolls(assumptions)) return undefined;
    const work = derive(counts);
    if (isEarlier) return undefined;
    const hour = new Date(start);
    if (entries) return { work, usage: { hour, ...usageOfPipeline(entries, work, assumptions) } };
    const emptyReceives = BigInt(work.queue.emptyReceives) * BigInt(hours);
    const queues = [{ type: assumptions.queue.type, requests: emptyReceives, emptyReceives }];
    const last = new Date(start + (hours - 1) * hourMs);
    return { work, usage: { hour, ...emptyUsage(), queues, ...(hours > 1 && { last }) } };
  };
}

/** Whether hours without entries have usage. */
export const hasPolls = ({ pipeline }: PipelineAssumptions) => pipeline.queue.pollers > 0;

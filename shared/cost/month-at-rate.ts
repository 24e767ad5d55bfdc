import { addUsage, emptyUsage, type HourUsage, sortLists, type UsageCounters } from '../usage/usage.ts';
import { withAssumedOutput } from './assumed-output.ts';
import { lastHourStart, type RateSpan, scaleUsage, secondsPerMonth, secondsWithin } from './observed-rate.ts';
import { secondsPerHour } from './pipeline/active-seconds.ts';
import { createDerivation, type DerivedHour, hasPipeline } from './pipeline/derive-hour.ts';
import { usageOfPipeline } from './pipeline/derived-usage.ts';
import { CountedHour, type HourCounts } from './pipeline/hour-counts.ts';
import { HourPart } from './pipeline/hour-part.ts';
import { PipelineSums } from './pipeline/pipeline-sums.ts';
import type { ReadTerms } from './terms.ts';

/** The usage of a month at the rate of a span, on certain terms. Its hours are added in order. */
export class MonthAtRate {
  readonly #terms: ReadTerms;
  readonly #span: RateSpan;
  readonly #derive: ((hour: HourCounts) => DerivedHour) | undefined;
  readonly #sums = new PipelineSums();
  readonly #usage = emptyUsage();
  /** The hours with entries, and the last one of them, in epoch seconds. */
  #hours = 0;
  #lastHour = -Infinity;

  /** @param lastCalling the last active second of inference of the span, in epoch seconds. */
  constructor(terms: ReadTerms, span: RateSpan, lastCalling: number) {
    this.#terms = terms;
    this.#span = span;
    const { assumptions, convertMbMs, cacheSeconds, callLimit } = terms;
    if (!hasPipeline(assumptions)) return;
    // The span is followed by itself.
    const previous = lastCalling - Number(span.length.times) / Number(span.length.over);
    this.#derive = createDerivation(assumptions, { convertMbMs, cacheSeconds, callLimit, previous });
  }

  add(hour: HourUsage, counts: HourCounts): void {
    const seconds = secondsWithin(this.#span, counts.start);
    if (seconds === null || counts.start > this.#span.until) return;
    this.#hours += 1;
    this.#lastHour = counts.start;
    addUsage(this.#usage, hour);
    if (this.#derive) this.#sums.add(this.#derive(new HourPart(counts, seconds, this.#span.volume)));
  }

  finish(): UsageCounters {
    const { assumptions } = this.#terms;
    const usage = this.#usage;
    if (usage.logs === 0n) return emptyUsage();
    if (hasPipeline(assumptions)) this.#addIdle();
    // The converted usage belongs to the hours that are touched: others count by their entries.
    const { length, volume, entries } = this.#span;
    const perMonth = { times: secondsPerMonth * length.over * entries, over: length.times * usage.logs };
    const ofVolume = volume ? { times: perMonth.times * volume.times, over: perMonth.over * volume.over } : perMonth;
    if (!hasPipeline(assumptions)) {
      sortLists(usage);
      return scaleUsage(withAssumedOutput(this.#terms.convert(usage), assumptions), ofVolume);
    }
    const { logs, sizeBytes, piiLogs, pii } = scaleUsage(usage, ofVolume);
    const derived = scaleUsage(usageOfPipeline(emptyUsage(), this.#sums, assumptions), perMonth);
    const { prompt_tokens: prompt } = assumptions.pipeline.inference;
    const inference = assumptions.pipeline.inference.cache_prompt
      ? derived.inference.map((row) => withOneWrite(row, BigInt(prompt)))
      : derived.inference;
    const month = { ...derived, logs, sizeBytes, piiLogs, pii, inference };
    sortLists(month);
    return month;
  }

  #addIdle(): void {
    const { start } = this.#span;
    const lastHour = lastHourStart(this.#span);
    const touched = (lastHour - Math.floor(start / secondsPerHour) * secondsPerHour) / secondsPerHour + 1;
    const idle = touched - this.#hours;
    if (idle === 0 || !this.#derive) return;
    // The first hour has entries; the last one is idle if the span ends after them.
    const isLastIdle = this.#lastHour < lastHour;
    const whole = new CountedHour([]);
    this.#sums.addIdle(this.#derive(whole), isLastIdle ? idle - 1 : idle);
    const seconds = isLastIdle ? secondsWithin(this.#span, lastHour) : null;
    if (seconds) this.#sums.addIdle(this.#derive(new HourPart(whole, seconds, null)), 1);
  }
}

/** A model with calls writes its prompt at least once a month. */
function withOneWrite(row: UsageCounters['inference'][number], prompt: bigint): UsageCounters['inference'][number] {
  const field = row.cacheWrite1hTokens === undefined ? 'cacheWriteTokens' : 'cacheWrite1hTokens';
  const missing = prompt - (row[field] ?? 0n);
  if (missing <= 0n || (row.calls ?? 0n) === 0n) return row;
  return { ...row, [field]: prompt, cacheReadTokens: (row.cacheReadTokens ?? 0n) - missing };
}

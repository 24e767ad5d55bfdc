import { secondsPerHour } from './active-seconds.ts';
import type { Exact, Ratio } from './exact.ts';
import type { EntryCounts, HourCounts, LevelSet } from './hour-counts.ts';
import { EvenWindows, type Windows } from './windows.ts';

/** The part of an hour that a span covers, at the observed volume or another one. */
export class HourPart implements HourCounts {
  readonly start: number;
  readonly seconds: Ratio;
  readonly #hour: HourCounts;
  readonly #ratio: Ratio | null;

  /** @param ratio the volume over the observed one; null for 1. */
  constructor(hour: HourCounts, seconds: Ratio, ratio: Ratio | null) {
    this.start = hour.start;
    this.seconds = seconds;
    this.#hour = hour;
    this.#ratio = ratio;
  }

  of(levels: LevelSet): EntryCounts {
    const counts = this.#hour.of(levels);
    return this.#ratio === null ? counts : new ScaledCounts(counts, this.seconds, this.#ratio);
  }
}

/** More entries are in more seconds, so batches fill as the volume grows. */
class ScaledCounts implements EntryCounts {
  readonly entries: Exact;
  readonly sizeBytes: Exact;
  readonly chunks: Exact;
  readonly mbMs: EntryCounts['mbMs'];
  readonly models: EntryCounts['models'];
  readonly activeSeconds: number;
  readonly lastSecond: number;
  readonly ratio: Ratio;
  readonly #observed: EntryCounts;
  /** The length of the part. */
  readonly #seconds: number;

  constructor(observed: EntryCounts, seconds: Ratio, ratio: Ratio) {
    this.#observed = observed;
    this.#seconds = Number(seconds.times) / Number(seconds.over);
    this.ratio = ratio;
    this.entries = observed.entries;
    this.sizeBytes = observed.sizeBytes;
    this.chunks = observed.chunks;
    this.mbMs = observed.mbMs;
    this.models = observed.models;
    this.lastSecond = observed.lastSecond;
    this.activeSeconds = scaleActive(observed.activeSeconds, this.#seconds, ratio);
  }

  /** The rhythm of cached prompts stays the observed one. */
  runs(gap: number, previous?: number): number {
    return this.#observed.runs(gap, previous);
  }

  /** As many as the active seconds and the width allow, in the proportion of the observed ones. */
  windows(windowSeconds: number): Windows {
    const { activeSeconds: observed } = this.#observed;
    if (observed === 0) return new EvenWindows(0);
    const proportional = Math.ceil((this.#observed.windows(windowSeconds).count * this.activeSeconds) / observed);
    return new EvenWindows(Math.min(this.activeSeconds, Math.ceil(this.#seconds / windowSeconds), proportional));
  }
}

/** Entries of `ratio` times the volume, each in a second of its own accord. */
function scaleActive(active: number, seconds: number, { times, over }: Ratio): number {
  if (active === 0) return 0;
  const factor = Number(times) / Number(over);
  const share = 1 - Math.max(0, 1 - active / seconds) ** factor;
  return Math.max(1, Math.min(Math.round(seconds * share), Math.floor(seconds), secondsPerHour));
}

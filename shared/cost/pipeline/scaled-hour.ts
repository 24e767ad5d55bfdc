import type { Ratio } from '../projection.ts';
import { secondsPerHour } from './active-seconds.ts';
import { ceilDiv, type Exact, times } from './exact.ts';
import type { EntryCounts, HourCounts, LevelSet } from './hour-counts.ts';
import { EvenWindows, type Windows } from './windows.ts';

/** An hour at another volume: batches fill as it grows, because more seconds have entries. */
export class ScaledHour implements HourCounts {
  readonly seconds: number;
  readonly #hour: HourCounts;
  readonly #ratio: Ratio;

  /** @param ratio the volume over the observed one. */
  constructor(hour: HourCounts, ratio: Ratio) {
    this.seconds = hour.seconds;
    this.#hour = hour;
    this.#ratio = ratio;
  }

  of(levels: LevelSet): EntryCounts {
    return new ScaledCounts(this.#hour.of(levels), this.#ratio);
  }
}

class ScaledCounts implements EntryCounts {
  readonly entries: Exact;
  readonly sizeBytes: Exact;
  readonly chunks: Exact;
  readonly mbMs: EntryCounts['mbMs'];
  readonly models: EntryCounts['models'];
  readonly activeSeconds: number;
  readonly runs: number;
  readonly #observed: EntryCounts;

  constructor(observed: EntryCounts, ratio: Ratio) {
    const scale = (total: Exact) => ceilDiv(times(total, ratio.times), ratio.over);
    this.#observed = observed;
    this.entries = scale(observed.entries);
    this.sizeBytes = scale(observed.sizeBytes);
    this.chunks = scale(observed.chunks);
    this.mbMs = observed.mbMs.map((row) => ({ ...row, mbMs: scale(row.mbMs) }));
    this.models = observed.models.map((row) => ({
      model: row.model,
      entries: scale(row.entries),
      inputTokens: scale(row.inputTokens),
      outputTokens: scale(row.outputTokens),
      entriesWithoutOutput: scale(row.entriesWithoutOutput),
    }));
    this.activeSeconds = scaleActive(observed.activeSeconds, ratio);
    this.runs = observed.runs;
  }

  /** As many as the active seconds and the width allow, in the proportion of the observed ones. */
  windows(windowSeconds: number): Windows {
    const { activeSeconds: observed } = this.#observed;
    if (observed === 0) return new EvenWindows(0);
    const proportional = Math.ceil((this.#observed.windows(windowSeconds).count * this.activeSeconds) / observed);
    return new EvenWindows(Math.min(this.activeSeconds, Math.ceil(secondsPerHour / windowSeconds), proportional));
  }
}

/** Entries of `ratio` times the volume, each in a second of its own accord. */
function scaleActive(active: number, { times, over }: Ratio): number {
  if (active === 0 || times === over) return active;
  const factor = Number(times) / Number(over);
  const share = 1 - (1 - active / secondsPerHour) ** factor;
  return Math.max(1, Math.round(secondsPerHour * share));
}

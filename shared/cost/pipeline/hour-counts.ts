import type { Architecture } from '../../scenarios/assumptions.ts';
import { type LevelClass, levelClasses } from '../../scenarios/pipeline.ts';
import { cacheCounters, findRow, type LevelCount } from '../../usage/usage.ts';
import { ActiveWindows, EvenWindows, SecondSet, secondsPerHour, type Windows } from './active-seconds.ts';
import { type Exact, plus, type Ratio, sumOf, toExact } from './exact.ts';

/** A set of level classes: one bit each, in the order of `levelClasses`. */
export type LevelSet = number;

export function levelSetOf(levels: readonly LevelClass[]): LevelSet {
  return levels.reduce((set, level) => set | setOfLevel[level], 0);
}

const setOfLevel = Object.fromEntries(levelClasses.map((level, index) => [level, 1 << index])) as Record<
  LevelClass,
  LevelSet
>;

export interface ModelCounts {
  model: string;
  entries: Exact;
  inputTokens: Exact;
  outputTokens: Exact;
  entriesWithoutOutput: Exact;
  /** Cached tokens that entries reported, beside their input tokens. */
  cacheReadTokens: Exact;
  cacheWriteTokens: Exact;
  cacheWrite1hTokens: Exact;
}

const noCalls = {
  entries: 0,
  inputTokens: 0,
  outputTokens: 0,
  entriesWithoutOutput: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  cacheWrite1hTokens: 0,
};

export interface MbMs {
  architecture: Architecture;
  mbMs: Exact;
}

/** The entries of some levels in an hour. */
export interface EntryCounts {
  readonly entries: Exact;
  readonly sizeBytes: Exact;
  /** Chunks of 64 KiB, at least one an entry. */
  readonly chunks: Exact;
  readonly mbMs: readonly MbMs[];
  readonly models: readonly ModelCounts[];
  /** The number of seconds with entries. */
  readonly activeSeconds: number;
  /** The volume over the observed one, by which all sums are to be multiplied; null for 1. */
  readonly ratio: Ratio | null;
  /** The last active second; −1 if there is none. */
  readonly lastSecond: number;
  /** See `SecondSet.countRuns`. */
  runs(gap: number, previous?: number): number;
  /** The windows of so many seconds. */
  windows(windowSeconds: number): Windows;
}

/** An hour of a scenario as pipelines are derived from it. */
export interface HourCounts {
  /** The start of the hour, in epoch seconds. */
  readonly start: number;
  /** The seconds of the hour that count, up to 3,600. */
  readonly seconds: Ratio;
  of(levels: LevelSet): EntryCounts;
}

/**
 * The counters of an hour. Sums and windows are computed once for all pipelines that are derived
 * from the hour.
 */
export class CountedHour implements HourCounts {
  readonly start: number;
  readonly seconds: Ratio;
  readonly #levels: readonly LevelCount[];
  /** A list, because few designs differ in their levels. */
  readonly #sums: LevelSum[] = [];

  /**
   * @param start in epoch seconds.
   * @param passed the seconds that have passed since the start of the hour.
   */
  constructor(levels: readonly LevelCount[], start = 0, passed = secondsPerHour) {
    this.#levels = levels;
    this.start = start;
    this.seconds =
      passed >= secondsPerHour
        ? wholeHour
        : { times: BigInt(Math.max(Math.floor(passed), 0, endOf(levels))), over: 1n };
  }

  of(levels: LevelSet): EntryCounts {
    let sum = findRow(this.#sums, 'set', levels);
    if (sum === undefined) {
      sum = new LevelSum(
        levels,
        this.#levels.filter(({ level }) => levels & setOfLevel[level]),
      );
      this.#sums.push(sum);
    }
    return sum;
  }
}

const wholeHour: Ratio = { times: BigInt(secondsPerHour), over: 1n };

/** The second after the last active one. */
function endOf(levels: readonly LevelCount[]): number {
  return new SecondSet(levels.map(({ seconds }) => seconds)).end;
}

class LevelSum implements EntryCounts {
  readonly set: LevelSet;
  readonly entries: Exact;
  readonly sizeBytes: Exact;
  readonly chunks: Exact;
  readonly mbMs: readonly MbMs[];
  readonly models: readonly ModelCounts[];
  readonly #seconds: SecondSet;
  readonly ratio = null;
  readonly #windows: ActiveWindows[] = [];

  constructor(set: LevelSet, levels: readonly LevelCount[]) {
    this.set = set;
    this.entries = sumOf(levels, ({ entries }) => toExact(entries));
    this.sizeBytes = sumOf(levels, ({ sizeBytes }) => toExact(sizeBytes));
    this.chunks = sumOf(levels, ({ chunks }) => toExact(chunks));
    this.mbMs = sumByArchitecture(levels);
    this.models = sumByModel(levels);
    this.#seconds = new SecondSet(levels.map(({ seconds }) => seconds));
  }

  get activeSeconds(): number {
    return this.#seconds.size;
  }

  get lastSecond(): number {
    return this.#seconds.end - 1;
  }

  runs(gap: number, previous?: number): number {
    return this.#seconds.countRuns(gap, previous);
  }

  windows(windowSeconds: number): Windows {
    let windows = findRow(this.#windows, 'width', windowSeconds);
    if (windows === undefined) {
      windows = new ActiveWindows(this.#seconds, windowSeconds);
      this.#windows.push(windows);
    }
    return windows;
  }
}

function sumByArchitecture(levels: readonly LevelCount[]): MbMs[] {
  const sums: MbMs[] = [];
  for (const { functions } of levels) {
    for (const { architecture, mbMs } of functions) {
      const sum = findRow(sums, 'architecture', architecture);
      if (sum === undefined) sums.push({ architecture, mbMs: toExact(mbMs) });
      else sum.mbMs = plus(sum.mbMs, toExact(mbMs));
    }
  }
  return sums;
}

function sumByModel(levels: readonly LevelCount[]): ModelCounts[] {
  const sums: ModelCounts[] = [];
  for (const { inference } of levels) {
    for (const row of inference) {
      let sum = findRow(sums, 'model', row.model);
      if (sum === undefined) {
        sum = { model: row.model, ...noCalls };
        sums.push(sum);
      }
      sum.entries = plus(sum.entries, toExact(row.entries));
      sum.inputTokens = plus(sum.inputTokens, toExact(row.inputTokens));
      sum.outputTokens = plus(sum.outputTokens, toExact(row.outputTokens));
      sum.entriesWithoutOutput = plus(sum.entriesWithoutOutput, toExact(row.entriesWithoutOutput));
      for (const name of cacheCounters) if (row[name]) sum[name] = plus(sum[name], toExact(row[name]));
    }
  }
  return sums;
}

/**
 * The part of an hour that a span covers, at the observed volume or another one.
 * @param ratio the volume over the observed one; null for 1.
 */
export function partOfHour(hour: HourCounts, seconds: Ratio, ratio: Ratio | null): HourCounts {
  return {
    start: hour.start,
    seconds,
    of: (levels) => {
      const counts = hour.of(levels);
      return ratio === null ? counts : scaleCounts(counts, Number(seconds.times) / Number(seconds.over), ratio);
    },
  };
}

/**
 * More entries are in more seconds, so batches fill as the volume grows. The rhythm of cached
 * prompts stays the observed one.
 */
function scaleCounts(observed: EntryCounts, seconds: number, ratio: Ratio): EntryCounts {
  const { entries, sizeBytes, chunks, mbMs, models, lastSecond } = observed;
  const activeSeconds = scaleActive(observed.activeSeconds, seconds, ratio);
  /** As many as the active seconds and the width allow, in the proportion of the observed ones. */
  const countWindows = (width: number) => {
    if (observed.activeSeconds === 0) return 0;
    const proportional = Math.ceil((observed.windows(width).count * activeSeconds) / observed.activeSeconds);
    return Math.min(activeSeconds, Math.ceil(seconds / width), proportional);
  };
  return {
    entries,
    sizeBytes,
    chunks,
    mbMs,
    models,
    lastSecond,
    activeSeconds,
    ratio,
    runs: (gap, previous) => observed.runs(gap, previous),
    windows: (width) => new EvenWindows(countWindows(width)),
  };
}

/** Entries of `ratio` times the volume, each in a second of its own accord. */
function scaleActive(active: number, seconds: number, { times, over }: Ratio): number {
  if (active === 0) return 0;
  const factor = Number(times) / Number(over);
  const share = 1 - Math.max(0, 1 - active / seconds) ** factor;
  return Math.max(1, Math.min(Math.round(seconds * share), Math.floor(seconds), secondsPerHour));
}

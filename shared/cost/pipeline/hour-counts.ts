import { type LevelClass, levelClasses } from '../../scenarios/pipeline.ts';
import { addRows, type LevelCount } from '../../usage/usage.ts';
import { one, type Ratio, sumOf } from '../integers.ts';
import { activeWindows, evenWindows, SecondSet, secondsPerHour, type Windows } from './active-seconds.ts';

/** A set of level classes: one bit each, in the order of `levelClasses`. */
export type LevelSet = number;

export function levelSetOf(levels: readonly LevelClass[]): LevelSet {
  return levels.reduce((set, level) => set | (1 << levelClasses.indexOf(level)), 0);
}

/** The entries of some levels in an hour. */
export interface EntryCounts extends Pick<LevelCount, 'entries' | 'sizeBytes' | 'chunks' | 'functions' | 'inference'> {
  /** The volume over the observed one, by which all sums are to be multiplied. */
  readonly ratio: Ratio;
  /** The number of seconds with entries. */
  readonly activeSeconds: number;
  /** The first and the last active second; 3,600 and −1 if there is none. */
  readonly firstSecond: number;
  readonly lastSecond: number;
  /** See `SecondSet.countRuns`. */
  runs(gap: number, previous?: number): number;
  /** The windows of so many seconds. */
  windows(width: number): Windows;
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
 * @param start in epoch seconds.
 * @param passed the seconds that have passed since the start of the hour.
 */
export function countHour(levels: readonly LevelCount[], start = 0, passed = secondsPerHour): HourCounts {
  const sums = new Map<LevelSet, EntryCounts>();
  return {
    start,
    seconds: passed >= secondsPerHour ? wholeHour : { times: BigInt(countedSeconds(levels, passed)), over: 1n },
    of: (set) => {
      const sum = sums.get(set) ?? sumLevels(levels.filter(({ level }) => set & levelSetOf([level])));
      sums.set(set, sum);
      return sum;
    },
  };
}

const wholeHour: Ratio = { times: BigInt(secondsPerHour), over: 1n };

/** Those that have passed, and all up to the last active one. */
const countedSeconds = (levels: readonly LevelCount[], passed: number): number =>
  Math.max(Math.floor(passed), 0, new SecondSet(levels.map(({ seconds }) => seconds)).end);

function sumLevels(levels: readonly LevelCount[]): EntryCounts {
  const active = new SecondSet(levels.map(({ seconds }) => seconds));
  const windows = new Map<number, Windows>();
  return {
    entries: sumOf(levels, ({ entries }) => entries),
    sizeBytes: sumOf(levels, ({ sizeBytes }) => sizeBytes),
    chunks: sumOf(levels, ({ chunks }) => chunks),
    functions: levels.reduce<LevelCount['functions']>((sum, row) => addRows(sum, row.functions, 'architecture'), []),
    inference: levels.reduce<LevelCount['inference']>((sum, row) => addRows(sum, row.inference, 'model'), []),
    ratio: one,
    activeSeconds: active.size,
    firstSecond: active.start,
    lastSecond: active.end - 1,
    runs: (gap, previous) => active.countRuns(gap, previous),
    windows: (width) => {
      const found = windows.get(width) ?? activeWindows(active, width);
      windows.set(width, found);
      return found;
    },
  };
}

/**
 * The part of an hour that a span covers, at the observed volume or another one.
 * @param ratio the volume over the observed one; null for 1.
 */
export function partOfHour(hour: HourCounts, seconds: Ratio, ratio: Ratio | null): HourCounts {
  if (ratio === null) return { ...hour, seconds };
  const length = Number(seconds.times) / Number(seconds.over);
  return { ...hour, seconds, of: (levels) => scaleCounts(hour.of(levels), length, ratio) };
}

/**
 * More entries are in more seconds, so batches fill as the volume grows. The rhythm of cached
 * prompts stays the observed one.
 */
function scaleCounts(observed: EntryCounts, seconds: number, ratio: Ratio): EntryCounts {
  const activeSeconds = scaleActive(observed.activeSeconds, seconds, ratio);
  /** As many as the active seconds and the width allow, in the proportion of the observed ones. */
  const countWindows = (width: number) => {
    if (observed.activeSeconds === 0) return 0;
    const proportional = Math.ceil((Number(observed.windows(width).count) * activeSeconds) / observed.activeSeconds);
    return Math.min(activeSeconds, Math.ceil(seconds / width), proportional);
  };
  return { ...observed, ratio, activeSeconds, windows: (width) => evenWindows(BigInt(countWindows(width))) };
}

/** Entries of `ratio` times the volume, each in a second of its own accord. */
function scaleActive(active: number, seconds: number, { times, over }: Ratio): number {
  if (active === 0) return 0;
  const factor = Number(times) / Number(over);
  const share = 1 - Math.max(0, 1 - active / seconds) ** factor;
  return Math.max(1, Math.min(Math.round(seconds * share), Math.floor(seconds), secondsPerHour));
}

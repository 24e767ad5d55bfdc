// The counters of an hour from which pipelines are derived, with its active seconds and their
// windows.
import { type LevelClass, levelClasses } from '../../scenarios/pipeline.ts';
import {
  type ActiveSeconds,
  activeSecondsWords,
  addSeconds,
  type Count,
  type LevelCounters,
  type LevelModelCounters,
  mergeCounters,
  pooledSeconds,
  readSeconds,
} from '../../usage/stored-hour.ts';
import { ceilDiv, exactCounts, one, type Ratio, sumOf } from '../integers.ts';

export const secondsPerHour = 3_600;

/** A set of level classes: one bit each, in the order of `levelClasses`. */
export type LevelSet = number;

export function levelSetOf(levels: readonly LevelClass[]): LevelSet {
  return levels.reduce((set, level) => set | (1 << levelClasses.indexOf(level)), 0);
}

/** The entries of some levels in an hour. */
export type EntryCounts = ReturnType<typeof sumLevels>;

/** An hour of a scenario as pipelines are derived from it. */
export type HourCounts = ReturnType<typeof countHour>;

/**
 * The counters of an hour. Sums and windows are computed once for all pipelines that are derived
 * from the hour.
 * @param start in epoch seconds.
 * @param passed the seconds that have passed since the start of the hour.
 */
export function countHour(byLevel: Record<string, LevelCounters>, start = 0, passed = secondsPerHour) {
  const levels = levelClasses.flatMap((level) => {
    const counters = byLevel[level];
    return counters ? { counters, set: levelSetOf([level]), seconds: readSeconds(counters.seconds) } : [];
  });
  return {
    /** The start of the hour, in epoch seconds. */
    start,
    /** The seconds of the hour that count, up to 3,600. */
    seconds: passed >= secondsPerHour ? wholeHour : { times: BigInt(countedSeconds(levels, passed)), over: 1n },
    of: memoize((set: LevelSet) => sumLevels(levels.filter((level) => set & level.set))),
  };
}

interface LevelOfHour {
  counters: LevelCounters;
  set: LevelSet;
  seconds: ActiveSeconds;
}

/** Computes the value of an argument once: many pipelines are derived from an hour. */
function memoize<Value>(compute: (argument: number) => Value): (argument: number) => Value {
  const values = new Map<number, Value>();
  return (argument) => {
    const value = values.get(argument) ?? compute(argument);
    values.set(argument, value);
    return value;
  };
}

const wholeHour: Ratio = { times: BigInt(secondsPerHour), over: 1n };

/** Those that have passed, and all up to the last active one. */
const countedSeconds = (levels: readonly LevelOfHour[], passed: number): number =>
  Math.max(Math.floor(passed), 0, (activeSecondsOf(levels).at(-1) ?? -1) + 1);

const activeSecondsOf = (levels: readonly LevelOfHour[]) => listSeconds(levels.map(({ seconds }) => seconds));

function sumLevels(levels: readonly LevelOfHour[]) {
  const active = activeSecondsOf(levels);
  const pauses = memoize((gap) => countPauses(active, gap));
  const functions: Record<string, Count> = {};
  const inference: Record<string, LevelModelCounters> = {};
  for (const { counters } of levels) {
    mergeCounters(functions, counters.functions);
    mergeCounters(inference, counters.inference);
  }
  return {
    entries: sumOf(levels, ({ counters }) => counters.entries),
    sizeBytes: sumOf(levels, ({ counters }) => counters.sizeBytes),
    chunks: sumOf(levels, ({ counters }) => counters.chunks),
    functions: Object.fromEntries(Object.entries(functions).map(([name, mbMs]) => [name, { mbMs: BigInt(mbMs) }])),
    inference: Object.entries(inference).map(([field, row]) => ({ field, row: exactCounts(row) })),
    /** The volume over the observed one, by which all sums are to be multiplied. */
    ratio: one,
    /** The number of seconds with entries, the first and the last; 3,600 and −1 without. */
    activeSeconds: active.length,
    firstSecond: active[0] ?? secondsPerHour,
    lastSecond: active.at(-1) ?? -1,
    /**
     * The number of runs of active seconds that begin in the hour. A run ends where the next active
     * second is more than `gap` seconds later.
     * @param previous the last active second before the hour, from its start: negative.
     */
    runs: (gap: number, previous = -Infinity) => Number((active[0] ?? -Infinity) - previous > gap) + pauses(gap),
    /** The windows of so many seconds. */
    windows: memoize((width) => activeWindows(active, width)),
  };
}

const wordBits = 32;
const everySecond = Uint16Array.from({ length: secondsPerHour }, (_, second) => second);
const listed = new Uint16Array(secondsPerHour + 1);

/** The seconds of an hour that are active in any of the parts, ascending. */
export function listSeconds(parts: readonly ActiveSeconds[]): Uint16Array {
  let words = parts[0] ?? pooledSeconds();
  if (parts.length > 1) {
    words = pooledSeconds();
    for (const part of parts) addSeconds(words, part);
  }
  // Most hours of a busy scenario are such ones.
  if (isEverySecond(words)) return everySecond;
  let count = 0;
  for (let index = 0; index < activeSecondsWords; index += 1) {
    let second = index * wordBits;
    // Without a branch, because seconds with and without entries alternate at random.
    for (let rest = words[index] as number; rest !== 0; rest >>>= 1) {
      listed[count] = second;
      count += rest & 1;
      second += 1;
    }
  }
  return listed.slice(0, count);
}

/** The last word has 16 seconds. */
function isEverySecond(words: ActiveSeconds): boolean {
  const last = activeSecondsWords - 1;
  for (let at = 0; at < last; at += 1) if (words[at] !== -1) return false;
  return words[last] === 0xffff;
}

/** The number of seconds that are more than `gap` seconds after the one before them. */
function countPauses(active: Uint16Array, gap: number): number {
  let pauses = 0;
  for (let at = 1; at < active.length; at += 1) {
    if ((active[at] as number) - (active[at - 1] as number) > gap) pauses += 1;
  }
  return pauses;
}

/** The windows of an hour. */
export interface Windows {
  /** The number of windows. */
  readonly count: bigint;
  /**
   * Distributes a total over the windows, in parts of at most `size`.
   * @returns the number of parts.
   */
  spread(total: bigint, size: bigint): bigint;
}

/**
 * Windows whose parts of a total are as large as the share of their active seconds:
 * Σ over windows ⌈total · seconds / (active · size)⌉.
 * @param width 1 to 300 seconds; see `countWindows`.
 */
function activeWindows(seconds: Uint16Array, width: number): Windows {
  const active = BigInt(seconds.length);
  // Only the number of windows with so many active seconds matters for a spread.
  const counted: [of: bigint, windows: bigint][] = [];
  countWindows(seconds, width).forEach((windows, size) => {
    if (windows > 0) counted.push([BigInt(size), BigInt(windows)]);
  });
  return {
    count: sumOf(counted, ([, windows]) => windows),
    spread: (total, size) => sumOf(counted, ([of, windows]) => windows * ceilDiv(total * of, active * size)),
  };
}

/**
 * The first window begins at the first active second and lasts `width` seconds, the next one begins
 * at the first active second after it.
 * @returns how many windows have 0, 1, 2 and so on active seconds.
 */
function countWindows(seconds: Uint16Array, width: number): Uint16Array {
  const counts = new Uint16Array(width + 1);
  if (width === 1 || seconds.length === secondsPerHour) {
    counts[seconds.length % width] = 1;
    counts[width] = Math.floor(seconds.length / width);
  } else {
    let active = 0;
    let end = 0;
    for (const second of seconds) {
      if (second >= end) {
        counts[active] = (counts[active] as number) + 1;
        active = 0;
        end = second + width;
      }
      active += 1;
    }
    counts[active] = (counts[active] as number) + 1;
  }
  counts[0] = 0;
  return counts;
}

/** Windows that all have the same share: windows · ⌈total / (windows · size)⌉. */
export const evenWindows = (count: bigint): Windows => ({
  count,
  spread: (total, size) => (count === 0n ? 0n : count * ceilDiv(total, count * size)),
});

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

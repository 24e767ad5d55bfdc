import type { Architecture } from '../../scenarios/assumptions.ts';
import { type LevelClass, levelClasses } from '../../scenarios/level-class.ts';
import type { LevelCount } from '../../usage/level-count.ts';
import { countActive, countRuns, lastActive, type SecondWords, secondsPerHour, unionOf } from './active-seconds.ts';
import { type Spread, spreadOver, type Windows, windowsOf } from './windows.ts';

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
  entries: bigint;
  inputTokens: bigint;
  outputTokens: bigint;
  entriesWithoutOutput: bigint;
}

/** The entries of some levels in an hour. */
export interface EntryCounts {
  readonly entries: bigint;
  readonly sizeBytes: bigint;
  /** Chunks of 64 KiB, at least one an entry. */
  readonly chunks: bigint;
  readonly mbMs: readonly { architecture: Architecture; mbMs: bigint }[];
  readonly models: readonly ModelCounts[];
  /** The number of seconds with entries. */
  readonly activeSeconds: number;
  /** The number of runs of active seconds in which a cached prompt stays in use. */
  readonly runs: number;
  /** Spreads over the windows of so many seconds. */
  spread(windowSeconds: number): Spread;
  /** The number of these windows. */
  windows(windowSeconds: number): number;
}

/** An hour of a scenario as pipelines are derived from it. */
export interface HourCounts {
  /** The seconds of the hour that have passed, up to 3,600. */
  readonly seconds: number;
  of(levels: LevelSet): EntryCounts;
}

/**
 * The counters of an hour. Sums and windows are computed once for all pipelines that are derived
 * from the hour.
 */
export class CountedHour implements HourCounts {
  readonly seconds: number;
  readonly #levels: readonly LevelCount[];
  readonly #sums = new Map<LevelSet, EntryCounts>();

  /** @param passed the seconds that have passed since the start of the hour. */
  constructor(levels: readonly LevelCount[], passed = secondsPerHour) {
    this.#levels = levels;
    this.seconds = passed >= secondsPerHour ? secondsPerHour : Math.max(Math.floor(passed), 0, endOf(levels));
  }

  of(levels: LevelSet): EntryCounts {
    let sum = this.#sums.get(levels);
    if (sum === undefined) {
      sum = new LevelSum(this.#levels.filter(({ level }) => levels & setOfLevel[level]));
      this.#sums.set(levels, sum);
    }
    return sum;
  }
}

/** The second after the last active one. */
function endOf(levels: readonly LevelCount[]): number {
  return lastActive(unionOf(levels.map(({ seconds }) => seconds))) + 1;
}

class LevelSum implements EntryCounts {
  readonly entries: bigint;
  readonly sizeBytes: bigint;
  readonly chunks: bigint;
  readonly mbMs: readonly { architecture: Architecture; mbMs: bigint }[];
  readonly models: readonly ModelCounts[];
  readonly activeSeconds: number;
  readonly #words: SecondWords;
  readonly #windows = new Map<number, Windows>();
  #runs: number | undefined;

  constructor(levels: readonly LevelCount[]) {
    this.entries = sumOf(levels, ({ entries }) => entries);
    this.sizeBytes = sumOf(levels, ({ sizeBytes }) => sizeBytes);
    this.chunks = sumOf(levels, ({ chunks }) => chunks);
    this.mbMs = sumByArchitecture(levels);
    this.models = sumByModel(levels);
    this.#words = unionOf(levels.map(({ seconds }) => seconds));
    this.activeSeconds = countActive(this.#words);
  }

  get runs(): number {
    this.#runs ??= countRuns(this.#words);
    return this.#runs;
  }

  spread(windowSeconds: number): Spread {
    return spreadOver(this.#windowsOf(windowSeconds), this.activeSeconds);
  }

  windows(windowSeconds: number): number {
    return this.#windowsOf(windowSeconds).count;
  }

  #windowsOf(windowSeconds: number): Windows {
    let windows = this.#windows.get(windowSeconds);
    if (windows === undefined) {
      windows = windowsOf(this.#words, this.activeSeconds, windowSeconds);
      this.#windows.set(windowSeconds, windows);
    }
    return windows;
  }
}

function sumByArchitecture(levels: readonly LevelCount[]): EntryCounts['mbMs'] {
  const sums: { architecture: Architecture; mbMs: bigint }[] = [];
  for (const { functions } of levels) {
    for (const row of functions) {
      const sum = sums.find(({ architecture }) => architecture === row.architecture);
      if (sum === undefined) sums.push({ ...row });
      else sum.mbMs += row.mbMs;
    }
  }
  return sums;
}

function sumByModel(levels: readonly LevelCount[]): ModelCounts[] {
  const sums: ModelCounts[] = [];
  for (const { inference } of levels) {
    for (const row of inference) {
      const sum = sums.find(({ model }) => model === row.model);
      if (sum === undefined) {
        sums.push({ ...row });
        continue;
      }
      sum.entries += row.entries;
      sum.inputTokens += row.inputTokens;
      sum.outputTokens += row.outputTokens;
      sum.entriesWithoutOutput += row.entriesWithoutOutput;
    }
  }
  return sums;
}

export function sumOf<Row>(rows: readonly Row[], value: (row: Row) => bigint): bigint {
  let sum = 0n;
  for (const row of rows) sum += value(row);
  return sum;
}

import { type LevelClass, levelClasses } from '../../../../shared/scenarios/pipeline.ts';
import { fieldOfModel, type LevelCounters, mergeCounters } from '../../../../shared/usage/stored-hour.ts';
import { randomInteger } from '../../../support/random-choices.ts';

export const claude = 'anthropic.claude-haiku-4-5-20251001-v1:0';

/** One entry as it is counted. */
export interface CountedEntry {
  level: LevelClass;
  second: number;
  sizeBytes: number;
  mbMs: number;
  model: string;
  inputTokens: number;
  /** Undefined if the entry reports none. */
  outputTokens: number | undefined;
}

export function levelOf(entry: CountedEntry): LevelCounters {
  const { second, sizeBytes, mbMs, model, inputTokens, outputTokens } = entry;
  const reported = outputTokens === undefined ? { outputTokens: 0, entriesWithoutOutput: 1 } : { outputTokens };
  return {
    entries: 1,
    sizeBytes,
    chunks: Math.max(1, Math.ceil(sizeBytes / 65_536)),
    functions: { x86_64: mbMs },
    inference: { [fieldOfModel(model)]: { entries: 1, inputTokens, ...reported } },
    seconds: [second],
  };
}

export type Levels = Record<string, LevelCounters>;

/** Counts entries as ingest does, in any order. */
export function countEntries(entries: Iterable<CountedEntry>): Levels {
  const levels: Levels = {};
  for (const entry of entries) mergeCounters(levels, { [entry.level]: levelOf(entry) });
  return levels;
}

/** The entries of one hour: steady, in bursts, few or many. */
export function randomEntries(random: () => number): CountedEntry[] {
  const count = randomInteger(random, 0, random() < 0.2 ? 2 : 300);
  const first = randomInteger(random, 0, 3_599);
  const span = [1, 20, 400, 3_600][randomInteger(random, 0, 3)]!;
  const levels = levelClasses.filter(() => random() < 0.6);
  const size = [200, 20_000, 300_000][randomInteger(random, 0, 2)]!;
  return Array.from({ length: levels.length === 0 ? 0 : count }, () => ({
    level: levels[randomInteger(random, 0, levels.length - 1)]!,
    second: (first + randomInteger(random, 0, span - 1)) % 3_600,
    sizeBytes: randomInteger(random, 0, size),
    mbMs: 128 * randomInteger(random, 1, random() < 0.1 ? 900_000 : 500),
    model: random() < 0.8 ? claude : 'amazon.nova-lite-v1:0',
    inputTokens: randomInteger(random, 0, 500),
    outputTokens: random() < 0.5 ? undefined : randomInteger(random, 0, 900),
  }));
}

import type { LevelClass } from '../scenarios/level-class.ts';
import { allSeconds } from './active-seconds.ts';
import type { LevelCount, LevelInferenceCount } from './level-count.ts';
import { addLevels, sortLevels } from './merge-levels.ts';
import { chunksOfRequests } from './queue-requests.ts';
import type { HourUsage } from './usage.ts';

/**
 * All entries of an hour by the class of their levels, in the order of `levelClasses`. Entries that
 * earlier versions counted have no levels: they count as `none`, with all seconds active. The
 * result must not be changed.
 * @param requestsPerMessage the assumption of the scenario, which never changes once it has
 * entries.
 */
export function levelsOf(hour: HourUsage, requestsPerMessage: number): readonly LevelCount[] {
  const { levels = [] } = hour;
  const entries = hour.logs - sum(levels, (level) => level.entries);
  if (entries === 0n) return levels;
  const all: LevelCount[] = [];
  addLevels(all, [...levels, countWithoutLevel(hour, levels, entries, requestsPerMessage)]);
  sortLevels(all);
  return all;
}

function countWithoutLevel(
  hour: HourUsage,
  levels: readonly LevelCount[],
  entries: bigint,
  requestsPerMessage: number,
): LevelCount {
  const requests = sum(hour.queues, (row) => row.requests);
  return {
    level: 'none' satisfies LevelClass,
    entries,
    sizeBytes: hour.sizeBytes - sum(levels, (level) => level.sizeBytes),
    chunks: chunksOfRequests(requests, hour.logs, requestsPerMessage) - sum(levels, (level) => level.chunks),
    functions: hour.functions
      .map(({ architecture, mbMs }) => {
        const counted = sum(levels, ({ functions }) =>
          sum(functions, (row) => (row.architecture === architecture ? row.mbMs : 0n)),
        );
        return { architecture, mbMs: mbMs - counted };
      })
      .filter(({ mbMs }) => mbMs > 0n),
    inference: apportion(entries, restOfModels(hour, levels)),
    seconds: allSeconds(),
  };
}

type Tokens = Omit<LevelInferenceCount, 'entries'>;

/** The tokens that are not counted by level. Without any of them, all models with none. */
function restOfModels({ inference }: HourUsage, levels: readonly LevelCount[]): Tokens[] {
  const rest = inference.map(({ model, inputTokens, outputTokens, entriesWithoutOutput = 0n }): Tokens => {
    const counted = (field: 'inputTokens' | 'outputTokens' | 'entriesWithoutOutput') =>
      sum(levels, (level) => sum(level.inference, (row) => (row.model === model ? row[field] : 0n)));
    return {
      model,
      inputTokens: inputTokens - counted('inputTokens'),
      outputTokens: outputTokens - counted('outputTokens'),
      entriesWithoutOutput: entriesWithoutOutput - counted('entriesWithoutOutput'),
    };
  });
  const used = rest.filter(({ inputTokens, outputTokens }) => inputTokens + outputTokens > 0n);
  return used.length > 0 ? used : rest;
}

/**
 * Entries were not counted by model. With several models, each has a share of the entries in the
 * proportion of its tokens, rounded so that the shares add up.
 */
function apportion(entries: bigint, rows: readonly Tokens[]): LevelInferenceCount[] {
  const weightOf = ({ inputTokens, outputTokens }: Tokens) => inputTokens + outputTokens;
  const total = sum(rows, weightOf);
  let weight = 0n;
  let given = 0n;
  return rows.map((row) => {
    weight += total === 0n ? 1n : weightOf(row);
    const end = (entries * weight) / (total === 0n ? BigInt(rows.length) : total);
    const share = end - given;
    given = end;
    return { ...row, entries: share };
  });
}

function sum<Row>(rows: readonly Row[], units: (row: Row) => bigint): bigint {
  let total = 0n;
  for (const row of rows) total += units(row);
  return total;
}

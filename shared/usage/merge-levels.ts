// Merges counts by level: sums, and unions of seconds. So neither the order nor the number of the
// parts matters.
import { architectures } from '../scenarios/assumptions.ts';
import { levelClasses } from '../scenarios/level-class.ts';
import { addSeconds } from './active-seconds.ts';
import { addRows, compare } from './add-rows.ts';
import type { LevelCount, LevelFunctionCount, LevelInferenceCount } from './level-count.ts';

/** Adds `more`, which is not changed, to `into` in place; its lists stay unsorted. */
export function addLevels(into: LevelCount[], more: readonly LevelCount[]): void {
  for (const count of more) {
    const same = into.find(({ level }) => level === count.level);
    if (same) addLevel(same, count);
    else into.push(copyOf(count));
  }
}

function addLevel(sum: LevelCount, count: LevelCount): void {
  sum.entries += count.entries;
  sum.sizeBytes += count.sizeBytes;
  sum.chunks += count.chunks;
  sum.functions = addRows(sum.functions, count.functions, 'architecture', addFunction);
  sum.inference = addRows(sum.inference, count.inference, 'model', addInference);
  addSeconds(sum.seconds, count.seconds);
}

function addFunction(sum: LevelFunctionCount, row: LevelFunctionCount): void {
  sum.mbMs += row.mbMs;
}

function addInference(sum: LevelInferenceCount, row: LevelInferenceCount): void {
  sum.entries += row.entries;
  sum.inputTokens += row.inputTokens;
  sum.outputTokens += row.outputTokens;
  sum.entriesWithoutOutput += row.entriesWithoutOutput;
}

function copyOf(count: LevelCount): LevelCount {
  return {
    ...count,
    functions: count.functions.map((row) => ({ ...row })),
    inference: count.inference.map((row) => ({ ...row })),
    seconds: count.seconds.slice(),
  };
}

/** Puts the levels and their lists into their fixed order. */
export function sortLevels(levels: LevelCount[]): void {
  levels.sort((a, b) => levelClasses.indexOf(a.level) - levelClasses.indexOf(b.level));
  for (const { functions, inference } of levels) {
    functions.sort((a, b) => architectures.indexOf(a.architecture) - architectures.indexOf(b.architecture));
    inference.sort((a, b) => compare(a.model, b.model));
  }
}

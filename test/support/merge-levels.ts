// Merges counts by level: numbers are added, and a second is active if it is active in any count.
// So the result does not depend on the order or the grouping of the counts.
import { architectures } from '../../shared/scenarios/assumptions.ts';
import { levelClasses } from '../../shared/scenarios/pipeline.ts';
import { addSeconds } from '../../shared/usage/active-seconds.ts';
import { addRows, compare, type LevelCount } from '../../shared/usage/usage.ts';

/** Adds `more` to `into` in place, and leaves `more` as it is. Afterwards, `into` is not sorted. */
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
  sum.functions = addRows(sum.functions, count.functions, 'architecture');
  sum.inference = addRows(sum.inference, count.inference, 'model');
  addSeconds(sum.seconds, count.seconds);
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

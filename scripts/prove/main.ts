import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type CheckResult, checkModel } from './check-model.ts';
import { type Model, type Mutation, readModels } from './model.ts';

const models = fileURLToPath(new URL('../../proof/', import.meta.url));

/** Programs that check models, and the packages of Debian and Ubuntu that have them. */
export function missingPrograms(): string[] {
  return ['spin', 'gcc'].filter((name) => spawnSync(name, [name === 'spin' ? '-V' : '--version']).error !== undefined);
}

/** Checks all models and their mutations, prints the results, and sets the exit code. */
export async function prove(): Promise<void> {
  const missing = missingPrograms();
  if (missing.length > 0) {
    console.error(
      `${missing.join(' and ')} not found. On Debian or Ubuntu: sudo apt-get install -y spin gcc libc6-dev`,
    );
    process.exitCode = 1;
    return;
  }
  const all = readModels(models);
  const checks: Check[] = all.flatMap((model) => [
    { model },
    ...model.mutations.map((mutation) => ({ model, mutation })),
  ]);
  const lines = await mapConcurrently(checks, availableParallelism(), async (check) => {
    const result = await checkModel(check.model, check.mutation?.name);
    return { ...check, result, isExpected: result.outcome === (check.mutation ? 'violated' : 'holds') };
  });
  for (const model of all) {
    console.log(`\n${model.name} (${model.bound})`);
    for (const line of lines.filter((each) => each.model === model)) console.log(describe(line));
  }
  const wrong = lines.filter(({ isExpected }) => !isExpected).length;
  const refuted = lines.filter(({ mutation, isExpected }) => mutation && isExpected).length;
  console.log(`
Of ${all.length} models, ${all.length - lines.filter(({ mutation, isExpected }) => !mutation && !isExpected).length} hold in every state. Of ${lines.length - all.length} mutations, ${refuted} are refuted.
The protocols are proved, within these bounds. That the code follows them is shown by its tests only.`);
  if (wrong > 0) process.exitCode = 1;
}

/** The model itself is checked without a mutation. */
interface Check {
  readonly model: Model;
  readonly mutation?: Mutation;
}

interface CheckedLine extends Check {
  readonly result: CheckResult;
  readonly isExpected: boolean;
}

function describe({ mutation, result: { outcome, states, reason }, isExpected }: CheckedLine): string {
  const count = `${states.toLocaleString('en-US').padStart(11)} states`;
  const mark = isExpected ? '  ' : '! ';
  if (outcome === 'unfinished') return `${mark}${count}  unfinished: ${reason}`;
  if (!mutation) return `${mark}${count}  ${outcome === 'holds' ? 'holds' : `violated: ${reason}`}`;
  return `${mark}${count}  ${outcome === 'violated' ? 'refuted' : 'NOT REFUTED'}: ${mutation.text}`;
}

/** The results in the order of the items. */
async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  limit: number,
  map: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const work = async () => {
    for (let index = next++; index < items.length; index = next++) results[index] = await map(items[index] as Item);
  };
  await Promise.all(Array.from({ length: limit }, work));
  return results;
}

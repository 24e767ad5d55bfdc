import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from '../build.mjs';
import { runBacklog } from './backlog.ts';
import { type HistoryLine, readHistory } from './history.ts';
import { judge } from './judge/judge.ts';
import { runTorture } from './run.ts';

const maxShown = 20;

/**
 * Sends load to a stack while its processes and connections fail, and judges the history of
 * it; or judges the history of an earlier run; or sends a backlog of so many batches. The exit code
 * is 1 if a promise was broken.
 */
export async function runTortureCommand(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: '2' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      history: { type: 'string' },
      judge: { type: 'string' },
      backlog: { type: 'string' },
    },
  });
  if (values.judge !== undefined) {
    printVerdict(await readHistory(values.judge));
    return;
  }
  if (values.backlog !== undefined) {
    const batches = Number(values.backlog);
    if (!(batches >= 10)) throw new Error('--backlog must be a number of batches, at least 10.');
    await runBacklog(batches, (line) => console.log(line));
    return;
  }
  const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
  if (!(minutes > 0)) throw new Error('--minutes must be a positive number.');
  if (!Number.isSafeInteger(seed)) throw new Error('--seed must be an integer.');
  const historyFile = values.history ?? join(tmpdir(), `meterbook-torture-${seed}.jsonl`);
  await build();
  console.log(`Runs for ${minutes} minutes with the seed ${seed}. History: ${historyFile}`);
  const lines = await runTorture({
    seed,
    seconds: minutes * 60,
    callers: 6,
    historyFile,
    print: (line) => console.log(line),
  });
  printVerdict(lines);
}

function printVerdict(lines: readonly HistoryLine[]): void {
  const { violations, counts } = judge(lines);
  const faults = lines.filter(({ type }) => type === 'fault').length;
  console.log(`\n${String(faults).padStart(9)} faults`);
  for (const [name, count] of Object.entries(counts))
    console.log(`${count.toLocaleString('en-US').padStart(9)} ${name}`);
  for (const violation of violations.slice(0, maxShown)) console.log(`BROKEN: ${violation}`);
  if (violations.length > maxShown) console.log(`… and ${violations.length - maxShown} more.`);
  console.log(violations.length === 0 ? '\nEvery promise was kept.' : `\n${violations.length} promises were broken.`);
  if (violations.length > 0) process.exitCode = 1;
}

// `npm run torture`: sends load to a stack whose processes and connections fail, and judges
// whether its responses were true (`-- --minutes 10 --seed 7`).
// `-- --backlog 36000` sends 36,000 batches without a worker, an hour at 10,000 lines a second.
// The exit code is 1 if a promise was broken.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { seededRandom } from '../../shared/seeded-random.ts';
import { build } from '../build.mjs';
import { prepare } from '../ensure-installed.mjs';
import { runBacklog } from './backlog.ts';
import { runFaults } from './faults.ts';
import { readAtEnd } from './final-reads.ts';
import { History, type HistoryLine } from './history.ts';
import { judge } from './judge/judge.ts';
import { Client } from './load/client.ts';
import { createTargets, runLoad } from './load/load.ts';
import { startStack } from './stack.ts';

const maxShown = 20;
/** Callers that each send one request after the other. */
const callers = 6;
/** With odd seeds, the backlog is so small that entries are refused while workers are disturbed. */
const smallBacklog = { INGEST_MAX_BACKLOG_BYTES: String(64 * 1024) };

/**
 * Runs load and faults against a stack of its own. @returns the history, which is also in a file.
 * The logs of the processes are in a folder beside it.
 */
async function runTorture(seed: number, seconds: number): Promise<readonly HistoryLine[]> {
  const historyFile = join(tmpdir(), `meterbook-torture-${seed}.jsonl`);
  console.log(`Runs for ${seconds} seconds with the seed ${seed}. History: ${historyFile}`);
  await build();
  const folder = await mkdtemp(join(tmpdir(), 'meterbook-torture-'));
  const history = new History(historyFile);
  history.add({ type: 'run', seed, seconds });
  const stack = await startStack(folder, `${historyFile}.logs`, seed % 2 === 0 ? {} : smallBacklog);
  const over = new AbortController();
  try {
    const client = new Client(history, stack.urls, seededRandom(seed));
    await client.register();
    const targets = await createTargets(client);
    const load = Array.from({ length: callers }, (_, index) => {
      const random = seededRandom(seed * 1000 + index);
      return runLoad(new Client(history, stack.urls, random), targets, random, over.signal);
    });
    const faults = runFaults({ stack, history, random: seededRandom(~seed) }, over.signal);
    const running = Promise.all([...load, faults]);
    await Promise.race([delay(seconds * 1000), running]);
    over.abort();
    await running;
    console.log('Load and faults have ended. Waiting until nothing is in progress…');
    await readAtEnd(stack, history, client, targets);
  } finally {
    over.abort();
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  }
  return history.lines;
}

function printVerdict(lines: readonly HistoryLine[]): void {
  const { violations, counts } = judge(lines);
  const faults = lines.filter(({ type }) => type === 'fault').length;
  for (const [name, count] of Object.entries({ faults, ...counts }))
    console.log(`${count.toLocaleString('en-US').padStart(9)} ${name}`);
  for (const violation of violations.slice(0, maxShown)) console.log(`BROKEN: ${violation}`);
  if (violations.length > maxShown) console.log(`… and ${violations.length - maxShown} more.`);
  console.log(violations.length === 0 ? '\nEvery promise was kept.' : `\n${violations.length} promises were broken.`);
  if (violations.length > 0) process.exitCode = 1;
}

prepare({ needsRedis: 'always', readsEnvironmentFile: false });
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    backlog: { type: 'string' },
  },
});
const [minutes, seed, backlog] = [Number(values.minutes), Number(values.seed), Number(values.backlog ?? 10)];
if (!(minutes > 0)) throw new Error('--minutes must be a positive number.');
if (!Number.isSafeInteger(seed)) throw new Error('--seed must be an integer.');
if (!(backlog >= 10)) throw new Error('--backlog must be a number of batches, at least 10.');
if (values.backlog !== undefined) await runBacklog(backlog);
else printVerdict(await runTorture(seed, minutes * 60));

// `npm run torture`: sends load to a stack whose processes and connections fail, and judges
// whether its responses were true (`-- --minutes 10 --seed 7`). `-- --judge FILE` judges a history.
// `-- --backlog 36000` sends 36,000 batches without a worker, an hour at 10,000 lines a second.
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
import { History, type HistoryLine, readHistory } from './history.ts';
import { judge } from './judge/judge.ts';
import { Account } from './load/account.ts';
import { createClient } from './load/client.ts';
import { createTargets, runLoad } from './load/load.ts';
import { startStack } from './stack.ts';

const maxShown = 20;
/** Callers that each send one request after the other. */
const callers = 6;
/** With odd seeds, the backlog is so small that entries are refused while workers are disturbed. */
const smallBacklog = { INGEST_MAX_BACKLOG_BYTES: String(64 * 1024) };

/**
 * Sends load to a stack while its processes and connections fail, and judges the history of
 * it; or judges the history of an earlier run; or sends a backlog of so many batches. The exit code
 * is 1 if a promise was broken.
 */
async function runTortureCommand(args: string[]): Promise<void> {
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
    await runBacklog(batches);
    return;
  }
  const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
  if (!(minutes > 0)) throw new Error('--minutes must be a positive number.');
  if (!Number.isSafeInteger(seed)) throw new Error('--seed must be an integer.');
  const historyFile = values.history ?? join(tmpdir(), `meterbook-torture-${seed}.jsonl`);
  await build();
  console.log(`Runs for ${minutes} minutes with the seed ${seed}. History: ${historyFile}`);
  printVerdict(await runTorture(seed, minutes * 60, historyFile));
}

/**
 * Runs load and faults against a stack of its own.
 * @returns the history, which is also in a file. The logs of the processes are in a folder beside
 * it.
 */
async function runTorture(seed: number, seconds: number, historyFile: string): Promise<readonly HistoryLine[]> {
  const folder = await mkdtemp(join(tmpdir(), 'meterbook-torture-'));
  const history = new History(historyFile);
  history.add({ type: 'run', seed, seconds });
  const stack = await startStack(folder, `${historyFile}.logs`, seed % 2 === 0 ? {} : smallBacklog);
  const over = new AbortController();
  try {
    const account = new Account();
    const random = seededRandom(seed);
    const clientOf = (own: () => number) =>
      createClient({ history, urls: stack.urls, random: own, token: () => account.token });
    const client = clientOf(random);
    await account.register(client);
    const targets = await createTargets(client);
    const load = Array.from({ length: callers }, (_, index) => {
      const own = seededRandom(seed * 1000 + index);
      return runLoad(clientOf(own), targets, account, own, over.signal);
    });
    const faults = runFaults({ stack, history, random: seededRandom(~seed) }, over.signal);
    const running = Promise.all([...load, faults]);
    await Promise.race([delay(seconds * 1000), running]);
    over.abort();
    await running;
    console.log('Load and faults have ended. Waiting until nothing is in progress…');
    await readAtEnd({ stack, history, client, targets, account });
  } finally {
    over.abort();
    await stack.stop();
    await history.close();
    await rm(folder, { recursive: true, force: true });
  }
  return history.lines;
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

prepare({ needsRedis: 'always', readsEnvironmentFile: false });
await runTortureCommand(process.argv.slice(2));

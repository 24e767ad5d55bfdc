import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { seededRandom } from '../../shared/seeded-random.ts';
import { runFaults } from './faults.ts';
import { readAtEnd } from './final-reads.ts';
import { History, type HistoryLine } from './history.ts';
import { createAccount } from './load/account.ts';
import { createClient } from './load/client.ts';
import { createTargets, runLoad } from './load/load.ts';
import { startStack } from './stack.ts';

/** With odd seeds, the backlog is so small that entries are refused while workers are disturbed. */
const smallBacklog = { INGEST_MAX_BACKLOG_BYTES: String(64 * 1024) };

interface TortureOptions {
  seed: number;
  seconds: number;
  /** Number of callers that each send one request after the other. */
  callers: number;
  historyFile: string;
  print: (line: string) => void;
}

/**
 * Runs load and faults against a stack of its own.
 * @returns the history, which is also in a file. The logs of the processes are in a folder beside
 * it.
 */
export async function runTorture(options: TortureOptions): Promise<readonly HistoryLine[]> {
  const folder = await mkdtemp(join(tmpdir(), 'meterbook-torture-'));
  const history = new History(options.historyFile);
  const { seed, seconds, print } = options;
  history.add({ type: 'run', seed, seconds });
  const settings = seed % 2 === 0 ? {} : smallBacklog;
  const stack = await startStack(folder, `${options.historyFile}.logs`, settings);
  const over = new AbortController();
  try {
    const account = createAccount();
    const random = seededRandom(seed);
    const clientOf = (own: () => number) =>
      createClient({ history, urls: stack.urls, random: own, token: () => account.token() });
    const client = clientOf(random);
    await account.register(client);
    const targets = await createTargets(client);
    const load = Array.from({ length: options.callers }, (_, index) => {
      const own = seededRandom(seed * 1000 + index);
      return runLoad(clientOf(own), targets, account, own, over.signal);
    });
    const faults = runFaults({ stack, history, random: seededRandom(~seed), print }, over.signal);
    const running = Promise.all([...load, faults]);
    await Promise.race([delay(seconds * 1000), running]);
    over.abort();
    await running;
    print('Load and faults have ended. Waiting until nothing is in progress…');
    await readAtEnd({ stack, history, client, targets, account });
  } finally {
    over.abort();
    await stack.stop();
    await history.close();
    await rm(folder, { recursive: true, force: true });
  }
  return history.lines;
}

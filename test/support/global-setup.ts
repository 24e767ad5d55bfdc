// What mocha does around a run and around each of its files. In parallel mode the files run in worker processes.
import { relative } from 'node:path';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import { Watchdog } from '../../scripts/local-stack/watchdog.ts';
import { second } from '../../shared/durations.ts';
import { buildService } from './test-build.ts';
import { startTestServers } from './test-servers.ts';

const pollEvery = 20;
/** Connections take a moment to close. */
const closeLimit = 20 * second;

/** Stops the servers of the run and removes its folders, also when this process is killed. */
const watchdog = new Watchdog();
let closeTestServers: () => Promise<void>;

/** Runs once, in the main process, before the workers start. */
export async function mochaGlobalSetup(): Promise<void> {
  // mocha sets the exit code at the end of the run. A run that ends early, because a worker crashed, must not pass.
  process.exitCode = 1;
  [closeTestServers] = await Promise.all([startTestServers(watchdog), buildService(watchdog)]);
}

/** Runs once, in the main process, after all files. */
export async function mochaGlobalTeardown(): Promise<void> {
  await closeTestServers();
  await watchdog.close();
}

// A worker writes its coverage while it exits, which can take longer than mocha waits before it sends SIGTERM.
if (process.env.MOCHA_WORKER_ID !== undefined) process.on('SIGTERM', () => {});

let openBefore: string[] = [];

/** Run around every file in parallel mode, around all of them otherwise. */
export const mochaHooks = {
  async beforeAll(): Promise<void> {
    // The timer for the limit of a hook starts at its first await: both hooks look when it runs.
    await turn();
    openBefore = process.getActiveResourcesInfo();
  },

  /** mocha ends its workers with process.exit, so that a test which leaves something open would go unnoticed. */
  async afterAll(this: Mocha.Context): Promise<void> {
    const files = new Set(this.test?.parent?.suites.map(({ file = '' }) => relative('', file)));
    const giveUpAt = Date.now() + closeLimit;
    await turn();
    while (leftOpen().length > 0) {
      if (Date.now() > giveUpAt) throw new Error(`Left open by ${[...files].join(', ')}: ${leftOpen().join(', ')}.`);
      await delay(pollEvery);
    }
  },
};

/** The resources that keep this process alive now and did not before. */
function leftOpen(): string[] {
  const before = [...openBefore];
  return process.getActiveResourcesInfo().filter((resource) => {
    const index = before.indexOf(resource);
    if (index >= 0) before.splice(index, 1);
    return index < 0;
  });
}

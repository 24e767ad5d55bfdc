// mocha's fixtures for a run and hooks for each file. In parallel mode, the files run in worker
// processes.
import { relative } from 'node:path';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { config } from 'chai';
import { build } from '../../scripts/build.mjs';
import { second } from '../../shared/durations.ts';
import { buildService } from './test-build.ts';
import { startTestServers } from './test-servers.ts';

// V8 optimizes later than by default, because most code of a test runs only a few times. This saves
// a tenth of the processor time of a run. A V8 without this flag prints so, and goes on.
setFlagsFromString('--interrupt-budget=500000');

const pollEvery = 20;
/** Time for connections to close. */
const closeLimit = 60 * second;

let closeTestServers: () => Promise<void>;

/** Runs once, in the main process, before the workers start. */
export async function mochaGlobalSetup(): Promise<void> {
  // mocha sets the exit code at the end of the run. A run that ends early, because a worker
  // crashed, must not pass.
  process.exitCode = 1;
  [closeTestServers] = await Promise.all([startTestServers(), build().then(() => buildService())]);
}

/** Runs once, in the main process, after all files. */
export async function mochaGlobalTeardown(): Promise<void> {
  await closeTestServers();
}

// A worker writes its coverage while it exits. The write can take longer than mocha waits before it
// sends SIGTERM.
if (process.env.MOCHA_WORKER_ID !== undefined) process.on('SIGTERM', () => {});

// A proxy for each assertion only finds misspelled properties, as the check of types does.
config.useProxy = false;

let openBefore: string[] = [];

/** In parallel mode, the hooks run for every file, otherwise once for all files. */
export const mochaHooks = {
  async beforeAll(): Promise<void> {
    // mocha starts the timeout timer of a hook at its first await. Both hooks await first, so both
    // lists contain it.
    await turn();
    openBefore = process.getActiveResourcesInfo();
  },

  /**
   * Checks that every resource is closed. mocha ends its workers with process.exit, which would
   * hide an open resource.
   */
  async afterAll(this: Mocha.Context): Promise<void> {
    const files = new Set(this.test?.parent?.suites.map(({ file = '' }) => relative('', file)));
    const deadline = Date.now() + closeLimit;
    await turn();
    while (notClosed().length > 0) {
      if (Date.now() > deadline) throw new Error(`Not closed by ${[...files].join(', ')}: ${notClosed().join(', ')}.`);
      await delay(pollEvery);
    }
  },
};

/** The resources that keep this process alive and were not open in `beforeAll`. */
function notClosed(): string[] {
  const before = [...openBefore];
  return process.getActiveResourcesInfo().filter((resource) => {
    const index = before.indexOf(resource);
    if (index >= 0) before.splice(index, 1);
    return index < 0;
  });
}

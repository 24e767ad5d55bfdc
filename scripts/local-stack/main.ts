import { join } from 'node:path';
import { second } from '../../shared/durations.ts';
import { banner } from './banner.ts';
import { checkMongo, checkPort, checkRedis, makeDataDirectory } from './preflight.ts';
import { loadSecrets } from './secrets.ts';
import { localServices } from './services.ts';
import { isStrict, readSettings, type Settings, serviceUrl } from './settings.ts';
import { StackError } from './stack-error.ts';
import { lockDataDirectory } from './stack-lock.ts';
import { Supervisor } from './supervisor.ts';

/** One Ctrl-C arrives twice under npm, from the terminal and passed on by npm; a second one comes later than this. */
const echo = 0.5 * second;

/**
 * Runs the local stack until it is asked to stop, and ends the process: with 0 after an orderly stop, with 1 and one
 * sentence when the stack can not start.
 */
export async function runLocalStack(environment: NodeJS.ProcessEnv): Promise<never> {
  // A terminal that has gone away must not keep the stack from stopping in order.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  try {
    await serve(environment);
    process.exit(0);
  } catch (error) {
    console.error(error instanceof StackError ? error.message : `The local stack failed: ${(error as Error).message}`);
    process.exit(1);
  }
}

async function serve(environment: NodeJS.ProcessEnv): Promise<void> {
  const settings = readSettings(environment);
  const logsDirectory = join(settings.dataDirectory, 'logs');
  await makeDataDirectory(settings.dataDirectory);
  const lock = await lockDataDirectory(settings.dataDirectory, serviceUrl(settings));
  try {
    await serveLocked(settings, environment, logsDirectory);
  } finally {
    await lock.release();
  }
}

async function serveLocked(settings: Settings, environment: NodeJS.ProcessEnv, logsDirectory: string): Promise<void> {
  await checkPort(settings);
  const secrets = await loadSecrets(settings.dataDirectory, environment);
  if (settings.redisUrl !== undefined) await checkRedis(settings.redisUrl);
  if (settings.mongodbUrl !== undefined) await checkMongo(settings.mongodbUrl);
  const supervisor = new Supervisor({
    services: await localServices(settings, secrets, environment),
    logsDirectory,
    say: (line) => console.log(line),
  });

  const asked = untilAskedToStop(supervisor);
  let stopAsked = false;
  void asked.then(() => {
    stopAsked = true;
    console.log('Stopping…');
    return supervisor.stop();
  });
  try {
    await supervisor.start();
    console.log(banner(settings, secrets, logsDirectory, isStrict(environment)));
    await asked;
  } catch (error) {
    if (!stopAsked) throw error;
  } finally {
    await supervisor.stop();
  }
  console.log('Stopped.');
}

/** Resolves at the first signal to stop; a second Ctrl-C after that kills everything. */
async function untilAskedToStop(supervisor: Supervisor): Promise<void> {
  await new Promise<void>((resolve) => {
    let firstAt: number | undefined;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (firstAt === undefined) {
          firstAt = Date.now();
          resolve();
        } else if (signal === 'SIGINT' && Date.now() - firstAt > echo) {
          console.error('Killed.');
          supervisor.kill();
          process.exit(130);
        }
      });
    }
    whenParentIsGone(resolve);
  });
}

/**
 * npm passes signals on, but when npm itself is killed nobody tells its script; the script is started with `exec`, so that
 * npm is its parent, not a shell that stays. Only asked under npm: started by hand in the background, the stack is meant to
 * outlive its shell.
 */
function whenParentIsGone(stop: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) stop();
  }, second).unref();
}

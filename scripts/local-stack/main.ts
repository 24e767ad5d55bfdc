import { join } from 'node:path';
import { second } from '../../shared/durations.ts';
import { renderBanner } from './banner.ts';
import { ensureAdmin } from './local-admin.ts';
import { checkMongo, checkPort, checkRedis, createDataDirectory } from './preflight.ts';
import { loadSecrets } from './secrets.ts';
import { localServices } from './services.ts';
import { isStrict, readSettings, serviceUrl } from './settings.ts';
import { StackError } from './stack-error.ts';
import { lockDataDirectory } from './stack-lock.ts';
import { Supervisor } from './supervisor.ts';

/**
 * Under npm, one Ctrl-C arrives twice: from the terminal and from npm. A signal after this time is
 * a second Ctrl-C.
 */
const duplicateSignalTime = 0.5 * second;

/**
 * Runs the local stack until a signal stops it, then exits the process: with 0 after a graceful
 * stop, with 1 and one sentence if the stack cannot start.
 */
export async function runLocalStack(environment: NodeJS.ProcessEnv): Promise<never> {
  // Errors of a closed terminal are ignored, so that the stack still stops gracefully.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  // The files of the data folder, also those of child processes, are readable by their owner only.
  process.umask(0o077);
  try {
    await runStack(environment);
    process.exit(0);
  } catch (error) {
    console.error(error instanceof StackError ? error.message : `The local stack failed: ${(error as Error).message}`);
    process.exit(1);
  }
}

async function runStack(environment: NodeJS.ProcessEnv): Promise<void> {
  const settings = readSettings(environment);
  const logsDirectory = join(settings.dataDirectory, 'logs');
  await createDataDirectory(settings.dataDirectory);
  // The lock ends with this process.
  await lockDataDirectory(settings.dataDirectory, serviceUrl(settings));
  await checkPort(settings);
  const secrets = await loadSecrets(settings.dataDirectory, environment);
  if (settings.redisUrl !== undefined) await checkRedis(settings.redisUrl);
  if (settings.mongodbUrl !== undefined) await checkMongo(settings.mongodbUrl);
  let hasAdmin = false;
  const supervisor = new Supervisor({
    services: await localServices(settings, secrets, environment, async (mongodbUrl) => {
      hasAdmin = await ensureAdmin(mongodbUrl, secrets.LOCAL_ADMIN_PASSWORD);
    }),
    logsDirectory,
    print: (line) => console.log(line),
  });

  const stopSignal = waitForStopSignal(supervisor);
  let isStopping = false;
  void stopSignal.then(() => {
    isStopping = true;
    console.log('Stopping…');
    return supervisor.stop();
  });
  try {
    await supervisor.start();
    console.log(renderBanner({ settings, secrets, logsDirectory, hasAdmin, strict: isStrict(environment) }));
    await stopSignal;
  } catch (error) {
    if (!isStopping) throw error;
  } finally {
    await supervisor.stop();
  }
  console.log('Stopped.');
}

/** Resolves at the first signal to stop. A second Ctrl-C kills all processes. */
async function waitForStopSignal(supervisor: Supervisor): Promise<void> {
  await new Promise<void>((resolve) => {
    let firstAt: number | undefined;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (firstAt === undefined) {
          firstAt = Date.now();
          resolve();
        } else if (signal === 'SIGINT' && Date.now() - firstAt > duplicateSignalTime) {
          console.error('Killed.');
          supervisor.kill();
          process.exit(130);
        }
      });
    }
  });
}

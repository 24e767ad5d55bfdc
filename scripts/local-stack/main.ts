import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, readConfig } from '../../shared/config/config.ts';
import { StartError } from '../../shared/errors.ts';
import { renderBanner } from './banner.ts';
import { isPortFree } from './free-port.ts';
import { ensureAdmin } from './local-admin.ts';
import { loadSecrets } from './secrets.ts';
import { localServices } from './services.ts';
import { readSettings } from './settings.ts';
import { lockDataDirectory } from './stack-lock.ts';
import { Supervisor } from './supervisor.ts';

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
    const isKnown = error instanceof StartError || error instanceof ConfigError;
    console.error(isKnown ? error.message : `The local stack failed: ${(error as Error).message}`);
    process.exit(1);
  }
}

async function runStack(environment: NodeJS.ProcessEnv): Promise<void> {
  const settings = readSettings(environment);
  const { dataDirectory } = settings;
  const logsDirectory = join(dataDirectory, 'logs');
  await mkdir(dataDirectory, { recursive: true }).catch((error: Error) => {
    throw new StartError(`DATA_DIR cannot be created (${error.message}): set it to a writable folder.`);
  });
  await lockDataDirectory(dataDirectory);
  const secrets = await loadSecrets(dataDirectory, environment);
  const { servers, backends, worker, web } = await localServices(settings, secrets, environment);
  const config = readConfig(web.program.environment);
  if (!(await isPortFree(config.port, config.host))) {
    throw new StartError(
      `PORT ${config.port} is in use by another program: set another port, for example PORT=${config.port + 1} npm start.`,
    );
  }

  const supervisor = new Supervisor({ logsDirectory, print: (line) => console.log(line) });
  const stopping = new AbortController();
  // Under npm, one Ctrl-C arrives twice: from the terminal and from npm.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stopping.abort());
  stopping.signal.addEventListener('abort', () => console.log('Stopping…'));
  try {
    await supervisor.start(servers, stopping.signal);
    const hasAdmin = await ensureAdmin(config, secrets.LOCAL_ADMIN_PASSWORD);
    await supervisor.start([...backends, worker, web], stopping.signal);
    console.log(renderBanner({ settings, secrets, logsDirectory, hasAdmin, strict: config.auth.mode === 'strict' }));
    if (!stopping.signal.aborted) await once(stopping.signal, 'abort');
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
  } finally {
    await supervisor.stop();
  }
  console.log('Stopped.');
}

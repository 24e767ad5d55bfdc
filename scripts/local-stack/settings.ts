import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../../shared/errors.ts';
import { dataDirectory } from '../ensure-installed.mjs';
import { loadSecrets } from './secrets.ts';

/** The settings of the local stack itself. Web and worker get all other variables unchanged. */
export interface Settings {
  dataDirectory: string;
  host: string;
  port: number;
  mongodbUrl?: string;
  redisUrl?: string;
  /** Whether the notebook backend is another one than that of the stack. */
  hasNotebookBackend?: boolean;
}

/** Reads the settings from an environment. Empty variables count as not set. */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const { PORT, HOST, MONGODB_URL, REDIS_URL, NOTEBOOK_BACKEND, NOTEBOOK_BACKEND_URL } = environment;
  return {
    dataDirectory: dataDirectory(environment),
    // The default is loopback, because a local stack is for the users of this machine.
    host: HOST || '127.0.0.1',
    port: Number(PORT || 3000),
    ...(MONGODB_URL ? { mongodbUrl: MONGODB_URL } : {}),
    ...(REDIS_URL ? { redisUrl: REDIS_URL } : {}),
    hasNotebookBackend: Boolean(NOTEBOOK_BACKEND_URL) || (NOTEBOOK_BACKEND || 'http') !== 'http',
  };
}

/** The URL of the service on this machine. */
export function serviceUrl({ host, port }: Pick<Settings, 'host' | 'port'>): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (host === '::') return `http://[::1]:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Files of the data folder with the addresses of the servers that a local stack has started. */
export const addressFiles = { MONGODB_URL: 'documents.url', REDIS_URL: 'redis.url' } as const;

/**
 * The variables of a command that works on the data of a local stack, which must be running. With
 * `MONGODB_URL` and `REDIS_URL`, the environment is that of a service, and unchanged.
 * @throws StartError if no local stack has run.
 */
export async function stackEnvironment(environment: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  if (environment.MONGODB_URL && environment.REDIS_URL) return environment;
  const folder = dataDirectory(environment);
  const addresses: Record<string, string> = {};
  for (const [name, file] of Object.entries(addressFiles)) {
    addresses[name] = environment[name] || (await readFile(join(folder, file), 'utf8').catch(() => '')).trim();
    if (addresses[name] !== '') continue;
    throw new StartError(`${name}: no local stack has run in ${folder}; start it with npm start, or set the variable.`);
  }
  return {
    ...environment,
    NODE_ENV: environment.NODE_ENV || 'development',
    // Not used, but each process of the service requires it.
    NOTEBOOK_BACKEND_URL: environment.NOTEBOOK_BACKEND_URL || 'http://127.0.0.1:1',
    ...addresses,
    ...(await loadSecrets(folder, environment)),
  };
}

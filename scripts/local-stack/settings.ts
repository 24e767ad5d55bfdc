import { dataDirectory } from '../ensure-installed.mjs';
import { StackError } from './stack-error.ts';

/** The settings of the local stack itself. Web and worker get all other variables unchanged. */
export interface Settings {
  dataDirectory: string;
  host: string;
  port: number;
  mongodbUrl?: string;
  redisUrl?: string;
  notebookBackendUrl?: string;
}

/**
 * Reads the settings from an environment. Empty variables count as not set.
 * @throws StackError that names the invalid variable.
 */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const { PORT, HOST, MONGODB_URL, REDIS_URL, NOTEBOOK_BACKEND, NOTEBOOK_BACKEND_URL } = environment;
  const port = Number(PORT || 3000);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new StackError(`PORT is "${PORT}": set it to a whole number from 1 to 65535.`);
  }
  if (NOTEBOOK_BACKEND && NOTEBOOK_BACKEND !== 'http' && !NOTEBOOK_BACKEND_URL) {
    throw new StackError(
      `NOTEBOOK_BACKEND is ${NOTEBOOK_BACKEND}: set NOTEBOOK_BACKEND_URL to its address, or unset both to use a local backend.`,
    );
  }
  return {
    dataDirectory: dataDirectory(environment),
    // The default is loopback, because a local stack is for the users of this machine.
    host: HOST || '127.0.0.1',
    port,
    ...(MONGODB_URL ? { mongodbUrl: MONGODB_URL } : {}),
    ...(REDIS_URL ? { redisUrl: REDIS_URL } : {}),
    ...(NOTEBOOK_BACKEND_URL ? { notebookBackendUrl: NOTEBOOK_BACKEND_URL } : {}),
  };
}

/** Whether the service requires credentials for nearly all routes. */
export function isStrict({ AUTH_MODE, NODE_ENV }: NodeJS.ProcessEnv): boolean {
  return (AUTH_MODE || (NODE_ENV === 'production' ? 'strict' : 'documented')) === 'strict';
}

/** The URL of the service on this machine. */
export function serviceUrl({ host, port }: Pick<Settings, 'host' | 'port'>): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (host === '::') return `http://[::1]:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

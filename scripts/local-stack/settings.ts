import { dataDirectory } from '../ensure-installed.mjs';
import { StackError } from './stack-error.ts';

/** What the local stack itself needs to know; everything else goes to web and worker as it is. */
export interface Settings {
  dataDirectory: string;
  host: string;
  port: number;
  mongodbUrl?: string;
  redisUrl?: string;
  notebookBackendUrl?: string;
}

/**
 * Reads the settings from an environment; empty values count as not set.
 * @throws StackError naming the variable at fault.
 */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const { PORT, HOST, MONGODB_URL, REDIS_URL, NOTEBOOK_BACKEND, NOTEBOOK_BACKEND_URL } = environment;
  const port = Number(PORT || 3000);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new StackError(`PORT is "${PORT}": set it to a whole number from 1 to 65535.`);
  }
  if (NOTEBOOK_BACKEND && NOTEBOOK_BACKEND !== 'http' && !NOTEBOOK_BACKEND_URL) {
    throw new StackError(
      `NOTEBOOK_BACKEND is ${NOTEBOOK_BACKEND}: set NOTEBOOK_BACKEND_URL to where it runs, or leave both unset for a local backend.`,
    );
  }
  return {
    dataDirectory: dataDirectory(environment),
    // Loopback: a stack with generated secrets is for the person in front of the machine.
    host: HOST || '127.0.0.1',
    port,
    ...(MONGODB_URL ? { mongodbUrl: MONGODB_URL } : {}),
    ...(REDIS_URL ? { redisUrl: REDIS_URL } : {}),
    ...(NOTEBOOK_BACKEND_URL ? { notebookBackendUrl: NOTEBOOK_BACKEND_URL } : {}),
  };
}

/** Will the service ask for credentials nearly everywhere? */
export function isStrict({ AUTH_MODE, NODE_ENV }: NodeJS.ProcessEnv): boolean {
  return (AUTH_MODE || (NODE_ENV === 'production' ? 'strict' : 'documented')) === 'strict';
}

/** The address under which this machine reaches the service. */
export function serviceUrl({ host, port }: Pick<Settings, 'host' | 'port'>): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (host === '::') return `http://[::1]:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

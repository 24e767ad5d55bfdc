import { dataDirectory } from '../ensure-installed.mjs';

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

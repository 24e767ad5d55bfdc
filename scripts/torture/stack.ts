import { startTcpProxy, type TcpProxy } from '../../test/support/proxy.ts';
import { findFreePort } from '../local-stack/free-port.ts';
import { loadSecrets } from '../local-stack/secrets.ts';
import { localServices, waitForOk } from '../local-stack/services.ts';
import { type Service, Supervisor } from '../local-stack/supervisor.ts';

export const webs = ['web-1', 'web-2'] as const;
export const workers = ['worker-1', 'worker-2'] as const;
export type ProcessName = (typeof webs)[number] | (typeof workers)[number] | 'redis' | 'store';

/** A link by the two ends that it connects. The callers are the load. */
export interface NamedLink extends TcpProxy {
  readonly from: string;
  readonly to: 'redis' | 'store' | 'web';
}

/** Two `web`, two `worker` and their servers, with links between them that can be disturbed. */
export interface TortureStack {
  /** The addresses of both `web`, by their links. */
  readonly urls: readonly string[];
  readonly links: readonly NamedLink[];
  /** Addresses without a link. */
  readonly direct: { mongodbUrl: string; redisUrl: string; webUrls: readonly string[] };
  /** The id of a process; undefined while it is not running. */
  processId(name: ProcessName): number | undefined;
  stop(): Promise<void>;
}

const startLimitMs = 120_000;
const limits = ['FREE', 'PREMIUM', 'ENTERPRISE', 'DEFAULT', 'NOTEBOOKS', 'INGEST', 'DOWNLOADS', 'LOGIN'];

const variables = {
  NODE_ENV: 'development',
  LOG_LEVEL: 'warn',
  AUTH_MODE: 'strict',
  REGISTRATION: 'open',
  // Shorter than the defaults, so that a short run reaches the limits too.
  INGEST_WAIT_MS: '2000',
  MONGODB_TIMEOUT_MS: '2500',
  // Nothing is sent to the notebook backend, so none is started.
  NOTEBOOK_BACKEND_URL: 'http://127.0.0.1:1',
  ...Object.fromEntries(limits.map((name) => [`RATE_LIMIT_${name}`, '1000000000'])),
};

/**
 * @param dataDirectory an empty folder, for the data of Redis and of the store.
 * @param settings variables of `web` and `worker`.
 */
export async function startStack(
  dataDirectory: string,
  logsDirectory: string,
  settings: Record<string, string>,
): Promise<TortureStack> {
  const { PATH, HOME } = process.env;
  const environment = { PATH, HOME, ...variables, ...settings };
  const secrets = await loadSecrets(dataDirectory, environment);
  const ports = [await findFreePort(), await findFreePort()];
  const base = { dataDirectory, host: '127.0.0.1', port: ports[0] ?? 0, hasNotebookBackend: true };
  const { servers, web, worker } = await localServices(base, secrets, environment);
  const { MONGODB_URL: mongodbUrl = '', REDIS_URL: redisUrl = '' } = web.program.environment;
  const links: NamedLink[] = [];
  /** @returns the address behind a new link. */
  const link = async (from: string, to: NamedLink['to'], address: string) => {
    const opened = Object.assign(await startTcpProxy(address), { from, to });
    links.push(opened);
    return opened.url;
  };
  const linked = async (name: string, { program }: Service, port = 0): Promise<Service> => {
    const own = {
      ...program.environment,
      PORT: String(port),
      MONGODB_URL: await link(name, 'store', mongodbUrl),
      REDIS_URL: await link(name, 'redis', redisUrl),
    };
    // Not waited for by the supervisor, which restarts one that a slow start ends.
    return { name, program: { ...program, environment: own } };
  };
  const all = [...servers];
  for (const [index, name] of webs.entries()) all.push(await linked(name, web, ports[index]));
  for (const name of workers) all.push(await linked(name, worker));
  const supervisor = new Supervisor({ logsDirectory, print: () => {} });
  const webUrls = ports.map((port) => `http://127.0.0.1:${port}`);
  const urls: string[] = [];
  for (const url of webUrls) urls.push((await link('callers', 'web', url)).replace(/\/$/, ''));
  const stop = async () => {
    await supervisor.stop();
    for (const each of links) await each.stop();
  };
  try {
    await supervisor.start(all);
    for (const url of webUrls) await waitForOk(`${url}/health/ready`, AbortSignal.timeout(startLimitMs));
  } catch (error) {
    await stop();
    throw error;
  }
  const direct = { mongodbUrl, redisUrl, webUrls };
  return { urls, links, direct, processId: (name) => supervisor.processIds()[name], stop };
}

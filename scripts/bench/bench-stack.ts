import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../build.mjs';
import { findFreePort } from '../local-stack/free-port.ts';
import { loadSecrets } from '../local-stack/secrets.ts';
import { localServices } from '../local-stack/services.ts';
import { serviceUrl } from '../local-stack/settings.ts';
import { Supervisor } from '../local-stack/supervisor.ts';

/** A running stack with a temporary data folder. */
export interface BenchStack {
  url: string;
  dataDirectory: string;
  /** The variables of web and worker. */
  environment: NodeJS.ProcessEnv;
  /** Peak memory of web and worker so far, in MiB. */
  memory(): Promise<{ web: number | null; worker: number | null }>;
  /** The process ids of the services that run, by name. A service that ends is started again. */
  processIds(): Record<string, number>;
}

const unlimited = {
  // Requests are counted, but never reach the limits.
  RATE_LIMIT_INGEST: '1000000000',
  RATE_LIMIT_LOGIN: '1000000000',
  AUTH_MODE: 'documented',
  // This variant of the notebook interface requires no API key and has no limit.
  NOTEBOOK_API_VARIANT: '0.2.0',
};

/**
 * Starts a stack with all its servers, or with the Redis of `REDIS_URL`, with these environment
 * variables, runs `work` and removes the stack.
 */
export async function withBenchStack<T>(
  work: (stack: BenchStack) => Promise<T>,
  variables: Record<string, string> = {},
): Promise<T> {
  await build();
  const dataDirectory = await mkdtemp(join(tmpdir(), 'meterbook-bench-'));
  const { REDIS_URL: redisUrl } = variables;
  const own = { dataDirectory, host: '127.0.0.1', port: await findFreePort() };
  const settings = redisUrl === undefined ? own : { ...own, redisUrl };
  const environment = {
    ...process.env,
    LOG_LEVEL: 'warn',
    INGEST_WAIT_MS: '60000',
    ...unlimited,
    ...variables,
  };
  const secrets = await loadSecrets(dataDirectory, environment);
  const { servers, backends, worker, web } = await localServices(settings, secrets, environment);
  const supervisor = new Supervisor({
    logsDirectory: join(dataDirectory, 'logs'),
    print: (line) => console.error(line),
  });
  try {
    await supervisor.start([...servers, ...backends, worker, web]);
    return await work({
      url: serviceUrl(settings),
      dataDirectory,
      environment: web.program.environment,
      processIds: () => supervisor.processIds(),
      memory: async () => {
        const pids = supervisor.processIds();
        return { web: await peakMemoryMb(pids['web'] ?? 0), worker: await peakMemoryMb(pids['worker'] ?? 0) };
      },
    });
  } finally {
    await supervisor.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  }
}

/** The peak memory of a process in MiB; null on systems other than Linux. */
async function peakMemoryMb(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1024);
}

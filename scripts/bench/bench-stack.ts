import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../local-stack/free-port.ts';
import { loadSecrets } from '../local-stack/secrets.ts';
import { localServices, typescriptProgram } from '../local-stack/services.ts';
import { serviceUrl } from '../local-stack/settings.ts';
import { type Service, Supervisor } from '../local-stack/supervisor.ts';
import { peakMemoryMb } from './peak-memory.ts';

/** A running stack in a folder of its own. */
export interface BenchStack {
  url: string;
  mongodbUrl: string;
  /** The backend behind the notebooks, to be asked directly. */
  notebookBackend: { url: string; token: string };
  /** Peak memory of web and worker so far, in MiB. */
  memory(): Promise<{ web: number | null; worker: number | null }>;
}

const unlimited = {
  // Counted as ever, and never reached.
  RATE_LIMIT_INGEST: '1000000000',
  RATE_LIMIT_LOGIN: '1000000000',
  AUTH_MODE: 'documented',
  // The variant of the notebook interface that asks for no key and counts no requests.
  NOTEBOOK_API_VARIANT: '0.2.0',
};

/** Other programs in place of web and worker. */
export type Replacements = Partial<Record<'web' | 'worker', string>>;

/** Starts a stack, with its servers and all, works on it and removes it. */
export async function onBenchStack<T>(replacements: Replacements, work: (stack: BenchStack) => Promise<T>): Promise<T> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'meterbook-bench-'));
  const settings = { dataDirectory, host: '127.0.0.1', port: await findFreePort() };
  const environment = {
    ...process.env,
    LOG_LEVEL: 'warn',
    INGEST_WAIT_MS: '60000',
    ...unlimited,
  };
  const secrets = await loadSecrets(dataDirectory, environment);
  const services = await localServices(settings, secrets, environment);
  const supervisor = new Supervisor({
    services: services.map((service) => replaced(service, replacements)),
    logsDirectory: join(dataDirectory, 'logs'),
    print: (line) => console.error(line),
  });
  const environmentOfWeb = services.find(({ name }) => name === 'web')?.program.environment ?? {};
  try {
    await supervisor.start();
    return await work({
      url: serviceUrl(settings),
      mongodbUrl: environmentOfWeb['MONGODB_URL'] ?? '',
      notebookBackend: {
        url: environmentOfWeb['NOTEBOOK_BACKEND_URL'] ?? '',
        token: environmentOfWeb['NOTEBOOK_BACKEND_TOKEN'] ?? '',
      },
      memory: async () => {
        const { web = 0, worker = 0 } = supervisor.processIds();
        return { web: await peakMemoryMb(web), worker: await peakMemoryMb(worker) };
      },
    });
  } finally {
    await supervisor.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  }
}

function replaced(service: Service, replacements: Replacements): Service {
  const file = replacements[service.name as keyof Replacements];
  return file === undefined ? service : { ...service, program: typescriptProgram(file, service.program.environment) };
}

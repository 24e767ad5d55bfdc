import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from '../build.mjs';
import { findFreePort } from '../local-stack/free-port.ts';
import { loadSecrets } from '../local-stack/secrets.ts';
import { localServices, waitForOk } from '../local-stack/services.ts';
import { serviceUrl } from '../local-stack/settings.ts';
import { type Service, Supervisor } from '../local-stack/supervisor.ts';
import { checkOut, project } from './checkout.ts';
import { type Load, openLoad } from './load.ts';

/** To each version. */
const requestsPerPhase = 10;

const variables = {
  NODE_ENV: 'development',
  LOG_LEVEL: 'warn',
  AUTH_MODE: 'strict',
  REGISTRATION: 'open',
  INGEST_WAIT_MS: '30000',
  ...Object.fromEntries(
    ['FREE', 'PREMIUM', 'ENTERPRISE', 'DEFAULT', 'INGEST'].map((name) => [`RATE_LIMIT_${name}`, '1000000000']),
  ),
};

/** `web` and `worker` of one commit. */
interface Version {
  name: string;
  url: string;
  /** They can be started again. */
  start: () => Promise<void>;
  stop: () => Promise<void>;
}

/**
 * Updates a running service from another commit to this one, and back, while entries arrive.
 * @returns the exit code: 1 if a response was no 2xx, or something is missing or counted twice.
 */
export async function runUpgradeTest(args: string[]): Promise<number> {
  const { from } = parseArgs({ args, options: { from: { type: 'string' } } }).values;
  if (from === undefined) {
    console.error('upgrade-test needs --from with a commit or a tag, such as --from v0.2.0.');
    return 1;
  }
  console.log(`Installing and building ${from}…`);
  const checkout = await checkOut(from);
  await build();
  const directory = await mkdtemp(join(tmpdir(), 'meterbook-upgrade-'));
  const stops: (() => Promise<void>)[] = [];
  try {
    const { servers, versionAt } = await prepareServices(directory);
    await servers.start();
    stops.push(() => servers.stop());
    const older = await versionAt(from, checkout.folder);
    const newer = await versionAt('this folder', project);
    stops.push(older.stop, newer.stop);
    return await upgrade(older, newer);
  } catch (error) {
    console.error((error as Error).message);
    return 1;
  } finally {
    for (const stop of stops.reverse()) await stop();
    await rm(directory, { recursive: true, force: true });
    await checkout.remove();
  }
}

async function upgrade(older: Version, newer: Version): Promise<number> {
  await older.start();
  const load = await openLoad(older.url);
  let isWhole = await phase(load, [older]);
  await whileSending(load, older, newer.start);
  isWhole = (await phase(load, [older, newer])) && isWhole;
  await whileSending(load, newer, older.stop);
  isWhole = (await phase(load, [newer])) && isWhole;
  await whileSending(load, newer, older.start);
  isWhole = (await phase(load, [newer, older])) && isWhole;
  await whileSending(load, older, newer.stop);
  isWhole = (await phase(load, [older])) && isWhole;
  const unfinished = await load.unfinished(older.url);
  console.log(unfinished.length === 0 ? 'All reports are ready.' : `Reports are ${unfinished.join(', ')}.`);
  return isWhole && unfinished.length === 0 ? 0 : 1;
}

/** Starts or stops a version while the other one gets entries. */
async function whileSending(load: Load, { url }: Version, change: () => Promise<void>): Promise<void> {
  const end = new AbortController();
  const changing = change().finally(() => end.abort());
  while (!end.signal.aborted) await load.send(url);
  await changing;
}

/** Sends to each version in turn. @returns whether each counts all entries. */
async function phase(load: Load, versions: readonly Version[]): Promise<boolean> {
  for (let request = 0; request < requestsPerPhase; request += 1) {
    for (const { url } of versions) {
      await load.send(url);
      await load.order(url);
    }
  }
  const counts = await Promise.all(versions.map(async ({ name, url }) => ({ name, logs: await load.count(url) })));
  const counted = counts.map(({ name, logs }) => `${logs} by ${name}`).join(', ');
  console.log(`${versions.map(({ name }) => name).join(' and ')}: ${load.sent()} entries sent, counted ${counted}`);
  return counts.every(({ logs }) => logs === load.sent());
}

/** The servers of a local stack, and a function that gives `web` and `worker` of a folder. */
async function prepareServices(dataDirectory: string) {
  const { PATH, HOME } = process.env;
  const environment = { PATH, HOME, ...variables };
  const settings = { dataDirectory, host: '127.0.0.1', port: await findFreePort() };
  const services = await localServices(settings, await loadSecrets(dataDirectory, environment), environment);
  const isService = ({ name }: Service) => name === 'web' || name === 'worker';
  const supervise = (all: Service[]) =>
    new Supervisor({ services: all, logsDirectory: join(dataDirectory, 'logs'), print: (line) => console.error(line) });

  const versionAt = async (name: string, folder: string): Promise<Version> => {
    const port = await findFreePort();
    const url = serviceUrl({ ...settings, port });
    const own = services.filter(isService).map(
      (service): Service => ({
        ...service,
        program: {
          ...service.program,
          args: service.program.args.map((arg) => arg.replace(project, `${folder.replace(/\/$/, '')}/`)),
          environment: { ...service.program.environment, PORT: String(port) },
        },
        ...(service.name === 'web' ? { ready: (signal) => waitForOk(`${url}/health/ready`, signal) } : {}),
      }),
    );
    let running: Supervisor | undefined;
    return {
      name,
      url,
      start: async () => {
        running = supervise(own);
        await running.start();
      },
      stop: async () => {
        await running?.stop();
        running = undefined;
      },
    };
  };
  return { servers: supervise(services.filter((service) => !isService(service))), versionAt };
}

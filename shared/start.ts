import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { Redis } from 'ioredis';
import type { Connection } from 'mongoose';
import { type Config, ConfigError } from './config/config.ts';
import { removeCredentials } from './connections/connection-urls.ts';
import { isMongoUnavailable, type MongoRole, openMongo } from './connections/mongo.ts';
import { openRedis, type RedisRole } from './connections/redis.ts';
import { storeBookOfCode } from './cost/price-books.ts';
import { second } from './durations.ts';
import { StartError } from './errors.ts';
import {
  createIndexCheck,
  createModels,
  ensureIndexes,
  type FindMissingIndexes,
  type Models,
  requirePresentForm,
} from './models.ts';
import type { Log } from './process/log.ts';

const indexPollInterval = 2 * second;

/** Runs an entry point. If it fails, writes one sentence to stderr and exits with 1. */
export async function runMain(main: () => Promise<void>): Promise<void> {
  limitHeapGrowth();
  try {
    await main();
  } catch (error) {
    const known = error instanceof ConfigError || error instanceof StartError;
    process.stderr.write(`${known ? error.message : `Could not start: ${reasonOf(error)}.`}\n`);
    process.exit(1);
  }
}

/** @throws StartError if the database is unreachable. */
export async function connectMongo(config: Config, role: MongoRole): Promise<Connection> {
  try {
    return await openMongo(config.mongodbUrl, { timeoutMs: config.mongodbTimeoutMs, role });
  } catch (error) {
    throw new StartError(
      `MONGODB_URL: no database responds at ${removeCredentials(config.mongodbUrl)} (${reasonOf(error)}); start it or correct the variable.`,
    );
  }
}

/**
 * Creates missing collections and indexes, however long it takes, and stores the price book of the
 * code.
 * @throws StartError if the database is unreachable or too old, or has data of an earlier version.
 */
export function migrateDatabase(config: Config): Promise<void> {
  return withDatabase(config, async (models) => {
    await requirePresentForm(models);
    await ensureIndexes(models, config.auth.access);
    await storeBookOfCode(models);
  });
}

/**
 * The first step of a process: migrates the database, or only checks its indexes, as the
 * configuration says. A `web` without them is not ready; a `worker` waits until they exist, because
 * unique indexes prevent jobs that run twice from counting twice.
 * @throws StartError if the database is unreachable or too old, or has data of an earlier version.
 */
export async function prepareDatabase(config: Config, log: Log, process: 'web' | 'worker'): Promise<void> {
  if (config.migratesAtStart) return migrateDatabase(config);
  await withDatabase(config, async (models) => {
    await requirePresentForm(models);
    await storeBookOfCode(models);
    const findMissing = createIndexCheck(models, config.auth.access);
    const indexes = await findMissing();
    if (indexes.length === 0) return;
    const consequence = process === 'worker' ? ' (no jobs are taken until they exist)' : '';
    log.warn(`indexes are missing: run \`npm run migrate\`${consequence}`, {
      missing: indexes.length,
      first: indexes.slice(0, 3),
    });
    if (process === 'worker') await waitForIndexes(findMissing, log);
  });
}

async function waitForIndexes(findMissing: FindMissingIndexes, log: Log): Promise<void> {
  while ((await findMissing()).length > 0) await delay(indexPollInterval);
  log.info('all indexes exist');
}

/** Names the variable if the database stops responding during the start. */
export async function explainDatabaseErrors<T>(config: Config, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isMongoUnavailable(error)) throw error;
    throw new StartError(
      `MONGODB_URL: the database at ${removeCredentials(config.mongodbUrl)} did not respond during the start (${reasonOf(error)}); start again when it does.`,
    );
  }
}

async function withDatabase(config: Config, work: (models: Models) => Promise<void>): Promise<void> {
  const mongo = await connectMongo(config, 'setup');
  try {
    await explainDatabaseErrors(config, async () => {
      await checkMongo(mongo, removeCredentials(config.mongodbUrl));
      await work(createModels(mongo));
    });
  } finally {
    await mongo.close();
  }
}

/** @throws StartError if Redis is unreachable, too old, or a node of a Cluster. */
export async function connectRedis(config: Config, role: RedisRole, log: Log): Promise<Redis> {
  const address = removeCredentials(config.redisUrl);
  let redis: Redis;
  try {
    redis = await openRedis(config.redisUrl, role, log);
  } catch (error) {
    throw new StartError(
      `REDIS_URL: no Redis responds at ${address} (${reasonOf(error)}); start it or correct the variable.`,
    );
  }
  try {
    await checkRedis(redis, address, log);
  } catch (error) {
    redis.disconnect();
    throw error;
  }
  return redis;
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ').replace(/\.$/, '');
}

/** Growth in percent of the memory that survived the last collection. */
const growthPercent = 100;

/**
 * Makes V8 collect old objects when they have doubled. On a machine with much memory, V8 waits
 * until they have quadrupled, so that a process under load needs 100 MiB more, mostly for the
 * bodies of past requests, and saves little CPU time.
 */
function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
}

const oldestMongo = 7;

/**
 * Other engines pass by the version of MongoDB that they report, or if they report none.
 * @param address for messages
 * @throws StartError if the service does not support the version of the server.
 */
async function checkMongo({ db }: Connection, address: string): Promise<void> {
  const version = String((await db?.admin().buildInfo())?.['version']);
  if (!(Number.parseInt(version, 10) < oldestMongo)) return;
  throw new StartError(
    `MONGODB_URL: ${address} reports version ${version} of MongoDB; use version ${oldestMongo} or later.`,
  );
}

const oldestRedis = 7;
/** A worker has no limit of its own for commands. */
const infoLimit = 2 * second;

/**
 * Checks the version and the kind of a Redis, and logs a policy by which it loses data. A server
 * passes without the right to INFO, or if it does not respond to it within two seconds.
 * @param address for messages
 * @throws StartError if the service does not support this Redis.
 */
export async function checkRedis(redis: Redis, address: string, log: Log): Promise<void> {
  const info = await readInfo(redis);
  const problem = findRedisProblem(info);
  if (problem !== undefined) throw new StartError(`REDIS_URL: ${address} ${problem}.`);
  const policy = fieldOf(info, 'maxmemory_policy');
  if (policy && policy !== 'noeviction') {
    log.warn('Redis deletes entries and jobs when its memory is full: set maxmemory-policy to noeviction', { policy });
  }
}

/** @returns an empty text for a server that passes without INFO. */
const readInfo = (redis: Redis): Promise<string> =>
  Promise.race([redis.info(), delay(infoLimit, '', { ref: false })]).catch(() => '');

/** @param info the response of INFO. @returns the end of a sentence. */
export function findRedisProblem(info: string): string | undefined {
  const version = fieldOf(info, 'redis_version');
  if (Number.parseInt(version ?? '', 10) < oldestRedis) {
    return `is Redis ${version}; use version ${oldestRedis} or later, or Valkey`;
  }
  if (fieldOf(info, 'cluster_enabled') !== '1') return undefined;
  return 'is a node of a Redis Cluster, which is not supported; use one server or Sentinel';
}

/** Valkey also has the version of Redis that it replaces. */
const fieldOf = (info: string, name: string) => new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(info)?.[1];

import { Cluster, type Redis } from 'ioredis';
import type { Connection } from 'mongoose';
import { type Config, ConfigError } from './config/config.ts';
import { removeCredentials } from './connections/connection-url.ts';
import { type MongoRole, openMongo } from './connections/mongo.ts';
import { openRedis, type RedisRole } from './connections/redis.ts';
import type { RedisClient } from './connections/redis-client.ts';
import { storeBookOfCode } from './cost/price-book-store.ts';
import { createIndexCheck } from './missing-indexes.ts';
import { createModels, ensureIndexes, type Models } from './models.ts';
import { limitHeapGrowth } from './process/heap-growth.ts';
import type { Log } from './process/log.ts';
import { StartError } from './process/start-error.ts';

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
 * code. @throws StartError if the database is unreachable.
 */
export function migrateDatabase(config: Config): Promise<void> {
  return withDatabase(config, async (models) => {
    await ensureIndexes(models, config.auth.access);
    await storeBookOfCode(models);
  });
}

/**
 * The first step of a process: migrates the database, or only logs which indexes are missing, as
 * the configuration says. @throws StartError if the database is unreachable.
 */
export async function prepareDatabase(config: Config, log: Log): Promise<void> {
  if (config.migratesAtStart) return migrateDatabase(config);
  await withDatabase(config, async (models) => {
    await storeBookOfCode(models);
    const missing = await createIndexCheck(models, config.auth.access)();
    if (missing.length > 0) log.warn('indexes are missing: run `npm run migrate`', { indexes: missing });
  });
}

async function withDatabase(config: Config, work: (models: Models) => Promise<void>): Promise<void> {
  const mongo = await connectMongo(config, 'setup');
  try {
    await work(createModels(mongo));
  } finally {
    await mongo.close();
  }
}

/** @throws StartError if Redis is unreachable, or not of the kind that the URL says. */
export async function connectRedis(config: Config, role: RedisRole, log: Log): Promise<RedisClient> {
  const address = removeCredentials(config.redisUrl);
  let redis: RedisClient;
  try {
    redis = await openRedis(config.redisUrl, role, log);
    if (redis instanceof Cluster || !(await isNodeOfCluster(redis))) return redis;
  } catch (error) {
    const reason = reasonOf(error);
    if (reason.includes('cluster support disabled')) {
      throw new StartError(`REDIS_URL: ${address} is no Redis Cluster; use redis:// or rediss://.`);
    }
    throw new StartError(`REDIS_URL: no Redis responds at ${address} (${reason}); start it or correct the variable.`);
  }
  redis.disconnect();
  throw new StartError(
    `REDIS_URL: ${address} is a node of a Redis Cluster; use redis+cluster:// or rediss+cluster://.`,
  );
}

/** A server without the right to INFO is taken as none. */
const isNodeOfCluster = async (redis: Redis) =>
  (await redis.info('cluster').catch(() => '')).includes('cluster_enabled:1');

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ').replace(/\.$/, '');
}

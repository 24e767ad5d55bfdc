import type { Redis } from 'ioredis';
import type { Connection } from 'mongoose';
import { type Config, ConfigError } from '../config/config.ts';
import { removeCredentials } from '../connections/connection-url.ts';
import { openMongo } from '../connections/mongo.ts';
import { openRedis, type RedisRole } from '../connections/redis.ts';
import type { Log } from './log.ts';

/** An error that prevents the start. The message is one sentence that names the variable and the fix. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Runs an entry point. If it fails, writes one sentence to stderr and exits with 1. */
export async function runMain(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    const known = error instanceof ConfigError || error instanceof StartError;
    process.stderr.write(`${known ? error.message : `Could not start: ${reasonOf(error)}.`}\n`);
    process.exit(1);
  }
}

/** @throws StartError if the database is unreachable. */
export async function connectMongo(config: Config): Promise<Connection> {
  try {
    return await openMongo(config.mongodbUrl);
  } catch (error) {
    throw new StartError(
      `MONGODB_URL: no database answers at ${removeCredentials(config.mongodbUrl)} (${reasonOf(error)}); start it or correct the variable.`,
    );
  }
}

/** @throws StartError if Redis is unreachable. */
export async function connectRedis(config: Config, role: RedisRole, log: Log): Promise<Redis> {
  try {
    return await openRedis(config.redisUrl, role, log);
  } catch (error) {
    throw new StartError(
      `REDIS_URL: no Redis answers at ${removeCredentials(config.redisUrl)} (${reasonOf(error)}); start it or correct the variable.`,
    );
  }
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ').replace(/\.$/, '');
}

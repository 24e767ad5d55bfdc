import type { Redis } from 'ioredis';
import type { Connection } from 'mongoose';
import { type Config, ConfigError } from './config.ts';
import { withoutCredentials } from './connection-url.ts';
import type { Log } from './log.ts';
import { openMongo } from './mongo.ts';
import { openRedis, type RedisRole } from './redis.ts';

/** The process can not start; the message is one sentence that names the variable and the fix. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Runs an entry point. What keeps it from starting is said in one sentence on stderr, and the exit code is 1. */
export async function runMain(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    const known = error instanceof ConfigError || error instanceof StartError;
    process.stderr.write(`${known ? error.message : `Could not start: ${reasonOf(error)}.`}\n`);
    process.exit(1);
  }
}

export async function openMongoOrExplain(config: Config): Promise<Connection> {
  try {
    return await openMongo(config.mongodbUrl);
  } catch (error) {
    throw new StartError(
      `MONGODB_URL: no database answers at ${withoutCredentials(config.mongodbUrl)} (${reasonOf(error)}); start it or correct the variable.`,
    );
  }
}

export async function openRedisOrExplain(config: Config, role: RedisRole, log: Log): Promise<Redis> {
  try {
    return await openRedis(config.redisUrl, role, log);
  } catch (error) {
    throw new StartError(
      `REDIS_URL: no Redis answers at ${withoutCredentials(config.redisUrl)} (${reasonOf(error)}); start it or correct the variable.`,
    );
  }
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ').replace(/\.$/, '');
}

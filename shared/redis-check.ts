import type { Redis } from 'ioredis';
import { second } from './durations.ts';
import type { Log } from './process/log.ts';
import { StartError } from './process/start-error.ts';
import { succeedsWithin } from './process/succeeds-within.ts';

const oldestVersion = 7;
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
async function readInfo(redis: Redis): Promise<string> {
  let info = '';
  await succeedsWithin(infoLimit, async () => {
    info = await redis.info();
    return true;
  });
  return info;
}

/** @param info the response of INFO. @returns the end of a sentence. */
export function findRedisProblem(info: string): string | undefined {
  const version = fieldOf(info, 'redis_version');
  if (Number.parseInt(version ?? '', 10) < oldestVersion) {
    return `is Redis ${version}; use version ${oldestVersion} or later, or Valkey`;
  }
  if (fieldOf(info, 'cluster_enabled') !== '1') return undefined;
  return 'is a node of a Redis Cluster, which is not supported; use one server or Sentinel';
}

/** Valkey also has the version of Redis that it replaces. */
const fieldOf = (info: string, name: string) => new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(info)?.[1];

import { Redis } from 'ioredis';
import { second } from '../durations.ts';
import { readClusterUrl } from './redis-url.ts';

/** The error of the last node of a Cluster, if `error` says only that none has listed the nodes. */
export const nodeErrorOf = (error: Error & { lastNodeError?: Error }): Error => error.lastNodeError ?? error;

/**
 * Connects to the first node of a Cluster, because the Cluster reports only that a connection was
 * closed. @returns why that fails; undefined if it does not.
 */
export async function findNodeError(url: string): Promise<Error | undefined> {
  const { nodes, options } = readClusterUrl(url);
  let found: Error | undefined;
  const redis = new Redis<'legacy'>({
    ...nodes[0],
    ...options,
    lazyConnect: true,
    connectTimeout: 2 * second,
    retryStrategy: () => null,
  });
  redis.on('error', (error: Error) => {
    found ??= error;
  });
  await redis.connect().catch(() => {});
  redis.disconnect();
  return found;
}

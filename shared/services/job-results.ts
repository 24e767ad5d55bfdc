import type { Redis } from 'ioredis';
import mongoose from 'mongoose';
import { announce, subscribe } from '../connections/announcements.ts';
import { openSealed, seal } from './sealed.ts';

/**
 * Results of jobs, announced to waiting requests before the jobs end: the end of a job takes several commands more. An
 * announcement can be lost or unreadable; the end of the job follows. It is encrypted, because a result can contain the
 * beginning of a log message.
 */
interface ResultDeps {
  redis: Redis;
  config: { readonly redisPrefix: string; readonly spoolKey: Buffer };
}

/** Every `web` process receives every announcement. The result of a large job is read where it is stored. */
export const maxAnnouncedBytes = 16 * 1024;

const { serialize, deserialize } = mongoose.mongo.BSON;
const separator = '\n';

/** Announces a result, unless it is too large. It neither waits nor fails. */
export function announceResult({ redis, config }: ResultDeps, queue: string, jobId: string, result: object): void {
  const content = serialize(result, { ignoreUndefined: true });
  if (content.length > maxAnnouncedBytes) return;
  const key = resultKey(queue, jobId);
  const message = Buffer.concat([Buffer.from(key + separator), seal(config.spoolKey, content, key)]);
  announce(redis, channelOf(config), message);
}

/**
 * Calls the listener of an announced job, as `findListener` returns it, with the job's result. It uses a connection of its
 * own.
 * @returns a function that closes the connection.
 */
export function subscribeToResults(
  { redis, config }: ResultDeps,
  findListener: (key: string) => ((result: object) => void) | undefined,
): () => void {
  const open = (sealed: Buffer, key: string) => {
    try {
      // As the driver returns documents, so that a batch is presented as if it had been read.
      return deserialize(openSealed(config.spoolKey, sealed, key), { promoteBuffers: true });
    } catch {
      return undefined;
    }
  };
  return subscribe(redis, channelOf(config), (message) => {
    const end = message.indexOf(separator);
    const key = message.toString('latin1', 0, end);
    const listener = findListener(key);
    const result = listener && open(message.subarray(end + 1), key);
    if (result) listener(result);
  });
}

/** Identifies a job over all queues. */
export const resultKey = (queue: string, jobId: string) => `${queue}/${jobId}`;

const channelOf = ({ redisPrefix }: ResultDeps['config']) => `${redisPrefix}:job-results`;

import type { Redis } from 'ioredis';
import mongoose from 'mongoose';
import { decrypt, encrypt, type ServiceKeys } from '../crypto/encryption.ts';
import { second } from '../durations.ts';

// Results of jobs, announced to waiting requests, some before the jobs end: the end of a job takes
// several commands more. A result is encrypted, because it can contain the beginning of a log
// message. Jobs without a small result announce only that they ended. An announcement can be lost,
// so a request that waits must also poll the job.

interface ResultDeps {
  redis: Redis;
  config: { readonly redisPrefix: string; readonly keys: Pick<ServiceKeys, 'results'> };
}

/**
 * Every `web` process receives every announcement. The result of a large job is read where it is
 * stored.
 */
const maxAnnouncedBytes = 16 * 1024;

const { serialize, deserialize } = mongoose.mongo.BSON;
const separator = '\n';

/**
 * Announces a result, unless it is too large. It neither waits nor fails. @returns whether it is
 * small enough.
 */
export function announceResult(deps: ResultDeps, queue: string, jobId: string, result: object): boolean {
  const content = serialize(result, { ignoreUndefined: true });
  if (content.length > maxAnnouncedBytes) return false;
  const key = resultKey(queue, jobId);
  announce(deps, Buffer.concat([Buffer.from(key + separator), encrypt(deps.config.keys.results, content, key)]));
  return true;
}

/**
 * Announces that a job has ended, with its result if there is one that is not too large. It neither
 * waits nor fails.
 */
export function announceEnd(deps: ResultDeps, queue: string, jobId: string, result?: object): void {
  if (result && announceResult(deps, queue, jobId, result)) return;
  announce(deps, resultKey(queue, jobId) + separator);
}

function announce({ redis, config }: ResultDeps, message: string | Buffer): void {
  // The connection of a worker buffers commands until Redis is reachable again, when the
  // announcement is of no use.
  if (redis.status === 'ready') redis.publish(channelOf(config), message).catch(() => {});
}

interface ResultListener {
  onResult: (result: object) => void;
  /** The job has ended, or its result cannot be read. */
  onEnd: () => void;
}

/** After a refusal; a lost connection is re-established by the client. */
const refusedPause = 5 * second;

/**
 * Calls the listener of an announced job, as `findListener` returns it. It uses a connection of its
 * own.
 * @returns `ready`: announcements from then on arrive, unless the connection is lost, or Redis has
 * refused: it is asked again every few seconds.
 */
export function subscribeToResults(
  { redis, config }: ResultDeps,
  findListener: (key: string) => ResultListener | undefined,
) {
  const open = (encrypted: Buffer, key: string) => {
    try {
      // As the driver returns documents, so that a batch is presented as if it had been read.
      return deserialize(decrypt(config.keys.results, encrypted, key), { promoteBuffers: true });
    } catch {
      return undefined;
    }
  };
  const subscriber = redis.duplicate({ autoResubscribe: false, lazyConnect: false });
  // The other connections of the process report that Redis is unreachable.
  subscriber.on('error', () => {});
  subscriber.on('messageBuffer', (_channel, message: Buffer) => {
    const end = message.indexOf(separator);
    const key = message.toString('latin1', 0, end);
    const listener = findListener(key);
    const result = listener && open(message.subarray(end + 1), key);
    if (result) listener.onResult(result);
    else listener?.onEnd();
  });
  let retry: NodeJS.Timeout | undefined;
  const ready = new Promise<void>((resolve) => {
    const ask = async () => {
      clearTimeout(retry);
      try {
        await subscriber.subscribe(channelOf(config));
      } catch {
        if (subscriber.status === 'ready') retry = setTimeout(() => void ask(), refusedPause).unref();
      }
      resolve();
    };
    subscriber.on('ready', () => void ask());
  });
  return {
    ready,
    end: () => {
      clearTimeout(retry);
      subscriber.disconnect();
    },
  };
}

export const resultKey = (queue: string, jobId: string) => `${queue}/${jobId}`;

const channelOf = ({ redisPrefix }: ResultDeps['config']) => `${redisPrefix}:job-results`;

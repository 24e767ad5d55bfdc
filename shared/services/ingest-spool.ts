import type { Redis } from 'ioredis';
import { ingestRetryWindow } from '../queues/ingest-entries.queue.ts';
import { openSealed, seal } from './sealed.ts';

/**
 * The raw entries between web and worker. They are stored in Redis, outside of job data, encrypted and with an expiry.
 * The batch id is authenticated with them, so that the entries of a batch cannot be read under the id of another batch.
 */

/** An entry after validation by the API. Aliases and time formats of the sender are converted. */
export interface SpooledEntry {
  /** Position in the request. */
  index: number;
  message: string;
  /** Milliseconds since the epoch. */
  timestamp: number;
  source?: string;
  level?: string;
  attributes?: Record<string, string | number | boolean>;
  usage?: {
    function_duration_ms?: number;
    function_memory_mb?: number;
    input_tokens?: number;
    output_tokens?: number;
    model?: string;
  };
}

export interface SpooledBatch {
  /** Milliseconds since the epoch. */
  receivedAt: number;
  entries: SpooledEntry[];
}

export interface IngestSpool {
  write(batchId: string, batch: SpooledBatch): Promise<void>;
  /** @returns the batch for `openSpooledBatch`; null if it was cleared or has expired. */
  readSealed(batchId: string): Promise<Buffer | null>;
  clear(batchId: string): Promise<void>;
}

export function createIngestSpool(options: { redis: Redis; prefix: string; key: Buffer }): IngestSpool {
  const { redis, prefix, key } = options;
  const redisKey = (batchId: string) => `${prefix}:spool:${batchId}`;
  return {
    write: async (batchId, batch) => {
      await redis.set(redisKey(batchId), seal(key, JSON.stringify(batch), batchId), 'PX', ingestRetryWindow);
    },
    readSealed: (batchId) => redis.getBuffer(redisKey(batchId)),
    clear: async (batchId) => {
      await redis.del(redisKey(batchId));
    },
  };
}

/** Takes milliseconds for a large batch, so it is called in a thread. @throws Error as `openSealed` does. */
export function openSpooledBatch(key: Buffer, sealed: Buffer, batchId: string): SpooledBatch {
  return JSON.parse(openSealed(key, sealed, batchId)) as SpooledBatch;
}

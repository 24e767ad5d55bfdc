import type { Redis } from 'ioredis';
import { ingestRetryWindow } from './queues/ingest-entries.queue.ts';
import { openSealed, seal } from './sealed.ts';

/**
 * Raw entries on their way from web to worker: in Redis, beside the queue and not in job data, encrypted and
 * expiring. The batch id is authenticated along with them, so that one batch's entries can not be read as another's.
 */

/** An entry as the API hands it over: validated, in one form whatever alias or time format the sender used. */
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
  /** The batch, or null when it was cleared or has expired. */
  read(batchId: string): Promise<SpooledBatch | null>;
  clear(batchId: string): Promise<void>;
}

export function ingestSpool(options: { redis: Redis; prefix: string; key: Buffer }): IngestSpool {
  const { redis, prefix, key } = options;
  const redisKey = (batchId: string) => `${prefix}:spool:${batchId}`;
  return {
    write: async (batchId, batch) => {
      await redis.set(redisKey(batchId), seal(key, JSON.stringify(batch), batchId), 'PX', ingestRetryWindow);
    },
    read: async (batchId) => {
      const sealed = await redis.getBuffer(redisKey(batchId));
      return sealed && (JSON.parse(openSealed(key, sealed, batchId)) as SpooledBatch);
    },
    clear: async (batchId) => {
      await redis.del(redisKey(batchId));
    },
  };
}

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import { ingestRetryWindow } from './queues/ingest-entries.queue.ts';

/**
 * Raw entries on their way from web to worker: in Redis, beside the queue and not in job data, encrypted with
 * AES-256-GCM and expiring. Stored as 12 bytes of nonce, 16 bytes of tag, ciphertext; the batch id is authenticated
 * along with it, so that one batch's entries can not be read as another's.
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

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

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
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(batchId));
      const ciphertext = Buffer.concat([cipher.update(JSON.stringify(batch), 'utf8'), cipher.final()]);
      const sealed = Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
      await redis.set(redisKey(batchId), sealed, 'PX', ingestRetryWindow);
    },
    read: async (batchId) => {
      const sealed = await redis.getBuffer(redisKey(batchId));
      if (!sealed) return null;
      const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceBytes))
        .setAAD(Buffer.from(batchId))
        .setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
      const text = Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()]);
      return JSON.parse(text.toString('utf8')) as SpooledBatch;
    },
    clear: async (batchId) => {
      await redis.del(redisKey(batchId));
    },
  };
}

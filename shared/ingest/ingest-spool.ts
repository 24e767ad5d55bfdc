import type { Redis } from 'ioredis';
import { type BacklogLimits, type BacklogObstacle, createIngestBacklog } from './ingest-backlog.ts';
import { type BatchToSpool, sealBatch } from './spooled-batch.ts';

/**
 * The raw entries between web and worker. They are stored in Redis, outside of job data,
 * compressed, encrypted and with an expiry.
 */
export interface IngestSpool {
  /** The obstacle for any further batch; null if there is room. */
  findObstacle(limits: BacklogLimits): Promise<BacklogObstacle | null>;
  /**
   * Stores a batch if there is room for it.
   * @param owner whose share of the room it uses; without one, no share is counted.
   * @returns the number of batches that the owner has in the spool then, 0 without an owner; or the
   * obstacle.
   */
  write(batchId: string, batch: BatchToSpool, limits: BacklogLimits, owner?: string): Promise<number | BacklogObstacle>;
  /** @returns the batch for `openSpooledBatch`; null if it was cleared or has expired. */
  readSealed(batchId: string): Promise<Buffer | null>;
  /** Whether the batch is in the spool. */
  has(batchId: string): Promise<boolean>;
  clear(batchId: string): Promise<void>;
  /** The spooled batches that no job will read. */
  countLeftovers(): Promise<number>;
  /** @returns their number. */
  removeLeftovers(): Promise<number>;
}

export function createIngestSpool(options: { redis: Redis; prefix: string; key: Buffer }): IngestSpool {
  const { key } = options;
  const backlog = createIngestBacklog(options);
  return {
    findObstacle: (limits) => backlog.findObstacle(limits),
    write: async (batchId, batch, limits, owner) =>
      backlog.store(batchId, await sealBatch(key, batch, batchId), limits, owner),
    readSealed: (batchId) => backlog.load(batchId),
    has: (batchId) => backlog.has(batchId),
    clear: (batchId) => backlog.remove(batchId),
    countLeftovers: () => backlog.countLeftovers(),
    removeLeftovers: () => backlog.removeLeftovers(),
  };
}

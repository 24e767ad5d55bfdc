import Joi from 'joi';
import { day, minute, second } from '../durations.ts';
import { cappedBackoff } from '../queues/backoff.ts';
import { defineQueue, type JobPayload, maxPriority } from '../queues/define-queue.ts';
import type { LogBatch } from './log-batch.model.ts';

export interface IngestEntriesPayload extends JobPayload {
  /** Id of the job, of the batch that the job writes, and of the spooled entries. */
  batchId: string;
  scenarioId: string;
  /** Number of spooled entries. */
  count: number;
}

export interface IngestEntriesResult {
  accepted: number;
  /**
   * Set for a small batch whose result is announced before the job ends. It is not stored with the
   * job.
   */
  batch?: LogBatch;
}

/** Lifetime of raw entries in the spool, in milliseconds. */
export const ingestRetryWindow = 2 * day;
const longestPause = 30 * second;

export const ingestEntriesQueue = defineQueue<IngestEntriesPayload, IngestEntriesResult>()({
  name: 'ingest-entries',
  jobName: () => 'process log entries',
  payload: Joi.object<IngestEntriesPayload>({
    batchId: Joi.string().uuid().required(),
    scenarioId: Joi.string().uuid().required(),
    requestId: Joi.string().uuid().required(),
    count: Joi.number().integer().min(1).max(1000).required(),
  }),
  isAwaited: true,
  concurrency: { variable: 'INGEST_CONCURRENCY', default: 4, max: 64 },
  // Accepted entries must survive an outage of the database, so the job is retried as long as the
  // spool has its entries.
  attempts: Math.floor(ingestRetryWindow / longestPause),
  backoff: cappedBackoff(longestPause),
  // The number is practically unlimited, so that no entry is lost even if workers are killed
  // repeatedly.
  maxStalledCount: 10_000,
  // Recent jobs are retained for their status. Later, the status is read from the batch in MongoDB.
  keepCompleted: { age: 15 * minute, count: 1000 },
  keepFailed: { age: 7 * day },
});

/** Batches of an owner whose jobs have no priority. */
const unrankedBatches = 8;

/**
 * The options of the job of a stored batch. BullMQ runs jobs without a priority first, then those
 * of the lowest number: so an owner of few batches does not wait for those of an owner of many, and
 * owners of many take turns.
 * @param held number of batches that the owner has in the spool or the overflow, with this one.
 */
export const ingestJobOptions = (batchId: string, held: number): { jobId: string; priority?: number } =>
  held > unrankedBatches ? { jobId: batchId, priority: Math.min(held, maxPriority) } : { jobId: batchId };

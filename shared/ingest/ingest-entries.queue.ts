import Joi from 'joi';
import { day, minute, second } from '../durations.ts';
import { cappedBackoff, defineQueue, type JobPayload, maxPriority, requiredUuid } from '../queues/define-queue.ts';
import type { LogBatch, ProcessedLogBatch } from './log-batch.model.ts';

interface IngestEntriesPayload extends JobPayload {
  /** Id of the job, and of the log batch that has the entries. */
  batchId: string;
  scenarioId: string;
  count: number;
  /** The requests whose entries the batch has, if it has those of several. */
  requestIds?: readonly string[];
  /** The batch has failed before: its job is back, so that an operator can retry it. */
  isFailed?: true;
}

export interface IngestEntriesResult {
  accepted: number;
  /** A small batch, announced before the job ends. It is not stored with the job. */
  batch?: ProcessedLogBatch;
}

/** How long the processing of a batch is tried. */
const retryWindow = 2 * day;
const longestPause = 30 * second;

export const ingestEntriesQueue = defineQueue<IngestEntriesPayload, IngestEntriesResult>()({
  name: 'ingest-entries',
  jobName: () => 'process log entries',
  payload: {
    batchId: requiredUuid,
    scenarioId: requiredUuid,
    count: Joi.number().integer().min(1).max(1000).required(),
    requestIds: Joi.array().items(Joi.string().uuid()),
    isFailed: Joi.valid(true),
  },
  isAwaited: true,
  // INGEST_CONCURRENCY sets another one.
  concurrency: 4,
  // Long enough for an operator to end an outage. A batch whose last attempt has failed is kept.
  attempts: Math.floor(retryWindow / longestPause),
  backoff: cappedBackoff(longestPause),
  // Practically unlimited: workers that are killed say nothing about the entries.
  maxStalledCount: 10_000,
  // Recent jobs are retained for their status. Later, the status is read from the batch in MongoDB.
  keepCompleted: { age: (15 * minute) / second, count: 1000 },
});

/** Batches of a caller whose jobs have no priority. */
const unrankedBatches = 8;

/**
 * The job of a batch. BullMQ runs jobs without a priority first, then those with the lowest number.
 * So a caller of few batches does not wait for a caller of many, and callers of many take turns.
 * @param queued number of batches of the caller that are queued, with this one.
 */
export const ingestJob = (
  { _id: batchId, scenarioId, requestId, requests, count }: BatchOfJob,
  queued: number,
  isFailed = false,
) => ({
  payload: {
    batchId,
    scenarioId,
    requestId,
    count,
    ...(requests && { requestIds: requests.map(({ id }) => id) }),
    ...(isFailed && { isFailed }),
  },
  options: { jobId: batchId, ...(queued > unrankedBatches && { priority: Math.min(queued, maxPriority) }) },
});

/** The fields of a batch that its job needs. */
export type BatchOfJob = Pick<LogBatch, '_id' | 'scenarioId' | 'requestId' | 'requests' | 'count'>;

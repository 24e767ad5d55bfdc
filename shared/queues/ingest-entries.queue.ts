import Joi from 'joi';
import { day, minute, second } from '../durations.ts';
import { cappedBackoff } from './backoff.ts';
import { defineQueue, type JobPayload } from './define-queue.ts';

export interface IngestEntriesPayload extends JobPayload {
  /** Id of the job, of the batch it writes and of the spooled entries. */
  batchId: string;
  scenarioId: string;
  /** How many entries are spooled. */
  count: number;
}

export interface IngestEntriesResult {
  accepted: number;
}

/** How long raw entries wait in the spool, at the most, for a worker that can process them. */
export const ingestRetryWindow = 2 * day;
const longestPause = 30 * second;

export const ingestEntriesQueue = defineQueue<IngestEntriesPayload, IngestEntriesResult>()({
  name: 'ingest-entries',
  payload: Joi.object<IngestEntriesPayload>({
    batchId: Joi.string().uuid().required(),
    scenarioId: Joi.string().uuid().required(),
    requestId: Joi.string().uuid().required(),
    count: Joi.number().integer().min(1).max(1000).required(),
  }),
  concurrency: { variable: 'INGEST_CONCURRENCY', default: 4, max: 64 },
  // Accepted entries must outlast an outage of the database: tried for as long as they are spooled.
  attempts: Math.floor(ingestRetryWindow / longestPause),
  backoff: cappedBackoff(longestPause),
  // A worker that is killed repeatedly loses nothing.
  maxStalledCount: 10_000,
  // Kept for the status of recent jobs; after that the batch in MongoDB has it.
  keepCompleted: { age: 15 * minute, count: 1000 },
  keepFailed: { age: 7 * day },
});

import { AppError, unavailable } from '../../shared/errors.ts';
import { isUndecryptable, undecryptable } from '../../shared/ingest/batch-text.ts';
import { type IngestEntriesResult, ingestEntriesQueue } from '../../shared/ingest/ingest-entries.queue.ts';
import { asStored, type LogBatch, type ProcessedLogBatch } from '../../shared/ingest/log-batch.model.ts';
import type { Models } from '../../shared/models.ts';
import type { Metrics } from '../../shared/process/metrics.ts';
import { PermanentFailure } from '../../shared/queues/job-failure.ts';
import { isDeletedForGood } from '../../shared/scenarios/scenario.model.ts';
import type { BatchUsage } from '../../shared/usage/stored-hour.ts';
import { defineProcessor } from '../jobs/define-processor.ts';
import { appErrorOf } from '../jobs/run-processor.ts';
import type { WorkerDeps } from '../worker-deps.ts';
import type { ProcessedBatch } from './process-batch.ts';
import { startAddingJobs, sweepFailedBatches } from './queued-batches.ts';

/** A batch of more entries is read from the database by the request that waits for it. */
const maxAnnouncedEntries = 20;

/**
 * Processes the entries of a queued batch, and completes its row by one update that depends on the
 * state: of any number of deliveries, one counts. After the last attempt, the row is `failed`.
 */
export const ingestEntriesProcessor = defineProcessor(
  ingestEntriesQueue,
  async ({ batchId, scenarioId, requestId, count, isFailed }, deps, attempt) => {
    const { models, metrics, rollUpRequests } = deps;
    const result: IngestEntriesResult = { accepted: count };
    const options = { ...asStored, projection: queuedFields };
    const row = await models.logBatch.collection.findOne<QueuedRow>({ _id: batchId as never }, options);
    if (!row || row.state === 'stored') {
      // Completed by an earlier delivery, or removed with its scenario.
      if (row) rollUpRequests.report(scenarioId, requestId);
      return result;
    }
    if (row.state === 'failed') {
      const { code, message = '' } = row.failure ?? {};
      if (isFailed && attempt.first) throw new PermanentFailure(new AppError(code as AppError['code'], message));
      await models.logBatch.updateOne(
        { _id: batchId, state: 'failed' },
        { $set: { state: 'queued' }, $unset: { failure: 1, failedAt: 1 } },
      );
    }
    try {
      const processed = await processRow(row, deps);
      const { usage, ...results } = processed;
      const { modifiedCount } = await models.logBatch.collection.updateOne(
        { _id: batchId as never, state: 'queued' },
        { $set: { state: 'stored', ...results, usage }, $unset: { text: 1 } },
      );
      if (modifiedCount === 1) {
        const batch: ProcessedLogBatch = { _id: batchId, scenarioId, receivedAt: row.receivedAt, ...results };
        // The entries count, whatever happens to the worker.
        attempt.announceResult(count <= maxAnnouncedEntries ? { ...result, batch } : result);
        countEntries(metrics, usage);
      }
    } catch (error) {
      if (attempt.last || error instanceof PermanentFailure) await failRow(models, batchId, error);
      throw error;
    }
    rollUpRequests.report(scenarioId, requestId);
    return result;
  },
  { startTask: startAddingJobs, sweep: sweepFailedBatches },
);

type QueuedRow = Pick<LogBatch, '_id' | keyof typeof queuedFields>;

const queuedFields = { scenarioId: 1, state: 1, receivedAt: 1, failure: 1, text: 1 } as const;

async function processRow(
  { _id: batchId, scenarioId, text }: QueuedRow,
  { models, batchThreads, findAssumptions, priceBooks }: WorkerDeps,
): Promise<ProcessedBatch> {
  const scenario = await findAssumptions(scenarioId);
  if (!scenario) {
    if (!(await isDeletedForGood(models.scenario, scenarioId))) {
      throw unavailable('The scenario is read in two states.', 2);
    }
    // Its deletion can have missed a row that was inserted afterwards.
    await models.logBatch.deleteOne({ _id: batchId });
    throw new PermanentFailure(new AppError('NOT_FOUND', `Scenario ${scenarioId} does not exist.`));
  }
  if (!text) throw new TypeError(`The queued batch ${batchId} has no text.`);
  const { tokenMultipliers, callLimits } = await priceBooks.ofScenario(scenario);
  const { assumptions } = scenario;
  return batchThreads
    .run({ encrypted: text, batchId, assumptions, tokenMultipliers, callLimits })
    .catch((error: unknown) => {
      // Retried, because a worker with the right secret can be about to start.
      throw isUndecryptable(error) ? unavailable(undecryptable, 2, error) : error;
    });
}

async function failRow({ logBatch }: Models, batchId: string, error: unknown): Promise<void> {
  const { code, message } = appErrorOf(error);
  await logBatch.updateOne(
    { _id: batchId, state: 'queued' },
    { $set: { state: 'failed', failure: { code, message }, failedAt: new Date() } },
  );
}

function countEntries({ ingestEntries, ingestBytes, piiFindings }: Metrics, usage: BatchUsage): void {
  for (const { logs, sizeBytes, pii = {} } of usage) {
    ingestEntries.inc(Number(logs));
    ingestBytes.inc(Number(sizeBytes));
    for (const [type, count] of Object.entries(pii)) piiFindings.inc({ type }, Number(count));
  }
}

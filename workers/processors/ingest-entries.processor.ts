import { AppError } from '../../shared/errors.ts';
import type { IngestSpool, SpooledBatch } from '../../shared/ingest-spool.ts';
import type { Models } from '../../shared/models/index.ts';
import type { LogBatch } from '../../shared/models/log-batch.model.ts';
import type { UsageRecord } from '../../shared/models/usage-record.model.ts';
import { isDuplicateKey } from '../../shared/mongo.ts';
import { ingestEntriesQueue } from '../../shared/queues/ingest-entries.queue.ts';
import { PermanentFailure } from '../../shared/queues/job-failure.ts';
import { defineProcessor } from '../define-processor.ts';
import { type ProcessedBatch, processBatch } from '../ingest/process-batch.ts';
import type { WorkerDeps } from '../worker-deps.ts';

/** Long enough to gather the records of a busy second, short enough that reads stay small. */
const rollUpDelayMs = 1000;

/**
 * Spooled entries become one log batch and one usage record, both under the batch's id: a second delivery finds what is
 * there already and writes what is not. The spool is cleared last, so until both are written nothing can be lost.
 */
export const ingestEntriesProcessor = defineProcessor(
  ingestEntriesQueue,
  async (
    { batchId, scenarioId, requestId, count },
    { models, spool, queues, scan, priceBook }: Pick<WorkerDeps, 'models' | 'spool' | 'queues' | 'scan' | 'priceBook'>,
  ) => {
    const scenario = await models.scenario.findOne({ _id: scenarioId, deletedAt: null }, { assumptions: 1 }).lean();
    if (!scenario) {
      // An earlier delivery may have written before it was cut off, and after the delete had passed.
      await withdraw(models, spool, batchId);
      throw gone(scenarioId);
    }
    const batch = await spool.read(batchId);
    if (!batch) {
      // Cleared by an earlier delivery that was cut off before it could say so, or expired.
      if (await models.usageRecord.exists({ _id: batchId })) return { accepted: count };
      throw new PermanentFailure(new AppError('INTERNAL_ERROR', 'The spooled entries have expired.'));
    }
    const processed = await processBatch(batch, scenario.assumptions, { scan, priceBook });
    await store(models, scenarioId, batchId, batch, processed);
    // A delete that ran meanwhile did not see what was just written; the mark on the scenario was there before it ran.
    if (!(await models.scenario.exists({ _id: scenarioId, deletedAt: null }))) {
      await withdraw(models, spool, batchId);
      throw gone(scenarioId);
    }
    await queues['roll-up-usage'].add(
      { scenarioId, requestId },
      { deduplication: { id: scenarioId }, delay: rollUpDelayMs },
    );
    await spool.clear(batchId);
    return { accepted: count };
  },
);

async function withdraw(models: Models, spool: IngestSpool, batchId: string): Promise<void> {
  await models.usageRecord.deleteOne({ _id: batchId });
  await models.logBatch.deleteOne({ _id: batchId });
  await spool.clear(batchId);
}

async function store(
  models: Models,
  scenarioId: string,
  batchId: string,
  { receivedAt }: SpooledBatch,
  { hours, ...processed }: ProcessedBatch,
): Promise<void> {
  const logBatch: LogBatch = {
    _id: batchId,
    scenarioId,
    receivedAt: new Date(receivedAt),
    ...processed,
  };
  const usageRecord: UsageRecord = { _id: batchId, scenarioId, open: true, hours };
  // By the driver: Mongoose would cast every field of a thousand entries that were built a line above.
  await Promise.all([
    insertOnce(models.logBatch.collection, logBatch),
    insertOnce(models.usageRecord.collection, usageRecord),
  ]);
}

async function insertOnce(
  collection: { insertOne(document: object): Promise<unknown> },
  document: LogBatch | UsageRecord,
): Promise<void> {
  try {
    await collection.insertOne(document);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

function gone(scenarioId: string): PermanentFailure {
  return new PermanentFailure(new AppError('NOT_FOUND', `Scenario ${scenarioId} does not exist.`));
}

import { isDuplicateKey, majority } from '../../shared/connections/mongo.ts';
import { AppError, unavailable } from '../../shared/errors.ts';
import { type IngestEntriesResult, ingestEntriesQueue } from '../../shared/ingest/ingest-entries.queue.ts';
import type { IngestOverflow } from '../../shared/ingest/ingest-overflow.ts';
import type { IngestSpool } from '../../shared/ingest/ingest-spool.ts';
import type { LogBatch } from '../../shared/ingest/log-batch.model.ts';
import { isUndecryptable, undecryptable } from '../../shared/ingest/spooled-batch.ts';
import type { Models } from '../../shared/models.ts';
import type { Metrics } from '../../shared/process/metrics/metrics.ts';
import { PermanentFailure } from '../../shared/queues/job-failure.ts';
import { isDeletedForGood } from '../../shared/scenarios/scenario.model.ts';
import type { StoredHours } from '../../shared/usage/packed-levels.ts';
import type { UsageRecord } from '../../shared/usage/usage-record.model.ts';
import { defineProcessor } from '../jobs/define-processor.ts';
import type { WorkerDeps } from '../worker-deps.ts';
import { startQueueingOverflow, sweepOverflow } from './queue-overflow.ts';

/** A batch of more entries is read from the database by the request that waits for it. */
const maxAnnouncedEntries = 20;

type Deps = Pick<
  WorkerDeps,
  'models' | 'spool' | 'overflow' | 'batchThreads' | 'metrics' | 'scenarioAssumptions' | 'priceBooks' | 'rollUpRequests'
>;

/**
 * Processes the spooled or overflowed entries of a batch and stores a log batch and a usage record.
 * Both have the batch's id, so a second delivery writes only what is missing. The entries are
 * removed after both, so that a crash loses none.
 */
export const ingestEntriesProcessor = defineProcessor(
  ingestEntriesQueue,
  async (
    { batchId, scenarioId, requestId, count },
    { models, spool, overflow, batchThreads, metrics, scenarioAssumptions, priceBooks, rollUpRequests }: Deps,
    { announceResult, step },
  ) => {
    /**
     * A deletion marks the scenario before it removes data, so that it can miss what is written
     * afterwards.
     */
    const requireScenario = async () => {
      if (!(await isDeletedForGood(models.scenario, scenarioId))) return;
      await removeBatch(batchId, { models, spool, overflow });
      throw new PermanentFailure(new AppError('NOT_FOUND', `Scenario ${scenarioId} does not exist.`));
    };
    const result = { accepted: count };
    step('read the spool');
    const [scenario, spooled] = await Promise.all([scenarioAssumptions.find(scenarioId), spool.readEncrypted(batchId)]);
    if (!scenario) {
      await requireScenario();
      throw unavailable('The scenario is read in two states.', 2);
    }
    const overflowed = spooled ? null : await overflow.read(batchId);
    const encrypted = spooled ?? overflowed?.encrypted;
    if (!encrypted) {
      await requireScenario();
      // Its file is lost. A repeat can have stored it again since.
      if (overflowed) await overflow.remove(batchId, overflowed.fileId);
      await requireUsage(models, batchId);
      await rollUpRequests.report(scenarioId, requestId);
      return result;
    }
    step('find personal data and usage', 10);
    const { tokenMultipliers } = await priceBooks.ofScenario(scenario);
    const { assumptions } = scenario;
    const processed = await batchThreads
      .run({ encrypted, batchId, assumptions, tokenMultipliers })
      .catch((error: unknown) => {
        // Retried, because a worker with the right secret can be about to start.
        throw isUndecryptable(error) ? unavailable(undecryptable, 2, error) : error;
      });
    const { usage, ...stored } = processed;
    step('store', 70);
    const batch: LogBatch = { _id: batchId, scenarioId, ...stored };
    const isNew = await storeBatch(models, batch, usage);
    // If something fails from here on, the next delivery finds the usage record, or that the
    // scenario is deleted.
    await requireScenario();
    // The entries count, whatever happens to the worker.
    if (isNew) {
      announceResult(toAnnounce(result, batch));
      countEntries(metrics, usage);
    }
    step('clear the spool', 95);
    // A repeat of a request can have left a batch in both. A worker that has not seen it without a
    // job leaves the second one to the sweep.
    const hasOverflow = overflowed !== null || overflow.usage.wasUsed();
    await Promise.all([
      spool.clear(batchId),
      hasOverflow ? overflow.remove(batchId) : undefined,
      rollUpRequests.report(scenarioId, requestId),
    ]);
    return result;
  },
  { startTask: startQueueingOverflow, sweep: sweepOverflow },
);

const toAnnounce = (result: IngestEntriesResult, batch: LogBatch): IngestEntriesResult =>
  result.accepted <= maxAnnouncedEntries ? { ...result, batch } : result;

/**
 * A batch without entries was completed by an earlier delivery, which was interrupted after it had
 * cleared them; or Redis has lost them.
 */
async function requireUsage(models: Models, batchId: string): Promise<void> {
  if (await models.usageRecord.exists({ _id: batchId })) return;
  throw new PermanentFailure(new AppError('SERVICE_UNAVAILABLE', 'The queue has lost these entries; send them again.'));
}

async function removeBatch(
  batchId: string,
  { models, spool, overflow }: { models: Models; spool: IngestSpool; overflow: IngestOverflow },
): Promise<void> {
  await models.usageRecord.deleteOne({ _id: batchId });
  await models.logBatch.deleteOne({ _id: batchId });
  await spool.clear(batchId);
  await overflow.remove(batchId);
}

function countEntries({ ingestEntries, ingestBytes, piiFindings }: Metrics, { hours }: StoredHours): void {
  for (const { logs, sizeBytes, pii } of hours) {
    ingestEntries.inc(Number(logs));
    ingestBytes.inc(Number(sizeBytes));
    for (const { type, count } of pii) piiFindings.inc({ type }, Number(count));
  }
}

/** @returns whether the batch is counted by this delivery, not by an earlier one. */
async function storeBatch(models: Models, batch: LogBatch, usage: StoredHours): Promise<boolean> {
  const { _id, scenarioId } = batch;
  const usageRecord: UsageRecord = { _id, scenarioId, open: true, ...usage };
  // Through the driver, because Mongoose would cast every field of up to a thousand entries.
  const [, isNew] = await Promise.all([
    insertOnce(models.logBatch.collection, batch),
    insertOnce(models.usageRecord.collection, usageRecord),
  ]);
  return isNew;
}

/**
 * Inserts a document, unless an earlier delivery has done it.
 * @returns whether it was inserted.
 * @throws AppError SERVICE_UNAVAILABLE while what the earlier delivery wrote can still be rolled
 * back.
 */
async function insertOnce(collection: Collection, document: LogBatch | UsageRecord): Promise<boolean> {
  try {
    await collection.insertOne(document as never);
    return true;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    const settled = await collection.findOne(
      { _id: document._id as never },
      { projection: { _id: 1 }, readConcern: majority },
    );
    if (!settled) throw unavailable('The batch of an earlier delivery is not settled.', 2, error);
    return false;
  }
}

type Collection = Models['logBatch' | 'usageRecord']['collection'];

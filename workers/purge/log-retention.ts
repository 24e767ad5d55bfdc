import { randomUUID } from 'node:crypto';
import type { Queues } from '../../shared/all-queues.ts';
import type { Config } from '../../shared/config/config.ts';
import { day } from '../../shared/durations.ts';
import type { Models } from '../../shared/models.ts';
import { oneRollUpOf } from '../../shared/usage/roll-up-usage.queue.ts';

/** Few enough for the time limit of one operation, on a slow database too. */
const portionSize = 500;

interface Deps {
  models: Models;
  queues: Queues;
  config: Pick<Config, 'logRetentionDays'>;
}

const receivedBefore = ({ config }: Pick<Deps, 'config'>) => ({
  $lt: new Date(Date.now() - config.logRetentionDays * day),
});

export async function countExpiredLogs(deps: Pick<Deps, 'models' | 'config'>): Promise<number> {
  let count = 0;
  for await (const scenarioId of scenarioIds(deps.models)) {
    count += await deps.models.logBatch.countDocuments({ scenarioId, receivedAt: receivedBefore(deps) });
  }
  return count;
}

/**
 * Removes the log batches that are older than the retention, and the emptied usage records of the
 * same ingest jobs. The records refuse a second delivery of a job, whose last attempt was days
 * before. Metrics stay: they are computed from the usage days, which include the records.
 * @returns the number of removed log batches.
 */
export async function removeExpiredLogs({ models, queues, config }: Deps): Promise<number> {
  let removed = 0;
  for await (const scenarioId of scenarioIds(models)) {
    const filter = { scenarioId, receivedAt: receivedBefore({ config }) };
    for (;;) {
      const expired = await models.logBatch.find(filter, { _id: 1 }).limit(portionSize).lean();
      if (expired.length === 0) break;
      const portion = await removeBatches(
        models,
        expired.map(({ _id }) => _id),
      );
      removed += portion.removed;
      // The roll-up of these records was lost. Their batches are removed next time.
      if (portion.pending) {
        const job = { scenarioId, requestId: randomUUID() };
        await queues['roll-up-usage'].add(job, oneRollUpOf(scenarioId));
      }
      if (portion.removed === 0) break;
    }
  }
  return removed;
}

/** Removes batches and their emptied usage records; keeps both where the record is pending. */
async function removeBatches(models: Models, ids: string[]): Promise<{ removed: number; pending: boolean }> {
  // The log batch is removed last, because the usage record is found by its id.
  await models.usageRecord.deleteMany({ _id: { $in: ids }, open: { $exists: false } });
  const pending = await models.usageRecord.find({ _id: { $in: ids } }, { _id: 1 }).lean();
  const kept = new Set(pending.map(({ _id }) => _id));
  const { deletedCount } = await models.logBatch.deleteMany({ _id: { $in: ids.filter((id) => !kept.has(id)) } });
  return { removed: deletedCount, pending: kept.size > 0 };
}

async function* scenarioIds(models: Models): AsyncGenerator<string> {
  let last = '';
  for (;;) {
    const page = await models.scenario
      .find({ _id: { $gt: last } }, { _id: 1 })
      .sort({ _id: 1 })
      .limit(portionSize)
      .lean();
    for (const { _id } of page) yield _id;
    const end = page.at(-1);
    if (!end) return;
    last = end._id;
  }
}

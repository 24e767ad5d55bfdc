import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { day, hour } from '../shared/durations.ts';
import type { Models } from '../shared/models/index.ts';
import type { Queues } from '../shared/queues/index.ts';

/** Few enough for the time limit of one operation, on a slow database too. */
const portionSize = 500;
const interval = hour;

interface Options {
  models: Models;
  queues: Queues;
  retentionDays: number;
}

/** Removes expired logs once an hour, in one of all workers. The others return at once. */
export async function removeExpiredLogsHourly(options: Options & { redis: Redis; prefix: string }): Promise<void> {
  const claimed = await options.redis.set(`${options.prefix}:log-retention`, '1', 'PX', interval, 'NX');
  if (claimed !== null) await removeExpiredLogs(options);
}

/**
 * Removes the log batches that are older than the retention, and the emptied usage records of the same ingest jobs. Those
 * exist to refuse a second delivery of a job, which ends with the job's last attempt, days before. Metrics stay: they are
 * computed from the usage days, which include what the records had.
 * @returns the number of removed log batches.
 */
export async function removeExpiredLogs({ models, queues, retentionDays }: Options): Promise<number> {
  const receivedBefore = new Date(Date.now() - retentionDays * day);
  let removed = 0;
  for await (const scenarioId of scenarioIds(models)) {
    const filter = { scenarioId, receivedAt: { $lt: receivedBefore } };
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
        await queues['roll-up-usage'].add(job, { deduplication: { id: scenarioId } });
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

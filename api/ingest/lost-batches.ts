import type { Queues } from '../../shared/all-queues.ts';
import { withRedis } from '../../shared/connections/redis.ts';
import type { IngestSpool } from '../../shared/ingest/ingest-spool.ts';
import type { Models } from '../../shared/models.ts';
import { endOf } from '../../shared/queues/job-failure.ts';
import type { Operation } from '../http/context.ts';

interface Deps {
  models: Pick<Models, 'logBatch' | 'usageRecord' | 'overflowedBatch'>;
  spool: IngestSpool;
  queues: Queues;
}

/**
 * Finds the batches of an operation that the database does not have and no worker will process:
 * Redis has lost them, or an earlier attempt has not queued them. They are queued again, under the
 * same ids.
 *
 * No batch is counted twice, in whatever order a repeat, a job of an earlier attempt and a loss
 * happen. A batch counts by the insert of its usage record, whose primary key is the id of the
 * batch, so of any number of deliveries one counts. This holds as long as the record exists. A
 * roll-up empties it and does not remove it. A purge removes it `LOG_RETENTION_DAYS` (at least 7)
 * after the time of receipt, which is that of the first attempt, and the key of the operation ends
 * after one day. A deletion removes it with its scenario, for which no batch is queued or counted.
 *
 * So a result that is too long costs only work. A result that is too short would lose entries. A
 * batch is left out only if both its documents are stored, or if its job has not failed and its
 * entries are spooled, or if it has overflowed. A job clears the spool after both documents are
 * stored.
 */
export async function findLostBatches(ids: readonly string[], deps: Deps): Promise<Set<string>> {
  const lost = await findUncounted(ids, deps);
  const overflowed = await deps.models.overflowedBatch.find({ _id: { $in: [...lost] } }, { _id: 1 }).lean();
  for (const { _id } of overflowed) lost.delete(_id);
  await Promise.all(
    [...lost].map(async (id) => {
      if (await withRedis(() => isQueued(id, deps))) lost.delete(id);
    }),
  );
  return lost;
}

/** Finds the batches that lack one of the two documents that a worker writes. */
export async function findUncounted(
  ids: readonly string[],
  { models: { logBatch, usageRecord } }: { models: Pick<Deps['models'], 'logBatch' | 'usageRecord'> },
): Promise<Set<string>> {
  const filter = { _id: { $in: ids } };
  const [batches, records] = await Promise.all([
    logBatch.find(filter, { _id: 1 }).lean<{ _id: string }[]>(),
    usageRecord.find(filter, { _id: 1 }).lean<{ _id: string }[]>(),
  ]);
  const [stored, counted] = [batches, records].map((found) => new Set(found.map(({ _id }) => _id)));
  return new Set(ids.filter((id) => !stored?.has(id) || !counted?.has(id)));
}

/**
 * Whether a job will process the batch. A failed job is removed, because it prevents that another
 * one is added.
 */
async function isQueued(id: string, { spool, queues }: Pick<Deps, 'spool' | 'queues'>): Promise<boolean> {
  const [isSpooled, job] = await Promise.all([spool.has(id), queues['ingest-entries'].findJob(id)]);
  if (!job) return false;
  if (endOf(job) !== 'failed') return isSpooled;
  // Another repeat can have done it, and a worker can have its new job.
  await job.remove().catch(() => {});
  return false;
}

/**
 * Time of receipt of an operation's entries, in epoch milliseconds: that of its first attempt, for
 * all attempts alike.
 */
export const receiptTimeOf = (operation: Operation | undefined): number => operation?.begunAt.getTime() ?? Date.now();

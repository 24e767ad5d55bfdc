import type { Redis } from 'ioredis';
import type { Db } from 'mongodb';

/**
 * Lists what must be gone when nothing is in progress: jobs that are not finished, locks, and in
 * the database what a job still has to do.
 */
export async function findLeftovers(redis: Redis, prefix: string, database: Db): Promise<string[]> {
  return [...(await leftoversInRedis(redis, prefix)), ...(await leftoversInDatabase(database))];
}

async function leftoversInRedis(redis: Redis, prefix: string): Promise<string[]> {
  const found: string[] = [];
  for await (const keys of redis.scanStream({ match: `${prefix}:*`, count: 500 })) {
    for (const key of keys as string[]) {
      const name = key.slice(prefix.length + 1);
      if (/:lock$|^notebook-lock:/.test(name)) found.push(`lock ${name}`);
      else if (/^[\w-]+:(?:active|wait|paused)$/.test(name))
        found.push(...(await redis.lrange(key, 0, -1)).map((id) => `job ${id} in ${name}`));
      else if (/^[\w-]+:(?:delayed|prioritized|waiting-children)$/.test(name))
        found.push(...(await redis.zrange(key, '0', '-1')).filter(isOneJob).map((id) => `job ${id} in ${name}`));
    }
  }
  return found;
}

/** Not the next job of a scheduler, which waits for its time. */
const isOneJob = (id: string) => !id.startsWith('repeat:');

async function leftoversInDatabase(database: Db): Promise<string[]> {
  const list = async (collection: string, filter: object, what: string) => {
    const rows = await database
      .collection(collection)
      .find(filter, { projection: { _id: 1 } })
      .toArray();
    return rows.map(({ _id }) => `${what} ${String(_id)}`);
  };
  return (
    await Promise.all([
      list('scenarios', { deletedAt: { $type: 'date' } }, 'deleted scenario that is not removed'),
      list('scenarios', { 'pendingAudit.at': { $type: 'date' } }, 'event without an audit record, of scenario'),
      list('log_batches', { state: { $ne: 'stored' } }, 'batch that is not processed'),
      list('log_batches', { state: 'stored', counted: false }, 'batch that is not in an hour'),
      list('usage_plans', { open: true }, 'open plan of scenario'),
      list('audit_intents', { closed: true }, 'ended operation without an audit record'),
      list(
        'idempotency_records',
        { attemptId: { $type: 'string' }, response: { $exists: false }, lockedUntil: { $gt: new Date() } },
        'locked idempotency key',
      ),
    ])
  ).flat();
}

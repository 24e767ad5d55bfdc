import type { Redis } from 'ioredis';
import type { Models } from '../models.ts';
import { errorFields, type Log } from '../process/log.ts';
import type { ChainLink } from './audit-chain.ts';

/**
 * The end of the chain, noted in Redis and in the log. The chain alone does not show that its last
 * records are missing, or that all of it was computed anew.
 */

const keyOf = (prefix: string) => `${prefix}:audit-head`;

/** @returns null if no end was noted. */
export async function readNotedHead(redis: Redis, prefix: string): Promise<ChainLink | null> {
  const noted = await redis.get(keyOf(prefix));
  return noted === null ? null : (JSON.parse(noted) as ChainLink);
}

/**
 * Notes the end of the chain after an append. A noted end that the chain contradicts stays, for the
 * verification to find; one that is further on was noted by another process.
 */
export async function noteHead(
  { models, redis, prefix, log }: { models: Pick<Models, 'auditRecord'>; redis: Redis; prefix: string; log: Log },
  { before, after }: { before: ChainLink; after: ChainLink },
): Promise<void> {
  log.info('audit records appended', { first_seq: before.seq + 1, last_seq: after.seq, hash: after.hash });
  try {
    const noted = await readNotedHead(redis, prefix);
    if (noted && noted.seq > after.seq) return;
    const record = noted && (await models.auditRecord.findOne({ seq: noted.seq }, { hash: 1 }).lean());
    if (noted && record?.hash !== noted.hash) {
      log.error('audit records were changed or removed: the chain contradicts the end that was noted', {
        seq: noted.seq,
      });
      return;
    }
    await redis.set(keyOf(prefix), JSON.stringify({ seq: after.seq, hash: after.hash }));
  } catch (error) {
    log.warn('end of the audit records not noted', errorFields(error));
  }
}

import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Config } from '../shared/config/config.ts';
import { minute } from '../shared/durations.ts';
import type { Models } from '../shared/models/index.ts';
import { deletionJobId } from '../shared/queues/delete-scenario.queue.ts';
import type { Queues } from '../shared/queues/index.ts';
import { errorFields, type Log } from '../shared/runtime/log.ts';
import { closeAbandonedIntents } from '../shared/services/audit-outbox.ts';
import { removeExpiredLogsHourly } from './log-retention.ts';

const interval = minute;

/**
 * Adds the jobs of scenarios marked as deleted and of audit events, at once and then every minute, and removes expired
 * logs every hour. A job is missing if the API process ended before adding the job, or if Redis lost the job. All workers
 * can sweep concurrently, because a job id is added only once, and further jobs for audit events find nothing to do.
 * @returns a function that ends the sweep.
 */
export function startSweep(options: {
  models: Models;
  queues: Queues;
  redis: Redis;
  config: Pick<Config, 'redisPrefix' | 'logRetentionDays'>;
  log: Log;
}): () => void {
  const { config, log } = options;
  const logs = { ...options, prefix: config.redisPrefix, retentionDays: config.logRetentionDays };
  const warn = (error: unknown) => log.warn('sweep failed', errorFields(error));
  const run = () => {
    sweepDeletedScenarios(options).catch(warn);
    sweepAuditEvents(options).catch(warn);
    removeExpiredLogsHourly(logs).catch(warn);
  };
  run();
  const timer = setInterval(run, interval);
  return () => clearInterval(timer);
}

export async function sweepDeletedScenarios({ models, queues }: { models: Models; queues: Queues }): Promise<void> {
  const deleted = await models.scenario.find({ deletedAt: { $type: 'date' } }, { _id: 1 }).lean();
  for (const { _id: scenarioId } of deleted) {
    await queues['delete-scenario'].add({ scenarioId, requestId: randomUUID() }, { jobId: deletionJobId(scenarioId) });
  }
}

/** Adds a job for events that wait, and for operations whose process ended. */
export async function sweepAuditEvents({ models, queues }: { models: Models; queues: Queues }): Promise<void> {
  await closeAbandonedIntents(models);
  const waiting =
    (await models.scenario.exists({ 'pendingAudit.at': { $type: 'date' } })) ??
    (await models.auditIntent.exists({ closed: true }));
  // Without deduplication, so that no state of Redis can prevent it.
  if (waiting) await queues['append-audit-records'].add({ requestId: randomUUID() });
}

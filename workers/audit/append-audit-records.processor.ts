import { randomUUID } from 'node:crypto';
import { appendAuditRecordsQueue } from '../../shared/audit/append-audit-records.queue.ts';
import { appendPendingEvents, closeAbandonedIntents } from '../../shared/audit/audit-outbox.ts';
import { defineProcessor, type SweepDeps } from '../jobs/define-processor.ts';

/** Appends the audit records of all waiting events, also those of other requests. */
export const appendAuditRecordsProcessor = defineProcessor(
  appendAuditRecordsQueue,
  async (_payload, deps, { reportProgress }) => ({
    appended: await appendPendingEvents(deps, { onStep: reportProgress }),
  }),
  { sweep: sweepAuditEvents },
);

/**
 * Adds a job for events that wait, and closes the intents of operations whose process has ended.
 */
export async function sweepAuditEvents({ models, queues }: SweepDeps): Promise<void> {
  await closeAbandonedIntents(models);
  const waiting =
    (await models.scenario.exists({ 'pendingAudit.at': { $type: 'date' } })) ??
    (await models.auditIntent.exists({ closed: true }));
  // Without deduplication, so that no state of Redis can prevent it.
  if (waiting) await queues['append-audit-records'].add({ requestId: randomUUID() });
}

import { appendAuditRecordsQueue } from '../../shared/audit/append-audit-records.queue.ts';
import { appendPendingEvents, type OutboxDeps } from '../../shared/audit/audit-outbox.ts';
import { defineProcessor } from '../jobs/define-processor.ts';

/** Appends the audit records of all waiting events, also those of other requests. */
export const appendAuditRecordsProcessor = defineProcessor(
  appendAuditRecordsQueue,
  async (_payload, deps: OutboxDeps, { reportProgress }) => ({
    appended: await appendPendingEvents(deps, { onStep: reportProgress }),
  }),
);

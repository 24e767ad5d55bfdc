// Every queue of the service, one line each.
export { appendAuditRecordsQueue } from './audit/append-audit-records.queue.ts';
export { ingestEntriesQueue } from './ingest/ingest-entries.queue.ts';
export { notebookCallsQueue } from './notebooks/notebook-calls.queue.ts';
export { purgeQueue } from './purge/purge.queue.ts';
export { renderCsvQueue, renderReportQueue } from './reports/render-report.queue.ts';
export { runReportScheduleQueue } from './reports/run-report-schedule.queue.ts';
export { deleteScenarioQueue } from './scenarios/delete-scenario.queue.ts';
export { rollUpUsageQueue } from './usage/roll-up-usage.queue.ts';

// Every queue of the service, one line each.
export { appendAuditRecordsQueue } from './append-audit-records.queue.ts';
export { deleteScenarioQueue } from './delete-scenario.queue.ts';
export { ingestEntriesQueue } from './ingest-entries.queue.ts';
export { notebookCallsQueue } from './notebook-calls.queue.ts';
export { purgeQueue } from './purge.queue.ts';
export { renderCsvQueue } from './render-csv.queue.ts';
export { renderReportQueue } from './render-report.queue.ts';
export { rollUpUsageQueue } from './roll-up-usage.queue.ts';
export { runReportScheduleQueue } from './run-report-schedule.queue.ts';

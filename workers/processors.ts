// Every processor, one line each.
export { appendAuditRecordsProcessor } from './audit/append-audit-records.processor.ts';
export { ingestEntriesProcessor } from './ingest/ingest-entries.processor.ts';
export { notebookCallsProcessor } from './notebooks/notebook-calls.processor.ts';
export { purgeProcessor } from './purge/purge.processor.ts';
export { renderCsvProcessor, renderReportProcessor } from './reports/render-report.processor.ts';
export { runReportScheduleProcessor } from './reports/run-report-schedule.processor.ts';
export { deleteScenarioProcessor } from './scenarios/delete-scenario.processor.ts';
export { rollUpUsageProcessor } from './usage/roll-up-usage.processor.ts';

// Every processor, one line each.
export { deleteScenarioProcessor } from './delete-scenario.processor.ts';
export { ingestEntriesProcessor } from './ingest-entries.processor.ts';
export { notebookCallsProcessor } from './notebook-calls.processor.ts';
export { purgeProcessor } from './purge.processor.ts';
export { renderReportProcessor } from './render-report.processor.ts';
export { rollUpUsageProcessor } from './roll-up-usage.processor.ts';
export { runReportScheduleProcessor } from './run-report-schedule.processor.ts';

// Every processor, one line each.
export { appendAuditRecordsProcessor } from './append-audit-records.processor.ts';
export { deleteScenarioProcessor } from './delete-scenario.processor.ts';
export { ingestEntriesProcessor } from './ingest-entries.processor.ts';
export { notebookCallsProcessor } from './notebook-calls.processor.ts';
export { rollUpUsageProcessor } from './roll-up-usage.processor.ts';

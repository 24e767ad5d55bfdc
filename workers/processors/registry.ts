// Every processor, one line each.
export { deleteScenarioProcessor } from './delete-scenario.processor.ts';
export { ingestEntriesProcessor } from './ingest-entries.processor.ts';
export { notebookCallsProcessor } from './notebook-calls.processor.ts';
export { rollUpUsageProcessor } from './roll-up-usage.processor.ts';

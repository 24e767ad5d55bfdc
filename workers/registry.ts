import type { QueueName } from '../shared/queues/index.ts';
import { deleteScenario } from './processors/delete-scenario.processor.ts';
import { foldUsage } from './processors/fold-usage.processor.ts';
import { ingestEntries } from './processors/ingest-entries.processor.ts';
import { notebookCalls } from './processors/notebook-calls.processor.ts';
import type { Processor } from './run-processor.ts';

/** Which processor does the jobs of which queue: a queue without one does not compile. */
export const processors: { readonly [Name in QueueName]: Processor<Name> } = {
  'ingest-entries': ingestEntries,
  'fold-usage': foldUsage,
  'delete-scenario': deleteScenario,
  'notebook-calls': notebookCalls,
};

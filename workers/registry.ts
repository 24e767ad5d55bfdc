import type { QueueName } from '../shared/queues/index.ts';
import { deleteScenario } from './processors/delete-scenario.processor.ts';
import { ingestEntries } from './processors/ingest-entries.processor.ts';
import { notebookCalls } from './processors/notebook-calls.processor.ts';
import { rollUpUsage } from './processors/roll-up-usage.processor.ts';
import type { Processor } from './run-processor.ts';

/** Which processor does the jobs of which queue: a queue without one does not compile. */
export const processors: { readonly [Name in QueueName]: Processor<Name> } = {
  'ingest-entries': ingestEntries,
  'roll-up-usage': rollUpUsage,
  'delete-scenario': deleteScenario,
  'notebook-calls': notebookCalls,
};

import { processorsByQueue } from './jobs/define-processor.ts';
import * as registry from './processors.ts';

/** The processors, by the name of the queue. */
export const allProcessors = processorsByQueue(registry);

import { processorsByQueue } from '../processors-by-queue.ts';
import * as registry from './registry.ts';

/** Which processor does the jobs of which queue. */
export const allProcessors = processorsByQueue(registry);

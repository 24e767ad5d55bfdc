import { processorsByQueue } from '../processors-by-queue.ts';
import * as registry from './registry.ts';

/** The processors, by the name of the queue. */
export const allProcessors = processorsByQueue(registry);

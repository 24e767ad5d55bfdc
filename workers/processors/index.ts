import { processorsByQueue } from '../processors-by-queue.ts';
import * as registry from './registry.ts';

/** The processors by the names of their queues. */
export const allProcessors = processorsByQueue(registry);

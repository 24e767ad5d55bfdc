import type { PayloadOf, QueueName, ResultOf } from '../shared/all-queues.ts';
import type { Processor } from './jobs/define-processor.ts';
import * as registry from './processors.ts';

type ProcessedQueue = (typeof registry)[keyof typeof registry]['queue']['name'];

export type ProcessorsByQueue = {
  readonly [Name in QueueName]: Processor<Name, PayloadOf<Name>, ResultOf<Name>>;
};

/** The processors, by the name of the queue. A queue without one does not compile. */
export const allProcessors: ProcessorsByQueue = Object.fromEntries(
  Object.values(registry).map((processor) => [processor.queue.name, processor]),
) as unknown as Pick<ProcessorsByQueue, ProcessedQueue>;

import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import Joi from 'joi';
import { allQueues } from '../../../shared/all-queues.ts';
import { minute } from '../../../shared/durations.ts';
import { cappedBackoff, defineQueue, type JobPayload } from '../../../shared/queues/define-queue.ts';
import { rollUpUsageQueue } from '../../../shared/usage/roll-up-usage.queue.ts';
import { allProcessors } from '../../../workers/all-processors.ts';
import { defineProcessor, processorsByQueue } from '../../../workers/jobs/define-processor.ts';
import * as registry from '../../../workers/processors.ts';

const unregisteredQueue = defineQueue<JobPayload, void>()({
  name: 'unregistered',
  jobName: () => 'unregistered',
  payload: Joi.object<JobPayload>({ requestId: Joi.string().uuid().required() }),
  concurrency: 1,
  attempts: 1,
  backoff: cappedBackoff(minute),
  maxStalledCount: 1,
  keepCompleted: { count: 100 },
  keepFailed: { count: 100 },
});

describe('the registry of processors', () => {
  it('has the processor of every file, under the name of its queue', () => {
    const files = readdirSync(new URL('../../../workers', import.meta.url), { recursive: true }).map(String);
    const stems = files.flatMap((file) => /([^/\\]+)\.processor\.ts$/.exec(file)?.[1] ?? []);
    expect(Object.keys(allProcessors)).to.have.members(stems).and.to.have.members(Object.keys(allQueues));
    for (const [name, { queue }] of Object.entries(allProcessors)) expect(queue.name).to.equal(name);
  });

  it('has one processor for every queue, by the compiler and at start', () => {
    const { rollUpUsageProcessor, ...incomplete } = registry;
    // @ts-expect-error -- queue roll-up-usage has no processor
    expect(() => processorsByQueue(incomplete)).to.throw(TypeError, 'Queue roll-up-usage has no processor.');
    const double = { ...registry, again: rollUpUsageProcessor };
    // @ts-expect-error -- queue roll-up-usage has two processors
    expect(() => processorsByQueue(double)).to.throw(TypeError, 'Queue roll-up-usage has two processors.');
    const beyond = { ...registry, unregisteredProcessor: defineProcessor(unregisteredQueue, async () => {}) };
    // @ts-expect-error -- queue unregistered is missing from shared/queues.ts
    expect(() => processorsByQueue(beyond)).to.throw(TypeError, 'Queue unregistered is missing from shared/queues.ts.');
  });

  it('has no processor that needs more than a worker provides, by the compiler', () => {
    const greedy = defineProcessor(rollUpUsageQueue, async (_payload, { mailer }: { mailer: () => number }) => ({
      counted: mailer(),
    }));
    // @ts-expect-error -- Property 'mailer' is missing in type 'WorkerDeps'
    expect(Object.keys(processorsByQueue({ ...registry, rollUpUsageProcessor: greedy }))).to.include('roll-up-usage');
    const task = { startTask: ({ mailer }: { mailer: () => () => void }) => mailer() };
    const background = defineProcessor(rollUpUsageQueue, async () => ({ counted: 0 }), task);
    // @ts-expect-error -- Property 'mailer' is missing in type 'WorkerDeps'
    expect(Object.keys(processorsByQueue({ ...registry, rollUpUsageProcessor: background }))).to.include(
      'roll-up-usage',
    );
  });

  it('has no processor with a payload or a result of another type than its queue, by the compiler', () => {
    // @ts-expect-error -- Property 'batchId' does not exist
    expect(defineProcessor(rollUpUsageQueue, async ({ batchId }) => ({ counted: Number(batchId) }))).to.be.an('object');
    // @ts-expect-error -- Property 'counted' is missing
    expect(defineProcessor(rollUpUsageQueue, async () => ({ removed: 1 }))).to.be.an('object');
  });
});

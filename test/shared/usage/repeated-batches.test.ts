import { expect } from 'chai';
import { readConsistently } from '../../../shared/usage/read-usage.ts';
import { rollUp } from '../../../shared/usage/roll-up.ts';
import { createUsageStore, type UncountedBatch, type UsageStore } from '../../../shared/usage/usage-store.ts';
import { createRunningScenario, getMetrics } from '../../support/requests.ts';
import { storeBatches } from '../../support/stored-batches.ts';
import { startTestService } from '../../support/test-service.ts';

/** A database whose cursors read every batch twice, as one whose state changes during the read. */
function readingTwice(store: UsageStore): UsageStore {
  const twice = <Found>(find: () => AsyncIterable<Found>) =>
    (async function* () {
      yield* find();
      yield* find();
    })();
  return {
    ...store,
    findStored: () => twice(() => store.findStored()),
    findBatches: (ids) => twice(() => store.findBatches(ids)),
    findUncounted: (options) => twice(() => store.findUncounted(options)),
  };
}

describe('a batch that a cursor reads twice', () => {
  const service = startTestService({ workers: false });

  it('counts once, in a read and in a roll-up', async () => {
    const { id } = await createRunningScenario(service);
    const { models } = service.app;
    const hour = new Date('2026-05-01T10:00:00Z');
    await storeBatches(models, id, [{ hour, logs: 2, sizeBytes: 2, queues: {}, functions: {}, inference: {} }]);
    const store = readingTwice(createUsageStore(models, id));
    const source = { store, scenarioId: id, period: {}, withLevels: false, maxUncounted: 100 };
    const read = () =>
      readConsistently(source, async (readDays) => {
        let logs = 0n;
        for await (const hours of readDays(() => 'hours')) for (const one of hours) logs += one.logs;
        return logs;
      });
    expect(await read()).to.equal(2n);
    const hooks = { isScenarioDeleted: async () => false, step: () => {}, reportProgress: () => {} };
    expect(await rollUp(store, id, hooks)).to.equal(1);
    expect(await read()).to.equal(2n);
    expect((await getMetrics(service, id)).totals.logs).to.equal(2);
  });
});

describe('a plan that is carried out again', () => {
  const service = startTestService({ workers: false });

  it('counts all of its batches, in whatever order they are read', async () => {
    const { id } = await createRunningScenario(service);
    const { models } = service.app;
    const empty = { logs: 1, sizeBytes: 1, queues: {}, functions: {}, inference: {} };
    const hoursFrom = (first: number, count: number) =>
      Array.from({ length: count }, (_, at) => ({ hour: new Date(Date.UTC(2020, 0, 1, first + at)), ...empty }));
    // One hour, and ten times a thousand: the bound of a plan, reached by its last batch.
    await storeBatches(models, id, hoursFrom(0, 1));
    for (let number = 0; number < 10; number += 1) await storeBatches(models, id, hoursFrom(1000 * number, 1000));
    const store = createUsageStore(models, id);
    const hooks = { isScenarioDeleted: async () => false, step: () => {}, reportProgress: () => {} };
    const endsAfterOpening = {
      ...store,
      openPlan: async (...plan: Parameters<typeof store.openPlan>) => {
        await store.openPlan(...plan);
        throw new Error('The reply is lost.');
      },
    };
    expect(await rollUp(endsAfterOpening, id, hooks).catch((error: Error) => error.message)).to.contain('lost');
    const reversed = {
      ...store,
      findBatches: async function* (ids: readonly string[]) {
        const found: UncountedBatch[] = [];
        for await (const batch of store.findBatches(ids)) found.unshift(batch);
        found.sort((one, other) => (other.usage?.length ?? 0) - (one.usage?.length ?? 0));
        yield* found;
      },
    };
    await rollUp(reversed, id, hooks);
    expect((await getMetrics(service, id)).totals.logs).to.equal(10_001);
  });
});

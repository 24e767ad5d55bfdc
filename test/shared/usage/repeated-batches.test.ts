import { expect } from 'chai';
import { readConsistently } from '../../../shared/usage/read-usage.ts';
import { rollUp } from '../../../shared/usage/roll-up.ts';
import { createUsageStore, type UsageStore } from '../../../shared/usage/usage-store.ts';
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
        let logs = 0;
        for await (const hours of readDays(() => 'hours')) for (const one of hours) logs += Number(one.logs);
        return logs;
      });
    expect(await read()).to.equal(2);
    const hooks = { isScenarioDeleted: async () => false, reportProgress: () => {} };
    expect(await rollUp(store, id, hooks)).to.equal(1);
    expect(await read()).to.equal(2);
    expect((await getMetrics(service, id)).totals.logs).to.equal(2);
  });
});

import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { hour } from '../../shared/durations.ts';
import type { HourUsage } from '../../shared/pricing/usage.ts';
import { readUsage } from '../../shared/usage-ledger.ts';
import { rollUpUsageProcessor } from '../../workers/processors/roll-up-usage.processor.ts';
import { createScenario } from '../support/requests.ts';
import { testService } from '../support/test-service.ts';

const start = Date.UTC(2026, 4, 1, 20);

/** Usage of one entry in each of some hours, counted from `start`. */
function oneEntryIn(...hours: number[]): HourUsage[] {
  return hours.map((offset) => ({
    hour: new Date(start + offset * hour),
    logs: 1n,
    sizeBytes: 10n,
    piiLogs: 0n,
    pii: [],
    queues: [{ type: 'standard', requests: 1n }],
    // Beyond what a number can count.
    functions: [{ architecture: 'x86_64', invocations: 1n, mbMs: 9_007_199_254_740_993n, otherMemoryInvocations: 0n }],
    inference: [],
  }));
}

describe('the usage of a scenario', () => {
  const service = testService({ workers: false });
  const models = () => service.app.models;

  const addRecords = async (scenarioId: string, count: number, hours: number[]) => {
    await models().usageRecord.collection.insertMany(
      Array.from({ length: count }, () => ({
        _id: randomUUID() as never,
        scenarioId,
        open: true,
        hours: oneEntryIn(...hours),
      })),
    );
  };
  const logsOf = async (scenarioId: string) =>
    (await readUsage(models(), scenarioId)).reduce((sum, { logs }) => sum + Number(logs), 0);
  const rollUp = (scenarioId: string) =>
    rollUpUsageProcessor.run({ scenarioId, requestId: randomUUID() }, service.app, { number: 1, first: true });

  it('is the same before and after a roll-up, to the last digit', async () => {
    const { id } = await createScenario(service);
    await addRecords(id, 7, [0, 3, 4, 30]);
    const before = await readUsage(models(), id);
    expect(before.map(({ hour: at, logs }) => [(at.getTime() - start) / hour, logs])).to.deep.equal([
      [0, 7n],
      [3, 7n],
      [4, 7n],
      [30, 7n],
    ]);
    expect(before[0]?.functions[0]?.mbMs).to.equal(7n * 9_007_199_254_740_993n);
    expect(await rollUp(id)).to.deep.equal({ merged: 7 });
    expect(await readUsage(models(), id)).to.deep.equal(before);
    expect(await models().usageDay.countDocuments({ scenarioId: id })).to.equal(3);
    expect(await models().usageRecord.countDocuments({ scenarioId: id, open: true })).to.equal(0);
    expect(await models().usageRecord.countDocuments({ scenarioId: id }), 'their ids stay').to.equal(7);
    expect(await rollUp(id)).to.deep.equal({ merged: 0 });

    await addRecords(id, 2, [3]);
    await rollUp(id);
    expect(await logsOf(id)).to.equal(30);
    expect(await models().usageDay.countDocuments({ scenarioId: id }), 'replaced days go').to.equal(3);
  });

  it('can be read for a period', async () => {
    const { id } = await createScenario(service);
    await addRecords(id, 1, [0, 3, 4, 30]);
    const period = { from: new Date(start + 3 * hour), to: new Date(start + 30 * hour) };
    const hoursIn = async () =>
      (await readUsage(models(), id, period)).map(({ hour: at }) => (at.getTime() - start) / hour);
    expect(await hoursIn()).to.deep.equal([3, 4]);
    await rollUp(id);
    expect(await hoursIn()).to.deep.equal([3, 4]);
  });

  it('is exact at every instant while records arrive and several roll-ups run at once', async () => {
    const { id } = await createScenario(service);
    const rounds = 25;
    const progress = { written: 0, writing: true };
    const writer = async () => {
      for (let round = 0; round < rounds; round += 1) {
        await addRecords(id, 20, [round % 30, 29]);
        progress.written += 40;
      }
      progress.writing = false;
    };
    const roller = async () => {
      while (progress.writing) await rollUp(id);
    };
    const reader = async () => {
      let reads = 0;
      while (progress.writing) {
        const atLeast = progress.written;
        const logs = await logsOf(id);
        // A record being written may be seen already; nothing else may be too many, and nothing missing.
        expect(logs).to.be.within(atLeast, progress.written + 40);
        expect(logs % 2, 'records count whole').to.equal(0);
        reads += 1;
      }
      expect(reads).to.be.greaterThan(0);
    };
    await Promise.all([writer(), roller(), roller(), roller(), reader(), reader()]);
    await rollUp(id);
    expect(await logsOf(id)).to.equal(rounds * 40);
    expect(await models().usageRecord.countDocuments({ scenarioId: id, open: true })).to.equal(0);
  });

  it('counts records once when a roll-up was cut off after its compare-and-set', async () => {
    const { id } = await createScenario(service);
    await addRecords(id, 3, [0]);
    await rollUp(id);
    await addRecords(id, 4, [0, 26]);
    const records = await models().usageRecord.find({ scenarioId: id, open: true }).lean();
    // As if the process had died right after the compare-and-set: the records still look pending.
    await rollUp(id);
    await models().usageRecord.collection.updateMany(
      { _id: { $in: records.map(({ _id }) => _id as never) } },
      { $set: { open: true, hours: oneEntryIn(0, 26) } },
    );
    await models().usageLedger.updateOne({ _id: id }, { $set: { covered: records.map(({ _id }) => _id) } });
    expect(await logsOf(id)).to.equal(11);
    await rollUp(id);
    expect(await logsOf(id)).to.equal(11);
  });

  it('leaves nothing behind when the scenario was deleted', async () => {
    const { id } = await createScenario(service);
    await addRecords(id, 3, [0]);
    await models().scenario.updateOne({ _id: id }, { $set: { deletedAt: new Date() } });
    expect(await rollUp(id)).to.deep.equal({ merged: 0 });
    expect(await models().usageLedger.countDocuments({ _id: id })).to.equal(0);
    expect(await models().usageDay.countDocuments({ scenarioId: id })).to.equal(0);
  });
});

import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { AppError } from '../../../shared/errors.ts';
import { retainedRollUpIds } from '../../../shared/usage/usage-ledger.model.ts';
import { rollUpUsageProcessor } from '../../../workers/usage/roll-up-usage.processor.ts';
import { buildHour } from '../../shared/cost/build-usage.ts';
import type { MongoCommand } from '../../support/mongo-command-proxy.ts';
import { readHours } from '../../support/read-hours.ts';
import { createScenario } from '../../support/requests.ts';
import { startServiceBehindProxy } from '../../support/service-behind-proxy.ts';

describe('a roll-up with faults of the database', () => {
  const { service, proxy } = startServiceBehindProxy();

  const addRecords = async (scenarioId: string, count: number, ...hours: number[]) => {
    const records = Array.from({ length: count }, () => ({
      _id: randomUUID() as never,
      scenarioId,
      open: true,
      hours: [0, ...hours].map((at) => buildHour({ at, queue: 1n })),
    }));
    await service.app.models.usageRecord.collection.insertMany(records);
  };
  const rollUp = (scenarioId: string, reportProgress = () => {}) =>
    rollUpUsageProcessor.run({ scenarioId, requestId: randomUUID() }, service.app, {
      number: 1,
      first: true,
      step: () => {},
      reportProgress,
      announceResult: () => {},
    });
  const countLogs = async (scenarioId: string) =>
    (await readHours(service.app, scenarioId)).reduce((sum, { logs }) => sum + Number(logs), 0);
  const firstRead = (collection: string) =>
    proxy.commands.find((command) => command.name === 'find' && command.collection === collection);
  /** Responds to reads of these collections as to the given commands. */
  const replay = (...stale: (MongoCommand | undefined)[]) => {
    proxy.intercept = ({ name, collection }) => {
      const reply = name === 'find' && stale.find((command) => command?.collection === collection)?.reply;
      return reply ? { reply } : undefined;
    };
  };
  const expectUnavailable = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(AppError).with.property('code', 'SERVICE_UNAVAILABLE');
  };

  // A secondary, or a primary that has been replaced, can return old versions of documents.
  it('does not merge records again that an old read shows as pending', async () => {
    const { id } = await createScenario(service);
    await addRecords(id, 7);
    proxy.commands.length = 0;
    expect(await rollUp(id)).to.deep.equal({ merged: 7 });
    replay(firstRead('usage_records'));
    await expectUnavailable(rollUp(id));
    replay();
    expect(await countLogs(id)).to.equal(7);
    expect(await service.app.models.usageDay.countDocuments({ scenarioId: id })).to.equal(1);
  });

  it('leaves what arrives after its last portion to the next roll-up', async () => {
    const { id } = await createScenario(service);
    await addRecords(id, 3);
    let late: Promise<void> | undefined;
    const first = await rollUp(id, () => {
      late = addRecords(id, 2);
    });
    await late;
    expect(first).to.deep.equal({ merged: 3 });
    const open = () => service.app.models.usageRecord.countDocuments({ scenarioId: id, open: true });
    expect(await open(), 'the merged records are emptied').to.equal(2);
    expect(await rollUp(id)).to.deep.equal({ merged: 2 });
    expect(await open()).to.equal(0);
  });

  it('does not merge records again with an old version of the ledger, and merges the rest afterwards', async () => {
    const { id } = await createScenario(service);
    await addRecords(id, 7);
    await rollUp(id);
    await addRecords(id, 3);
    proxy.commands.length = 0;
    await rollUp(id);
    const [ledger, records] = [firstRead('usage_ledgers'), firstRead('usage_records')];
    await addRecords(id, 2);
    for (const stale of [[ledger], [records], [ledger, records]]) {
      replay(...stale);
      await expectUnavailable(rollUp(id));
      replay();
      expect(await countLogs(id)).to.equal(12);
    }
    expect(await rollUp(id)).to.deep.equal({ merged: 2 });
    expect(await countLogs(id)).to.equal(12);
  });

  it('counts every record once, and leaves no document behind, wherever it is interrupted', async () => {
    const { id } = await createScenario(service);
    const { usageYear, usageDay, usageRecord, usageLedger } = service.app.models;
    let expected = 0;
    let finished = false;
    for (let last = 1; !finished; last += 1) {
      // Two years; the first day and year are replaced, the others are new to the scenario.
      await addRecords(id, 2, last * 24, 10_000 + last * 24);
      expected += 6;
      let commands = 0;
      proxy.intercept = ({ collection }) => {
        if (!collection.startsWith('usage_')) return undefined;
        commands += 1;
        return commands < last ? undefined : { reply: { ok: 0, code: 8000, errmsg: 'the worker has ended' } };
      };
      finished = await rollUp(id).then(
        () => true,
        () => false,
      );
      proxy.intercept = () => undefined;
      expect(await countLogs(id), `before command ${last}`).to.equal(expected);
      if (last % 2 === 0) continue;
      await rollUp(id);
      expect(await countLogs(id), `before command ${last}, and after another roll-up`).to.equal(expected);
      expect(await usageRecord.countDocuments({ scenarioId: id, open: true })).to.equal(0);
      const ledger = await usageLedger.findById(id).lean();
      const years = await usageYear.find({ scenarioId: id }).lean();
      const days = await usageDay.find({ scenarioId: id }, { _id: 1 }).lean();
      expect(years.map(({ _id }) => _id)).to.have.members(ledger!.years.map(({ usageYearId }) => usageYearId));
      expect(days.map(({ _id }) => _id)).to.have.members(
        years.flatMap(({ days: listed }) => listed.map(({ usageDayId }) => usageDayId)),
      );
    }
  });

  it('removes what others have written that lost the compare-and-set, but not what a roll-up in progress writes', async () => {
    const { id } = await createScenario(service);
    const { usageYear, usageDay, usageLedger } = service.app.models;
    const rollUps = retainedRollUpIds + 2;
    for (let version = 1; version <= rollUps; version += 1) {
      await addRecords(id, 1);
      await rollUp(id);
    }
    const idsFor = (...versions: number[]) =>
      versions.map((forVersion) => ({ _id: `${id} ${forVersion}`, forVersion }));
    const lost = idsFor(rollUps - retainedRollUpIds + 1, rollUps);
    const inProgress = idsFor(rollUps + 1);
    const documents = [...lost, ...inProgress].map((own) => ({ ...own, scenarioId: id, rollUpId: randomUUID() }));
    await usageDay.collection.insertMany(documents.map((own) => ({ ...own, hours: [] })) as never[]);
    await usageYear.collection.insertMany(documents.map((own) => ({ ...own, days: [] })) as never[]);
    expect(await rollUp(id)).to.deep.equal({ merged: 0 });
    expect((await usageLedger.findById(id).lean())?.rollUpIds).to.have.length(retainedRollUpIds);
    const remaining = inProgress.map(({ _id }) => _id);
    for (const { collection } of [usageDay, usageYear]) {
      const found = await collection.find({ scenarioId: id }, { projection: { _id: 1 } }).toArray();
      expect(found).to.have.length(2);
      expect(found.map(({ _id }) => String(_id))).to.include.members(remaining);
    }
    expect(await countLogs(id)).to.equal(rollUps);
  });
});

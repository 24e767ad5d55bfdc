import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { AppError } from '../../../shared/errors.ts';
import { rollUpUsageProcessor } from '../../../workers/processors/roll-up-usage.processor.ts';
import { buildHour } from '../../shared/pricing/build-usage.ts';
import {
  type MongoCommand,
  type MongoCommandProxy,
  startMongoCommandProxy,
} from '../../support/mongo-command-proxy.ts';
import { readHours } from '../../support/read-hours.ts';
import { createScenario } from '../../support/requests.ts';
import { createTestEnvironment, startTestService } from '../../support/test-service.ts';

/** A secondary, or a primary that has been replaced, can return old versions of documents. */
describe('a roll-up whose reads are stale', () => {
  let proxy: MongoCommandProxy;
  const service = startTestService({
    workers: false,
    environment: async () => {
      const { MONGODB_URL = '' } = createTestEnvironment();
      proxy = await startMongoCommandProxy(MONGODB_URL);
      return { MONGODB_URL: proxy.url };
    },
  });
  afterEach(() => {
    proxy.intercept = () => undefined;
  });
  after(() => proxy.stop());

  const addRecords = async (scenarioId: string, count: number) => {
    const records = Array.from({ length: count }, () => ({
      _id: randomUUID() as never,
      scenarioId,
      open: true,
      hours: [buildHour({ queue: 1n })],
    }));
    await service.app.models.usageRecord.collection.insertMany(records);
  };
  const rollUp = (scenarioId: string) =>
    rollUpUsageProcessor.run({ scenarioId, requestId: randomUUID() }, service.app, {
      number: 1,
      first: true,
      reportProgress: () => {},
    });
  const countLogs = async (scenarioId: string) =>
    (await readHours(service.app.models, scenarioId)).reduce((sum, { logs }) => sum + Number(logs), 0);
  const firstRead = (collection: string) =>
    proxy.commands.find((command) => command.name === 'find' && command.collection === collection);
  /** Answers reads of these collections as the given commands were answered. */
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
});

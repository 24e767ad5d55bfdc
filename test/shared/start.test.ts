import { expect } from 'chai';
import { type Config, readConfig } from '../../shared/config/config.ts';
import { openMongo } from '../../shared/connections/mongo.ts';
import { migrateDatabase, prepareDatabase } from '../../shared/start.ts';
import { captureLog } from '../support/capture-log.ts';
import { startMongoProxy } from '../support/proxy.ts';
import { dropDatabase } from '../support/test-servers.ts';
import { createTestEnvironment } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('the start of a process', () => {
  const environment = createTestEnvironment();
  const configOf = (changes: Record<string, string>): Config => readConfig({ ...environment, ...changes });

  afterEach(() => dropDatabase(environment['MONGODB_URL'] ?? ''));

  it('fails with a sentence that names MONGODB_URL if the database stops responding', async () => {
    const proxy = await startMongoProxy(environment['MONGODB_URL'] ?? '');
    try {
      proxy.intercept = ({ name }) => (name === 'createIndexes' ? 'drop reply' : undefined);
      const failure = await migrateDatabase(configOf({ MONGODB_URL: proxy.url })).catch((error: Error) => error);
      expect(failure).to.include({ name: 'StartError' });
      expect((failure as Error).message).to.match(
        /^MONGODB_URL: the database at mongodb:\/\/127.* did not respond during the start \(.+\); start again when it does\.$/,
      );
    } finally {
      await proxy.stop();
    }
  });

  it('fails with a sentence that names the version of a MongoDB that is too old', async () => {
    const proxy = await startMongoProxy(environment['MONGODB_URL'] ?? '');
    try {
      proxy.intercept = ({ name }) =>
        name.toLowerCase() === 'buildinfo' ? { reply: { ok: 1, version: '6.0.19' } } : undefined;
      const failure = await migrateDatabase(configOf({ MONGODB_URL: proxy.url })).catch((error: Error) => error);
      expect(failure).to.include({ name: 'StartError' });
      expect((failure as Error).message).to.match(
        /^MONGODB_URL: mongodb:\/\/127\S* reports version 6\.0\.19 of MongoDB; use version 7 or later\.$/,
      );
      expect(proxy.commands.map(({ name }) => name)).not.to.include('createIndexes');
    } finally {
      await proxy.stop();
    }
  });

  it('is refused on data of an earlier version, by one sentence, whether or not it creates indexes', async () => {
    const mongo = await openMongo(environment['MONGODB_URL'] ?? '', { timeoutMs: 5_000, role: 'setup' });
    try {
      const earlier = {
        usage_ledgers: { version: 1, years: [], covered: [] },
        usage_records: { scenarioId: 'x' },
        overflowed_batches: { scenarioId: 'x' },
        log_batches: { scenarioId: 'x', receivedAt: new Date(), packed: {} },
      };
      const { log } = captureLog();
      for (const [collection, document] of Object.entries(earlier)) {
        await mongo.collection(collection).insertOne(document);
        for (const start of [
          () => migrateDatabase(configOf({})),
          () => prepareDatabase(configOf({ MIGRATE_AT_START: 'false' }), log, 'web'),
        ]) {
          const failure = await start().catch((error: Error) => error);
          expect(failure, collection).to.include({ name: 'StartError' });
          expect((failure as Error).message).to.equal(
            'MONGODB_URL: this database has log entries and usage in the form of version 0.2, which this version does not read; use an empty database, or version 0.2.',
          );
        }
        await mongo.collection(collection).drop();
      }
      await mongo.collection('log_batches').insertOne({ scenarioId: 'x', state: 'stored' });
      await migrateDatabase(configOf({}));
    } finally {
      await mongo.close();
    }
  });

  it('lets a worker wait until all indexes exist, and says so in one line', async () => {
    const config = configOf({ MIGRATE_AT_START: 'false' });
    const { log, lines } = captureLog();
    let hasStarted = false;
    const start = async () => {
      await prepareDatabase(config, log, 'worker');
      hasStarted = true;
    };
    const starting = start();
    await waitUntil('the line', () => lines.length > 0);
    expect(lines[0]).to.contain('indexes are missing: run `npm run migrate` (no jobs are taken until they exist)');
    expect(hasStarted).to.equal(false);
    await migrateDatabase(config);
    await starting;
    expect(lines).to.have.length(2);
    expect(lines[1]).to.contain('all indexes exist');
  });

  it('lets a web start without indexes, with a line that counts them', async () => {
    const { log, lines } = captureLog();
    await prepareDatabase(configOf({ MIGRATE_AT_START: 'false' }), log, 'web');
    expect(lines.map((line) => JSON.parse(line).missing > 20)).to.deep.equal([true]);
  });
});

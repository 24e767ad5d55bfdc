import { expect } from 'chai';
import { type Connection, mongo } from 'mongoose';
import { readConfig } from '../../../shared/config/config.ts';
import type { S3Target } from '../../../shared/config/report-store.ts';
import { openMongo } from '../../../shared/connections/mongo.ts';
import type { FileStores } from '../../../shared/files/file-store.ts';
import { openFileStores } from '../../../shared/files/file-stores.ts';
import { createS3Client } from '../../../shared/files/s3-client.ts';
import { createModels } from '../../../shared/models.ts';
import { createLog, type Log } from '../../../shared/process/log.ts';
import { StartError } from '../../../shared/process/start-error.ts';
import { captureLog } from '../../support/capture-log.ts';
import { faultsInOrder } from '../../support/faulty-proxy.ts';
import { type S3Server, startS3Server } from '../../support/s3-server.ts';
import { createTestEnvironment } from '../../support/test-service.ts';

describe('the owner of a prefix in a bucket', () => {
  let server: S3Server;
  /** Databases of two installations. */
  const databases: Connection[] = [];
  let prefixes = 0;
  let target: S3Target;
  before(async () => {
    server = await startS3Server();
    for (let count = 0; count < 2; count += 1) {
      const { mongodbUrl } = readConfig(createTestEnvironment());
      databases.push(await openMongo(mongodbUrl, { timeoutMs: 20_000, role: 'request' }));
    }
  });
  beforeEach(() => {
    prefixes += 1;
    const REPORT_STORE = `s3://files/prefix-${prefixes}`;
    target = readConfig({ ...createTestEnvironment(), ...server.environment, REPORT_STORE }).files as S3Target;
  });
  afterEach(() => {
    server.proxy.faultFor = () => undefined;
  });
  after(async () => {
    for (const connection of databases) {
      await connection.dropDatabase();
      await connection.close();
    }
    await server.close();
  });

  /** As a process of an installation does when it starts. */
  const start = (installation: number, options: { claims?: boolean; log?: Log } = {}): Promise<FileStores> => {
    const connection = databases[installation] as Connection;
    return openFileStores(
      { files: target, mongodbTimeoutMs: 5_000 },
      {
        mongo: connection,
        installation: createModels(connection).installation,
        role: 'request',
        log: createLog({ level: 'error', process: 'web', silent: true }),
        claims: true,
        ...options,
      },
    );
  };
  const request = async (method: 'PUT' | 'GET' | 'DELETE', body?: string) => {
    const client = await createS3Client(target, 5_000);
    return (await client(method, `${target.folder}owner`, body === undefined ? {} : { body })).body.toString();
  };
  const errorOf = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error as Error);
  const write = ({ overflow }: FileStores) =>
    overflow.put(
      new mongo.ObjectId(),
      (async function* () {
        yield Buffer.from('a');
      })(),
      new AbortController().signal,
    );
  const list = async ({ reports }: FileStores) => {
    for await (const _id of reports.listIds()) break;
  };

  it('is the first installation that starts with it, in however many processes at once', async () => {
    const processes = await Promise.all([start(0), start(0), start(0)]);
    for (const stores of processes) {
      await write(stores);
      await list(stores);
    }
    await start(0);
    const stored = await createModels(databases[0] as Connection)
      .installation.find()
      .lean();
    expect(stored.map(({ uuid }) => uuid)).to.deep.equal([await request('GET')]);
  });

  it('is the installation that starts while the object has no text yet', async () => {
    await request('PUT', '');
    await start(0);
    expect(await request('GET')).to.match(/^[0-9a-f-]{36}$/);
  });

  it('prevents the start of another installation, until its object is deleted', async () => {
    await start(0);
    const error = await errorOf(start(1));
    expect(error).to.be.instanceOf(StartError);
    expect(error?.message).to.match(
      /^REPORT_STORE: s3:\/\/files\/prefix-\d+\/ belongs to the installation [0-9a-f-]{36}, not to that of this database \([0-9a-f-]{36}\); use another prefix, or delete the object prefix-\d+\/owner if nothing else uses this one\.$/,
    );
    await request('DELETE');
    await start(1);
    expect(await errorOf(start(0))).to.be.instanceOf(StartError);
  });

  it('is checked before the first file is written if the store was unreachable at the start', async () => {
    await start(0);
    await server.proxy.stop();
    const { log, lines } = captureLog();
    const stores = await start(1, { log });
    await server.proxy.start();
    for (let count = 0; count < 2; count += 1) {
      expect(await errorOf(write(stores))).to.include({
        code: 'SERVICE_UNAVAILABLE',
        message: 'The store of files belongs to another installation; the log of the service says what to do.',
      });
    }
    expect(await errorOf(stores.check())).to.be.instanceOf(StartError);
    const errors = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error');
    expect(errors.map(({ message }) => message.split(' belongs')[0])).to.deep.equal([
      `REPORT_STORE: s3://files/${target.folder}`,
    ]);
  });

  it('is not written by a readiness check, nor by a process that claims nothing, such as a dry run', async () => {
    const checked = await start(0);
    await request('DELETE');
    await checked.check();
    const dryRun = await start(0, { claims: false });
    await list(dryRun);
    expect(await errorOf(request('GET'))).to.include({ code: 'NoSuchKey' });
    await start(1);
    expect(await errorOf(list(dryRun))).to.include({ code: 'SERVICE_UNAVAILABLE' });
    expect(await errorOf(start(0, { claims: false }))).to.be.instanceOf(StartError);
  });

  it('is checked before files are listed, so that a purge removes none of another owner', async () => {
    const stores = await start(0);
    await request('PUT', 'somebody else');
    expect(await errorOf(list(stores))).to.include({ code: 'SERVICE_UNAVAILABLE' });
  });

  for (const [status, name] of [
    [412, 'has the claim of another process'],
    [409, 'is writing the claim of another process'],
  ] as const) {
    it(`is found if the store ${name}`, async () => {
      await start(0);
      const claimedAfterRead = () => {
        const read = faultsInOrder({ status: 404, body: '<Error><Code>NoSuchKey</Code></Error>' });
        server.proxy.faultFor = (method) => (method === 'PUT' ? { status } : read());
      };
      const { log, lines } = captureLog();
      claimedAfterRead();
      await start(0, { log });
      expect(lines).to.deep.equal([]);
      claimedAfterRead();
      expect(await errorOf(start(1))).to.be.instanceOf(StartError);
    });
  }

  it('is found if the store does not support conditional writes', async () => {
    const faults = faultsInOrder({ status: 501 }, { status: 501 });
    server.proxy.faultFor = (method) => (method === 'PUT' ? faults() : undefined);
    const { log, lines } = captureLog();
    const stores = await start(0, { log });
    expect(lines).to.deep.equal([]);
    await write(stores);
    expect(await request('GET')).to.match(/^[0-9a-f-]{36}$/);
  });
});

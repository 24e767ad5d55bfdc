import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { type Connection, mongo } from 'mongoose';
import { readConfig } from '../../../shared/config/config.ts';
import { openMongo } from '../../../shared/connections/mongo.ts';
import { FileMissing, type FileStore, type FileStores } from '../../../shared/files/file-store.ts';
import { openFileStores } from '../../../shared/files/file-stores.ts';
import { createModels } from '../../../shared/models.ts';
import { createLog } from '../../../shared/process/log.ts';
import type { Fault } from '../../support/faulty-proxy.ts';
import { isLongForm } from '../../support/long-form.ts';
import { type S3Server, startS3Server } from '../../support/s3-server.ts';
import { createTestEnvironment } from '../../support/test-service.ts';

const never = new AbortController().signal;
const mebibyte = 1024 * 1024;

/** Bytes that a store receives in pieces of another size than its own. */
async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 700_001) yield bytes.subarray(at, at + 700_001);
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

for (const kind of ['gridfs', 's3'] as const) {
  describe(`files in ${kind}`, () => {
    let connection: Connection;
    let server: S3Server;
    let stores: FileStores;
    let store: FileStore;
    before(async () => {
      server = await startS3Server();
      const config = readConfig({ ...createTestEnvironment(), ...(kind === 's3' ? server.environment : {}) });
      connection = await openMongo(config.mongodbUrl, { timeoutMs: 20_000, role: 'request' });
      stores = await openFileStores(config, {
        mongo: connection,
        installation: createModels(connection).installation,
        role: 'worker',
        log: createLog({ level: 'error', process: 'web' }),
        claims: true,
      });
      store = stores.reports;
    });
    after(async () => {
      await connection.dropDatabase();
      await connection.close();
      await server.close();
    });

    const put = async (bytes: Buffer) => {
      const id = new mongo.ObjectId();
      await store.put(id, inPieces(bytes), never);
      return id;
    };
    const expectMissing = async (id: mongo.ObjectId) => {
      const error = await store.read(id, { start: 0, end: 1 }).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(FileMissing);
    };

    it('files are read whole and in any range, also those of several parts', async () => {
      for (const size of [1, 8 * mebibyte, (isLongForm ? 17 : 9) * mebibyte]) {
        const bytes = randomBytes(size);
        const id = await put(bytes);
        const read = async (start: number, end: number) => buffer(await store.read(id, { start, end }));
        expect((await read(0, size)).equals(bytes), `${size} bytes`).to.equal(true);
        for (const [start, end] of [
          // s3rver reads a range that ends at byte 0 as one without an end.
          [0, 2],
          [mebibyte - 1, 2 * mebibyte + 1],
          [size - 1, size],
        ] as const) {
          if (end > size) continue;
          expect((await read(start, end)).equals(bytes.subarray(start, end)), `${start} of ${size}`).to.equal(true);
        }
        await store.remove(id);
      }
    });

    it('files are missing before they are written and after they are removed', async () => {
      await expectMissing(new mongo.ObjectId());
      const id = await put(Buffer.from('a'));
      await store.remove(id);
      await store.remove(id);
      await expectMissing(id);
    });

    it('files are listed in the order of their times, without those of the other kind', async () => {
      expect(await collect(store.listIds())).to.deep.equal([]);
      const ids = [await put(Buffer.from('a')), await put(Buffer.from('b'))];
      const other = new mongo.ObjectId();
      await stores.overflow.put(other, inPieces(Buffer.from('c')), never);
      expect((await collect(store.listIds())).map(String)).to.deep.equal(ids.map(String));
      expect((await collect(stores.overflow.listIds())).map(String)).to.deep.equal([String(other)]);
      for (const id of ids) await store.remove(id);
      await stores.overflow.remove(other);
    });

    if (kind === 's3') {
      it('a file is written if the reply to the last request of several parts is lost', async () => {
        const faults: Fault[] = ['reset after work'];
        server.proxy.faultFor = (method, path) =>
          method === 'POST' && path.includes('uploadId=') ? faults.shift() : undefined;
        const bytes = randomBytes(9 * mebibyte);
        const id = await put(bytes);
        expect(faults).to.deep.equal([]);
        expect((await buffer(await store.read(id, { start: 0, end: bytes.length }))).equals(bytes)).to.equal(true);
        await store.remove(id);
      });

      it('the store is checked once for calls that arrive within some seconds', async () => {
        const before = server.proxy.requests;
        await Promise.all(Array.from({ length: 20 }, () => stores.check()));
        expect(server.proxy.requests - before).to.be.at.most(1);
      });
    }

    it('a file leaves nothing if its writing is aborted or its source fails', async () => {
      const abort = new AbortController();
      const aborted = async function* () {
        for (let count = 0; ; count += 1) {
          yield Buffer.alloc(5 * mebibyte);
          if (count === 3) abort.abort();
        }
      };
      const failing = async function* () {
        yield Buffer.alloc(1);
        throw new Error('no source');
      };
      for (const source of [aborted(), failing()]) {
        const id = new mongo.ObjectId();
        expect(await store.put(id, source, abort.signal).catch((error: unknown) => error)).to.be.instanceOf(Error);
        await expectMissing(id);
      }
      expect(await collect(store.listIds())).to.deep.equal([]);
    });
  });
}

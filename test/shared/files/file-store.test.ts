import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { type Connection, mongo } from 'mongoose';
import { readConfig } from '../../../shared/config/config.ts';
import { openMongo } from '../../../shared/connections/mongo.ts';
import { sha256 } from '../../../shared/crypto/sha256.ts';
import { createFileStore, FileMissing, type FileStore } from '../../../shared/files/file-store.ts';
import { isLongForm } from '../../support/long-form.ts';
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

describe('the store of files', () => {
  let connection: Connection;
  let store: FileStore;
  before(async () => {
    const { mongodbUrl } = readConfig(createTestEnvironment());
    connection = await openMongo(mongodbUrl, { timeoutMs: 20_000, role: 'request' });
    store = createFileStore(connection, 'some_files');
  });
  after(async () => {
    await connection.dropDatabase();
    await connection.close();
  });

  const put = async (bytes: Buffer) => {
    const id = new mongo.ObjectId();
    expect(await store.put(id, inPieces(bytes), never)).to.deep.equal({
      sizeBytes: bytes.length,
      sha256: sha256(bytes, 'hex'),
    });
    return id;
  };
  const expectMissing = async (id: mongo.ObjectId) => {
    const error = await store.read(id, { start: 0, end: 1 }).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(FileMissing);
  };

  it('files are read whole and in any range, also those of several portions', async () => {
    for (const size of [1, 8 * mebibyte, (isLongForm ? 17 : 9) * mebibyte]) {
      const bytes = randomBytes(size);
      const id = await put(bytes);
      const read = async (start: number, end: number) => buffer(await store.read(id, { start, end }));
      expect((await read(0, size)).equals(bytes), `${size} bytes`).to.equal(true);
      for (const [start, end] of [
        [0, 1],
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
    const others = createFileStore(connection, 'other_files');
    await others.put(other, inPieces(Buffer.from('c')), never);
    expect((await collect(store.listIds())).map(String)).to.deep.equal(ids.map(String));
    expect((await collect(others.listIds())).map(String)).to.deep.equal([String(other)]);
    for (const id of ids) await store.remove(id);
    await others.remove(other);
  });

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

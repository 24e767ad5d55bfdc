import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Binary, type Document, Double, Int32, Long, ObjectId, serialize, UUID } from 'bson';
import { expect } from 'chai';
import { open } from 'lmdb';
import { MongoClient } from 'mongodb';
import { documentValue, fieldsOf } from '../src/bson/value.ts';
import { startDocumentStore } from '../src/document-store.ts';
import { encodeKey } from '../src/index/index-key.ts';
import { refusal } from './store-fixture.ts';

/** The keys of data folders that exist: a change here makes them unreadable. */
const keys: [string, unknown, string][] = [
  ['null', null, '05'],
  ['an int', new Int32(-7), '0a3fe3ffffffffffff800000'],
  ['a double', new Double(5.5), '0ac016000000000000800000'],
  ['a long', Long.fromString('9007199254740993'), '0ac340000000000000800100'],
  ['NaN', Number.NaN, '0a0000000000000000800000'],
  ['a string', 'a\0é', '0f6100ffc3a90001'],
  ['an object', { x: 1, y: { z: 'a' } }, '140a7800010abff000000000000080000014790001140f7a00010f6100010000'],
  ['an array', [1, 'a'], '190abff00000000000008000000f61000100'],
  ['binary data', new Binary(Buffer.of(1, 255)), '1e000000020001ff'],
  ['a UUID', new UUID('00112233-4455-4677-8899-aabbccddeeff'), '1e000000100400112233445546778899aabbccddeeff'],
  ['an ObjectId', new ObjectId('00112233445566778899aabb'), '2300112233445566778899aabb'],
  ['a boolean', true, '2801'],
  ['a date', new Date(-5), '2d7ffffffffffffffb'],
];

function numbered(number: number, rest = Buffer.alloc(0)): Buffer {
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32BE(number, 0);
  return Buffer.concat([prefix, rest]);
}

const options = { keyEncoding: 'binary', encoding: 'binary' } as const;

/** Writes a folder without the store: a collection with one document and two indexes. */
async function writeFiles(directory: string): Promise<void> {
  const environment = open<Buffer, Buffer>({ path: directory, noSubdir: false, maxDbs: 8, ...options });
  const put = (store: string, key: Buffer, value: Document | Buffer) =>
    environment
      .openDB<Buffer, Buffer>({ name: store, ...options })
      .put(key, Buffer.isBuffer(value) ? value : Buffer.from(serialize(value)));
  const index = { sparse: false, hidden: false, multikey: [false], unordered: false };
  await put('catalogue', Buffer.from('counter'), numbered(3));
  await put('catalogue', Buffer.from('collection:test.rows'), {
    database: 'test',
    name: 'rows',
    number: 1,
    indexes: [
      { ...index, number: 2, name: '_id_', key: { _id: 1 }, unique: true },
      {
        ...index,
        number: 3,
        name: 'name_1',
        key: { name: 1 },
        unique: true,
        partialFilterExpression: { live: true },
        expireAfterSeconds: 60,
      },
    ],
  });
  const record = Buffer.of(0, 0, 0, 0, 0, 1);
  await put('documents', numbered(1, record), { _id: 7, name: 'a', live: true });
  await put(
    'indexes',
    numbered(2, Buffer.concat([Buffer.from('0ac01c000000000000800000', 'hex'), record])),
    Buffer.alloc(0),
  );
  await put('indexes', numbered(3, Buffer.concat([Buffer.from('0f610001', 'hex'), record])), Buffer.alloc(0));
  await environment.close();
}

describe('document store: the format of the files', () => {
  for (const [what, value, key] of keys) {
    it(`has a pinned key for ${what}`, () => {
      const [field] = fieldsOf(documentValue(Buffer.from(serialize({ value }))));
      expect(field && encodeKey(field.value).bytes.toString('hex')).to.equal(key);
    });
  }

  it('is read and changed by the store', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'document-store-format-'));
    await writeFiles(directory);
    const store = await startDocumentStore({ directory });
    const client = new MongoClient(store.url);
    try {
      const rows = client.db('test').collection<{ _id: number; name: string; live?: boolean }>('rows');
      expect(await rows.findOne({ _id: 7 })).to.deep.equal({ _id: 7, name: 'a', live: true });
      expect(await rows.findOne({ name: 'a', live: true })).to.include({ _id: 7 });
      expect((await rows.indexes()).at(-1)).to.deep.equal({
        v: 2,
        key: { name: 1 },
        name: 'name_1',
        unique: true,
        partialFilterExpression: { live: true },
        expireAfterSeconds: 60,
      });
      expect((await refusal(rows.insertOne({ _id: 8, name: 'a', live: true }))).code).to.equal(11000);
      await rows.insertOne({ _id: 8, name: 'a' });
      await rows.updateOne({ _id: 7 }, { $set: { name: 'b' } });
      await rows.updateOne({ _id: 8 }, { $set: { live: true } });
      expect(await rows.countDocuments({ name: { $gte: 'a' }, live: true })).to.equal(2);
      await rows.createIndex({ live: 1 });
      expect(await rows.countDocuments({ live: true })).to.equal(2);
    } finally {
      await client.close();
      await store.close();
      await rm(directory, { recursive: true, force: true });
    }
  });
});

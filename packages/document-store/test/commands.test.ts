import { expect } from 'chai';
import { Binary, type Collection, type Document, Long, ObjectId, UUID } from 'mongodb';
import { openFixture, refusal, type StoreFixture } from './store-fixture.ts';

const countStages = [{ $group: { _id: 1, n: { $sum: 1 } } }];

describe('document store: commands', () => {
  let fixture: StoreFixture;
  let rows: Collection;
  before(async () => {
    fixture = await openFixture();
  });
  after(() => fixture.close());
  beforeEach(() => {
    rows = fixture.db.collection(`rows-${new ObjectId().toHexString()}`);
  });

  it('reports a standalone server of wire version 21', async () => {
    const hello = await fixture.db.admin().command({ hello: 1 });
    expect(hello).to.include({
      maxWireVersion: 21,
      logicalSessionTimeoutMinutes: 30,
      maxBsonObjectSize: 16 * 1024 * 1024,
    });
    expect(hello).not.to.have.property('setName');
  });

  it('inserts documents and reports a duplicate _id by its position', async () => {
    await rows.insertOne({ _id: 'a' as never, value: 1 });
    const error = await refusal(
      rows.insertMany([{ _id: 'b' as never }, { _id: 'a' as never }, { _id: 'c' as never }], { ordered: false }),
    );
    expect(error.code).to.equal(11000);
    expect(error.writeErrors).to.have.length(1);
    expect((error.writeErrors as { index: number }[])[0]?.index).to.equal(1);
    expect(await rows.countDocuments()).to.equal(3);
  });

  it('stops an ordered batch at the first refusal', async () => {
    await refusal(rows.insertMany([{ _id: 1 as never }, { _id: 1 as never }, { _id: 2 as never }]));
    expect(await rows.find().toArray()).to.deep.equal([{ _id: 1 }]);
  });

  it("reports a duplicate with MongoDB's message, pattern and value", async () => {
    await rows.createIndex({ name: 1 }, { unique: true });
    await rows.insertOne({ name: 'x' });
    const error = await refusal(rows.insertOne({ name: 'x' }));
    expect(error).to.include({ code: 11000 });
    expect(error.errmsg ?? error.message).to.equal(
      `E11000 duplicate key error collection: test.${rows.collectionName} index: name_1 dup key: { name: "x" }`,
    );
    expect(error.keyPattern).to.deep.equal({ name: 1 });
    expect(error.keyValue).to.deep.equal({ name: 'x' });
    const byUpdate = await refusal(rows.updateOne({ name: 'y' }, { $set: { name: 'x' } }, { upsert: true }));
    expect(byUpdate.code).to.equal(11000);
    const byReplacement = await refusal(rows.findOneAndReplace({ name: 'z' }, { name: 'x' }, { upsert: true }));
    expect(byReplacement).to.include({ code: 11000, codeName: 'DuplicateKey' });
  });

  it('moves _id to the front and adds it if it is missing', async () => {
    await fixture.db.command({ insert: rows.collectionName, documents: [{ a: 1 }, { b: 2, _id: 'late' }] });
    const [made, moved] = await rows.find().toArray();
    expect(Object.keys(made ?? {})).to.deep.equal(['_id', 'a']);
    expect(made?._id).to.be.instanceOf(ObjectId);
    expect(Object.keys(moved ?? {})).to.deep.equal(['_id', 'b']);
  });

  it('reads more than a thousand documents through getMore', async () => {
    await rows.insertMany(Array.from({ length: 1_234 }, (_, n) => ({ n })));
    const found = await rows.find({}, { batchSize: 100 }).toArray();
    expect(found.map(({ n }) => n)).to.deep.equal(Array.from({ length: 1_234 }, (_, n) => n));
  });

  it('continues a cursor while documents are removed', async () => {
    await rows.insertMany(Array.from({ length: 300 }, (_, n) => ({ _id: n as never })));
    const cursor = rows.find({}, { batchSize: 10, sort: { _id: 1 } });
    const seen: unknown[] = [];
    for await (const { _id } of cursor) {
      seen.push(_id);
      if (seen.length === 5) await rows.deleteMany({ _id: { $gte: 200 as never } });
    }
    expect(seen).to.have.length(200);
  });

  const drops: [string, () => Promise<unknown>][] = [
    ['its collection', () => rows.drop()],
    ['its database', () => fixture.db.dropDatabase()],
    ['its index', () => rows.dropIndex('n_1')],
  ];
  for (const [what, drop] of drops) {
    it(`ends open cursors with error 175 when ${what} is dropped`, async () => {
      await rows.createIndex({ n: 1 });
      await rows.insertMany(Array.from({ length: 200 }, (_, n) => ({ n })));
      // The store reads 32 keys first: one cursor has used them up, one has not.
      const cursors = [5, 31].map((batchSize) => rows.find({ n: { $gte: 0 } }, { batchSize }));
      for (const cursor of cursors) await cursor.next();
      await drop();
      for (const cursor of cursors)
        expect(await refusal(cursor.toArray())).to.include({ code: 175, codeName: 'QueryPlanKilled' });
    });
  }

  it('refuses getMore of a killed cursor', async () => {
    await rows.insertMany(Array.from({ length: 20 }, (_, n) => ({ n })));
    const { cursor } = await fixture.db.command({ find: rows.collectionName, batchSize: 5 });
    const killed = await fixture.db.command({ killCursors: rows.collectionName, cursors: [cursor.id] });
    expect(killed.cursorsKilled).to.have.length(1);
    const error = await refusal(
      fixture.db.command({ getMore: Long.fromValue(cursor.id), collection: rows.collectionName }),
    );
    expect(error).to.include({ code: 43, codeName: 'CursorNotFound' });
  });

  it('projects by inclusion and exclusion', async () => {
    await rows.insertOne({ _id: 1 as never, a: { b: 1, c: 2 }, list: [{ k: 1 }, { k: 2 }], n: 3 });
    const get = (projection: Document) => rows.findOne({}, { projection });
    expect(await get({ 'a.b': 1, _id: 0 })).to.deep.equal({ a: { b: 1 } });
    expect(await get({ a: 0, list: 0 })).to.deep.equal({ _id: 1, n: 3 });
    expect(await get({ _id: 0 })).to.deep.equal({ a: { b: 1, c: 2 }, list: [{ k: 1 }, { k: 2 }], n: 3 });
    expect(await get({ _id: 1 })).to.deep.equal({ _id: 1 });
  });

  it('accepts sessions', async () => {
    const session = fixture.client.startSession();
    await rows.insertOne({ a: 1 }, { session });
    expect(await rows.findOne({}, { session })).to.include({ a: 1 });
    await session.endSession();
  });

  it('runs countDocuments, with a limit', async () => {
    await rows.insertMany([1, 2, 3, 4].map((a) => ({ a })));
    expect(await rows.countDocuments({ a: { $gte: 2 } })).to.equal(3);
    expect(await rows.countDocuments({ a: { $gte: 2 } }, { limit: 2 })).to.equal(2);
    expect(await rows.countDocuments({ a: 5 })).to.equal(0);
    expect(await rows.countDocuments()).to.equal(4);
  });

  it('accepts the read and write concerns of a standalone server', async () => {
    for (const level of ['local', 'majority'] as const) {
      const concerned = fixture.db.collection(rows.collectionName, { readConcern: { level } });
      expect(await concerned.find().toArray()).to.deep.equal([]);
      expect(await concerned.countDocuments()).to.equal(0);
    }
    for (const writeConcern of [{ w: 1 }, { w: 'majority' as const, j: true, wtimeoutMS: 1_000 }, {}])
      await rows.insertOne({}, { writeConcern });
    expect(await rows.countDocuments({}, { readPreference: 'secondaryPreferred', maxTimeMS: 60_000 })).to.equal(3);
  });

  it('ends a command after its maxTimeMS', async () => {
    await rows.insertMany(Array.from({ length: 20_000 }, (_, n) => ({ n })));
    const searches: [string, () => Promise<unknown>][] = [
      ['find', () => rows.find({ a: 1 }, { maxTimeMS: 1 }).toArray()],
      ['find in an order', () => rows.find({}, { maxTimeMS: 1, sort: { a: 1 } }).toArray()],
      ['count', () => rows.countDocuments({ a: 1 }, { maxTimeMS: 1 })],
      ['findAndModify', () => rows.findOneAndUpdate({ a: 1 }, { $set: { b: 1 } }, { maxTimeMS: 1 })],
      ['update', () => rows.updateMany({}, { $set: { b: 1 } }, { maxTimeMS: 1 })],
      ['createIndexes', () => rows.createIndex({ n: 1 }, { maxTimeMS: 1 })],
      ['delete', () => rows.deleteMany({}, { maxTimeMS: 1 })],
    ];
    for (const [what, search] of searches)
      expect(await refusal(search()), what).to.include({ code: 50, codeName: 'MaxTimeMSExpired' });
    expect(await rows.indexes()).to.have.length(1);
    expect(await rows.find({}, { maxTimeMS: 0 }).toArray()).not.to.have.length(0);
  });

  const refusals: [string, () => Promise<unknown>, number][] = [
    ['an unknown command', () => fixture.db.command({ distinct: 'x', key: 'a' }), 59],
    ['an unknown option', () => fixture.db.command({ find: 'x', frobnicate: 1 }), 40415],
    ['an unknown query operator', () => rows.findOne({ a: { $frob: 1 } }), 2],
    ['an unknown top-level operator', () => rows.findOne({ $where: 'true' }), 2],
    ['an unknown update operator', () => rows.updateOne({}, { $frob: { a: 1 } }), 9],
    ['a group by a field', () => rows.aggregate([{ $group: { _id: '$a', n: { $sum: 1 } } }]).toArray(), 238],
    ['another stage', () => rows.aggregate([{ $match: {} }, { $project: { a: 1 } }]).toArray(), 238],
    ['another order of stages', () => rows.aggregate([...countStages, { $match: {} }]).toArray(), 238],
    ['a limit of 0', () => rows.aggregate([{ $limit: 0 }, ...countStages]).toArray(), 238],
    ['a pipeline without $group', () => rows.aggregate([{ $match: {} }]).toArray(), 238],
    ['an update by a pipeline', () => rows.updateOne({}, [{ $set: { a: 1 } }]), 238],
    ['an expression in a projection', () => rows.findOne({}, { projection: { a: { $add: [1, 2] } } }), 238],
    ['a projection that includes and excludes', () => rows.findOne({}, { projection: { a: 1, n: 0 } }), 31254],
    ['overlapping paths in a projection', () => rows.findOne({}, { projection: { 'a.b': 1, a: 1 } }), 31250],
    ['a projection of an operator', () => rows.findOne({}, { projection: { $a: 1 } }), 16410],
    ['the positional operator of an update', () => rows.updateOne({ a: 1 }, { $set: { 'a.$': 1 } }), 238],
    ['a collation', () => rows.find({}, { collation: { locale: 'en' } }).toArray(), 40415],
    ['a hint of an update', () => rows.updateOne({}, { $set: { a: 1 } }, { hint: { _id: 1 } }), 40415],
    ['a transaction', () => fixture.db.command({ find: 'x', txnNumber: Long.ONE, autocommit: false }), 40415],
    ['a write to two members', () => rows.insertOne({}, { writeConcern: { w: 2 } }), 2],
    ['a write of a named mode', () => rows.deleteMany({}, { writeConcern: { w: 'dc' } as never }), 2],
    ['a linearizable read', () => rows.find({}, { readConcern: { level: 'linearizable' } }).toArray(), 123],
    ['a snapshot read', () => rows.countDocuments({}, { readConcern: { level: 'snapshot' } }), 123],
    ['a negative maxTimeMS', () => fixture.db.command({ find: 'x', maxTimeMS: -1 }), 2],
    ['a maxTimeMS of another type', () => fixture.db.command({ find: 'x', maxTimeMS: '1' }), 2],
    ['a capped collection', () => fixture.db.createCollection('capped', { capped: true, size: 1000 }), 40415],
    ['an invalid namespace', () => fixture.db.command({ find: 1 }), 73],
    ['conflicting updates', () => rows.updateOne({}, { $set: { a: 1 }, $inc: { 'a.b': 1 } }), 40],
    ['$inc by a string', () => rows.updateOne({}, { $inc: { a: 'x' as never } }), 14],
    ['an array as _id', () => rows.insertOne({ _id: [1] as never }), 53],
    ['an index of an unknown kind', () => rows.createIndex({ a: 'text' }), 67],
    ['a descending index', () => rows.createIndex({ a: -1 }), 67],
    ['dropping an index that is not there', () => rows.insertOne({}).then(() => rows.dropIndex('none')), 27],
    ['a regular expression with operators', () => rows.findOne({ a: { $regex: 'b.' } }), 238],
  ];
  for (const [what, operation, code] of refusals) {
    it(`refuses ${what} with code ${code}`, async () => {
      expect((await refusal(operation())).code).to.equal(code);
    });
  }

  it('refuses a document above 16 MiB', async () => {
    const command = { insert: rows.collectionName, documents: [{ text: 'x'.repeat(16 * 1024 * 1024) }] };
    const reply = await fixture.db
      .command(command, { ignoreUndefined: true })
      .catch((error: unknown) => error as Document);
    const { code } = reply.writeErrors?.[0] ?? reply;
    expect(code).to.equal(10334);
  });

  it('ignores an index that exists, and refuses other options or another key', async () => {
    await rows.createIndex({ a: 1 }, { name: 'first' });
    await rows.createIndex({ a: 1 }, { name: 'first' });
    expect(await rows.indexes()).to.have.length(2);
    expect((await refusal(rows.createIndex({ a: 1 }, { name: 'second' }))).code).to.equal(85);
    expect((await refusal(rows.createIndex({ b: 1 }, { name: 'first' }))).code).to.equal(85);
    expect((await refusal(rows.createIndex({ a: 1 }, { name: 'first', unique: true }))).code).to.equal(85);
    expect((await refusal(rows.createIndex({ a: 1 }, { name: 'first', expireAfterSeconds: 1 }))).code).to.equal(85);
    await rows.createIndex({ a: 1 }, { name: 'second', unique: true });
    expect(await rows.indexes()).to.have.length(3);
  });

  it('refuses to build a unique index over duplicates and leaves no index behind', async () => {
    await rows.insertMany([{ a: 1 }, { a: 1 }]);
    expect((await refusal(rows.createIndex({ a: 1 }, { unique: true }))).code).to.equal(11000);
    expect(await rows.indexes()).to.have.length(1);
    expect(await rows.countDocuments({ a: 1 })).to.equal(2);
  });

  it('keeps partial and sparse unique indexes to the documents they hold', async () => {
    await rows.createIndex({ a: 1 }, { unique: true, partialFilterExpression: { live: true } });
    await rows.createIndex({ b: 1 }, { unique: true, sparse: true });
    await rows.insertMany([{ a: 1, live: false }, { a: 1, live: false }, { a: 1, live: true }, {}]);
    expect((await refusal(rows.updateOne({ live: false }, { $set: { live: true } }))).code).to.equal(11000);
    await rows.insertOne({ a: 2, b: null, live: true });
    expect((await refusal(rows.insertOne({ a: 3, b: null, live: true }))).code).to.equal(11000);
    expect(await rows.countDocuments({ a: 1 })).to.equal(3);
    expect(await rows.countDocuments({ b: null })).to.equal(5);
  });

  it('indexes every element of an array once', async () => {
    await rows.createIndex({ tags: 1 }, { unique: true });
    await rows.insertOne({ tags: ['a', 'b', 'a'] });
    expect((await refusal(rows.insertOne({ tags: ['c', 'b'] }))).code).to.equal(11000);
    expect(await rows.countDocuments({ tags: 'b' })).to.equal(1);
    expect(await rows.countDocuments({ tags: { $gte: 'a', $lte: 'z' } })).to.equal(1);
  });

  it('lists and drops collections', async () => {
    await rows.insertOne({ a: 1 });
    const name = rows.collectionName;
    expect(await fixture.db.listCollections({ name }, { nameOnly: true }).toArray()).to.deep.equal([
      { name, type: 'collection' },
    ]);
    await rows.drop();
    expect(await fixture.db.listCollections({ name }).toArray()).to.deep.equal([]);
  });

  it('finds binary values and UUIDs by subtype and bytes', async () => {
    const id = new UUID();
    await rows.createIndex({ id: 1 });
    await rows.insertMany([{ id }, { id: new UUID() }, { id: new Binary(id.buffer, 0) }]);
    expect(await rows.countDocuments({ id })).to.equal(1);
    expect(await rows.countDocuments({ id: new Binary(id.buffer, 0) })).to.equal(1);
    expect(await rows.countDocuments({ other: id })).to.equal(0);
  });
});

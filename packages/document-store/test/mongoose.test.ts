import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import mongoose, { Schema, Types } from 'mongoose';
import { openFixture, type StoreFixture } from './store-fixture.ts';

describe('document store: under mongoose', () => {
  let fixture: StoreFixture;
  let connection: mongoose.Connection;
  before(async () => {
    fixture = await openFixture();
    connection = await mongoose.createConnection(`${fixture.store.url}/app`).asPromise();
  });
  after(async () => {
    await connection.close();
    await fixture.close();
  });

  it('creates indexes by autoIndex, stores every type and finds by it', async () => {
    const schema = new Schema({
      _id: String,
      key: { type: String, unique: true },
      count: BigInt,
      price: Schema.Types.Decimal128,
      at: { type: Date, index: true },
      owner: Schema.Types.UUID,
      parts: [{ n: Number }],
      any: Schema.Types.Mixed,
    });
    const Model = connection.model('Thing', schema);
    await Model.init();
    const owner = new Types.UUID();
    await Model.create({
      _id: 'one',
      key: 'k1',
      count: 2n ** 60n,
      price: '12.50',
      at: new Date(1_000),
      owner,
      parts: [{ n: 1 }, { n: 2 }],
      any: { x: [1] },
    });
    await Model.create({ _id: 'two', key: 'k2', count: 5n, at: new Date(2_000) });
    const one = await Model.findOne({ owner }).orFail();
    expect(one.count).to.equal(2n ** 60n);
    expect(String(one.price)).to.equal('12.50');
    one.parts[1]?.set('n', 9);
    one.any = { y: 1 };
    await one.save();
    await Model.updateOne({ _id: 'one' }, { $inc: { count: 1n } });
    const again = await Model.findById('one').lean().orFail();
    expect(String(again.count)).to.equal(String(2n ** 60n + 1n));
    expect(again.parts.map(({ n }) => n)).to.deep.equal([1, 9]);
    expect(await Model.countDocuments({ at: { $gte: new Date(1_000), $lt: new Date(2_000) } })).to.equal(1);
    expect((await Model.find().sort({ at: -1 }).limit(1).lean()).map(({ _id }) => _id)).to.deep.equal(['two']);
    const duplicate = await Model.create({ _id: 'three', key: 'k1' }).catch((error: unknown) => error);
    expect(duplicate).to.have.property('code', 11000);
    const totals = await Model.aggregate([
      { $match: { key: /^k/ } },
      { $group: { _id: null, total: { $sum: '$count' }, last: { $max: '$at' } } },
    ]).option({ useBigInt64: true });
    expect(totals).to.deep.equal([{ _id: null, total: 2n ** 60n + 6n, last: new Date(2_000) }]);
  });

  it('writes many at once and tells which were refused', async () => {
    const Model = connection.model('Row', new Schema({ _id: Number, n: Number }, { versionKey: false }));
    await Model.bulkWrite([
      { insertOne: { document: { _id: 1, n: 1 } } },
      { updateOne: { filter: { _id: 2 }, update: { $inc: { n: 5 } }, upsert: true } },
      { updateMany: { filter: {}, update: { $inc: { n: 1 } } } },
      { deleteOne: { filter: { _id: 1 } } },
    ]);
    expect(await Model.find().lean()).to.deep.include({ _id: 2, n: 6 });
    const error = await Model.insertMany([{ _id: 2 }, { _id: 3 }], { ordered: false }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).to.have.property('code', 11000);
    expect(await Model.countDocuments()).to.equal(2);
  });

  it('keeps files of several megabytes in GridFS, and reads ranges of them', async () => {
    const bucket = new mongoose.mongo.GridFSBucket(connection.getClient().db('app'), { bucketName: 'files' });
    const content = randomBytes(3 * 1024 * 1024);
    const upload = bucket.openUploadStream('report.pdf', { metadata: { kind: 'pdf' } });
    await new Promise<void>((resolve, reject) => {
      upload.once('finish', resolve).once('error', reject).end(content);
    });
    expect((await buffer(bucket.openDownloadStream(upload.id))).equals(content)).to.equal(true);
    const range = await buffer(bucket.openDownloadStream(upload.id, { start: 300_000, end: 600_123 }));
    expect(range.equals(content.subarray(300_000, 600_123))).to.equal(true);
    expect(await bucket.find({ 'metadata.kind': 'pdf' }).toArray()).to.have.length(1);
    await bucket.delete(upload.id);
    expect(await bucket.find().toArray()).to.deep.equal([]);
    expect(await connection.collection('files.chunks').countDocuments()).to.equal(0);
  });
});

describe('document store: aggregation', () => {
  let fixture: StoreFixture;
  before(async () => {
    fixture = await openFixture();
    await fixture.db.collection('orders').insertMany([
      { _id: 1 as never, who: 'a', n: 1, at: new Date('2026-05-01T10:30:00Z'), tags: ['x', 'y'] },
      { _id: 2 as never, who: 'b', n: 2, at: new Date('2026-05-01T11:15:00Z'), tags: [] },
      { _id: 3 as never, who: 'a', n: 3, at: new Date('2026-05-01T10:59:00Z'), tags: ['y'] },
      { _id: 4 as never, who: null, n: 4 },
    ]);
    await fixture.db.collection('people').insertMany([
      { key: 'a', name: 'Ann' },
      { key: 'b', name: 'Bob' },
    ]);
  });
  after(() => fixture.close());
  const run = (pipeline: object[]) => fixture.db.collection('orders').aggregate(pipeline).toArray();

  it('groups, and sorts in the order of types', async () => {
    expect(
      await run([
        { $group: { _id: '$who', n: { $sum: '$n' }, avg: { $avg: '$n' }, all: { $push: '$_id' } } },
        { $sort: { _id: 1 } },
      ]),
    ).to.deep.equal([
      { _id: null, n: 4, avg: 4, all: [4] },
      { _id: 'a', n: 4, avg: 2, all: [1, 3] },
      { _id: 'b', n: 2, avg: 2, all: [2] },
    ]);
  });

  it('joins, unwinds, facets and counts', async () => {
    const joined = await run([
      { $match: { who: 'a' } },
      { $lookup: { from: 'people', localField: 'who', foreignField: 'key', as: 'person' } },
      { $unwind: '$person' },
      { $project: { _id: 0, name: '$person.name', n: 1 } },
    ]);
    expect(joined).to.deep.equal([
      { n: 1, name: 'Ann' },
      { n: 3, name: 'Ann' },
    ]);
    const facets = await run([
      { $facet: { tags: [{ $unwind: '$tags' }, { $sortByCount: '$tags' }], total: [{ $count: 'n' }] } },
    ]);
    expect(facets).to.deep.equal([
      {
        tags: [
          { _id: 'y', count: 2 },
          { _id: 'x', count: 1 },
        ],
        total: [{ n: 4 }],
      },
    ]);
    const correlated = await run([
      { $match: { _id: 1 } },
      {
        $lookup: {
          from: 'people',
          let: { who: '$who' },
          pipeline: [{ $match: { $expr: { $eq: ['$key', '$$who'] } } }, { $project: { _id: 0, name: 1 } }],
          as: 'person',
        },
      },
      { $project: { person: 1 } },
    ]);
    expect(correlated).to.deep.equal([{ _id: 1, person: [{ name: 'Ann' }] }]);
  });

  it('leaves out what is missing, keeps int64 exact and refuses to divide by zero', async () => {
    const [row] = await run([
      { $sort: { _id: 1 } },
      { $group: { _id: null, at: { $push: '$at' }, tags: { $addToSet: '$tags' } } },
    ]);
    expect(row?.at).to.have.length(3);
    expect(row?.tags).to.have.length(3);
    const [exact] = await fixture.db
      .collection('orders')
      .aggregate([{ $match: { _id: 1 } }, { $project: { n: { $add: [{ $toLong: '9007199254740993' }, '$n'] } } }], {
        useBigInt64: true,
      })
      .toArray();
    expect(exact).to.deep.equal({ _id: 1, n: 9_007_199_254_740_994n });
    const error = await run([{ $project: { n: { $divide: ['$n', 0] } } }]).catch((thrown: unknown) => thrown);
    expect(error).to.have.property('code', 2);
  });

  it('truncates dates in UTC and refuses other zones', async () => {
    const hours = (timezone?: string) => [
      { $match: { at: { $exists: true } } },
      {
        $group: {
          _id: { $dateTrunc: { date: '$at', unit: 'hour', ...(timezone ? { timezone } : {}) } },
          n: { $sum: 1 },
        },
      },
      { $sort: { _id: 1 } },
    ];
    expect(await run(hours())).to.deep.equal([
      { _id: new Date('2026-05-01T10:00:00Z'), n: 2 },
      { _id: new Date('2026-05-01T11:00:00Z'), n: 1 },
    ]);
    expect(await run(hours('Europe/Berlin')).catch((error: unknown) => error)).to.have.property('code', 238);
  });

  it('converts to ObjectId and knows the types of values', async () => {
    const hex = '0123456789abcdef01234567';
    const [row] = await run([
      { $match: { _id: 1 } },
      {
        $project: {
          id: { $toObjectId: hex },
          type: { $type: { $toObjectId: hex } },
          long: { $add: [{ $toLong: '5' }, 1] },
        },
      },
    ]);
    expect(String(row?.id)).to.equal(hex);
    expect(row).to.include({ type: 'objectId', long: 6 });
    expect(await run([{ $match: { n: { $type: 'objectId' } } }])).to.deep.equal([]);
    expect(await run([{ $match: { at: { $type: ['date', 'objectId'] } } }, { $count: 'n' }])).to.deep.equal([{ n: 3 }]);
  });
});

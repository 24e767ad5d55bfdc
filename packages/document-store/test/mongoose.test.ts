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

  it('creates indexes by autoIndex, stores all types and finds by them', async () => {
    const schema = new Schema({
      _id: String,
      key: { type: String, unique: true },
      count: BigInt,
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
      at: new Date(1_000),
      owner,
      parts: [{ n: 1 }, { n: 2 }],
      any: { x: [1] },
    });
    await Model.create({ _id: 'two', key: 'k2', count: 5n, at: new Date(2_000) });
    const one = await Model.findOne({ owner }).orFail();
    expect(one.count).to.equal(2n ** 60n);
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
  });

  it('writes in bulk and reports the refused documents', async () => {
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

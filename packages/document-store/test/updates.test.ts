import { expect } from 'chai';
import { type Collection, type Document, Double, Int32, Long, ObjectId } from 'mongodb';
import { openFixture, refusal, type StoreFixture } from './store-fixture.ts';

describe('document store: updates', () => {
  let fixture: StoreFixture;
  let rows: Collection;
  /** The same collection, its numbers read with their types. */
  let typed: Collection;
  before(async () => {
    fixture = await openFixture();
  });
  after(() => fixture.close());
  beforeEach(() => {
    const name = `rows-${new ObjectId().toHexString()}`;
    rows = fixture.db.collection(name);
    typed = fixture.db.collection(name, { promoteValues: false });
  });

  const cases: [string, Document, Document, Document][] = [
    ['$set and $unset', { a: 1, b: 2 }, { $set: { 'c.d': 3 }, $unset: { a: '' } }, { b: 2, c: { d: 3 } }],
    ['$inc', { a: 1 }, { $inc: { a: 5, e: 1 } }, { a: 6, e: 1 }],
    ['$push', { a: [1] }, { $push: { a: 2, b: 3 } }, { a: [1, 2], b: [3] }],
    ['$push of each', { a: [1] }, { $push: { a: { $each: [2, 3] } } }, { a: [1, 2, 3] }],
    [
      '$pull by value and by condition',
      { a: [1, 2], b: [{ k: 1 }, { k: 2 }, { k: 3 }] },
      { $pull: { a: 2, b: { k: { $in: [1, 3] } } } },
      { a: [1], b: [{ k: 2 }] },
    ],
    ['an index beyond the end', { a: [1] }, { $set: { 'a.2': 3 } }, { a: [1, null, 3] }],
  ];
  for (const [what, document, update, expected] of cases) {
    it(`applies ${what}`, async () => {
      await rows.insertOne({ _id: 1 as never, ...document });
      await rows.updateOne({ _id: 1 as never }, update);
      expect(await rows.findOne()).to.deep.equal({ _id: 1, ...expected });
    });
  }

  it('keeps the type of the number that $inc changes', async () => {
    await rows.insertOne({
      int: new Int32(1),
      long: Long.fromNumber(1),
      double: new Double(1),
      large: Long.fromString('9007199254740993'),
    });
    await rows.updateOne(
      {},
      {
        $inc: { int: new Int32(1), long: new Int32(1), double: new Int32(1), large: new Int32(1) },
        $set: { touched: true },
      },
    );
    const found = await typed.findOne();
    expect(found?.int).to.deep.equal(new Int32(2));
    expect(found?.long).to.deep.equal(Long.fromNumber(2));
    expect(found?.double).to.deep.equal(new Double(2));
    expect(found?.large.toString()).to.equal('9007199254740994');
  });

  it('widens an int32 that overflows and refuses an int64 that does', async () => {
    await rows.insertOne({ _id: 1 as never, int: new Int32(2 ** 31 - 1), long: Long.MAX_VALUE });
    await rows.updateOne({}, { $inc: { int: 1 } });
    expect((await typed.findOne())?.int).to.deep.equal(Long.fromNumber(2 ** 31));
    expect((await refusal(rows.updateOne({}, { $inc: { long: 1 } }))).code).to.equal(2);
    expect((await typed.findOne())?.long).to.deep.equal(Long.MAX_VALUE);
  });

  it('leaves the bytes of untouched fields as they were', async () => {
    await rows.insertOne({
      _id: 1 as never,
      double: new Double(5),
      long: Long.fromNumber(7),
      nested: { n: new Double(1) },
      n: 1,
    });
    await rows.updateOne({}, { $set: { n: 2 } });
    const found = await typed.findOne();
    expect(found?.double).to.be.instanceOf(Double);
    expect(found?.nested.n).to.be.instanceOf(Double);
    expect(Object.keys(found ?? {})).to.deep.equal(['_id', 'double', 'long', 'nested', 'n']);
  });

  it('upserts from the equalities of the filter, with $setOnInsert', async () => {
    const update = { $inc: { n: 1 }, $setOnInsert: { made: 'once' } };
    const first = await rows.updateOne({ key: 'a', 'deep.er': { $eq: 2 }, other: { $gt: 5 } }, update, {
      upsert: true,
    });
    expect(first.upsertedCount).to.equal(1);
    await rows.updateOne({ key: 'a' }, { ...update, $setOnInsert: { made: 'twice' } }, { upsert: true });
    expect(await rows.findOne({}, { projection: { _id: 0 } })).to.deep.equal({
      key: 'a',
      deep: { er: 2 },
      n: 2,
      made: 'once',
    });
  });

  it('counts only documents that changed as modified', async () => {
    await rows.insertMany([{ a: 1 }, { a: 2 }]);
    const result = await rows.updateMany({}, { $set: { a: 2 } });
    expect([result.matchedCount, result.modifiedCount]).to.deep.equal([2, 1]);
  });

  it('refuses to change an _id', async () => {
    await rows.insertOne({ _id: 1 as never });
    expect((await refusal(rows.updateOne({}, { $set: { _id: 2 } }))).code).to.equal(66);
    expect((await refusal(rows.replaceOne({ _id: 1 as never }, { _id: 2 }))).code).to.equal(66);
    await rows.insertOne({ _id: { day: 1 } as never });
    expect((await refusal(rows.updateOne({ '_id.day': 1 }, { $set: { '_id.day': 2 } }))).code).to.equal(66);
  });

  const refused: [string, Document, number][] = [
    ['no object under $set', { $set: 'a' }, 9],
    ['an empty name', { $set: { 'a.': 1 } }, 56],
    ['operators that are not implemented', { $rename: { a: 'b' } }, 9],
    ['$push with $sort', { $push: { list: { $each: [], $sort: 1 } } }, 238],
    ['$pull with an operator', { $pull: { list: { $gte: 1 } } }, 2],
  ];
  for (const [what, update, code] of refused) {
    it(`refuses ${what} and changes nothing`, async () => {
      const document = { _id: 1 as never, a: 1, list: [{ a: 1 }] };
      await rows.insertOne(document);
      expect((await refusal(rows.updateOne({}, update))).code).to.equal(code);
      expect(await rows.findOne()).to.deep.equal(document);
    });
  }

  it('responds to findOneAndUpdate with the document before or after, and removes', async () => {
    await rows.insertMany([{ n: 1 }, { n: 2 }]);
    const options = { projection: { _id: 0 } };
    const increment = (returnDocument: 'before' | 'after') =>
      rows.findOneAndUpdate({ n: { $gt: 1 } }, { $inc: { n: 10 } }, { ...options, returnDocument });
    expect(await increment('before')).to.deep.equal({ n: 2 });
    expect(await increment('after')).to.deep.equal({ n: 22 });
    expect(await rows.findOneAndDelete({ n: 22 }, options)).to.deep.equal({ n: 22 });
    expect(await rows.findOneAndUpdate({ n: 99 }, { $set: { a: 1 } }, options)).to.equal(null);
  });

  it('accepts exactly one of fifty concurrent inserts of a unique key', async () => {
    await rows.createIndex({ key: 1 }, { unique: true });
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => rows.insertOne({ key: 'same' })));
    expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    const codes = results.flatMap((result) =>
      result.status === 'rejected' ? [(result.reason as { code: number }).code] : [],
    );
    expect(new Set(codes)).to.deep.equal(new Set([11000]));
  });

  it('applies exactly one of fifty concurrent transitions, and every upsert', async () => {
    await rows.insertOne({ _id: 'job' as never, state: 'draft' });
    const started = await Promise.all(
      Array.from({ length: 50 }, () =>
        rows.updateOne({ _id: 'job' as never, state: 'draft' }, { $set: { state: 'running' } }),
      ),
    );
    expect(started.filter(({ modifiedCount }) => modifiedCount === 1)).to.have.length(1);
    await Promise.all(
      Array.from({ length: 50 }, () => rows.updateOne({ key: 'counter' }, { $inc: { n: 1 } }, { upsert: true })),
    );
    const counters = await rows.find({ key: 'counter' }).toArray();
    expect(counters.map(({ n }) => n)).to.deep.equal([50]);
  });
});

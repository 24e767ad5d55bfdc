import { expect } from 'chai';
import type { Document, Filter } from 'mongodb';
import { openFixture, type StoreFixture } from './store-fixture.ts';

describe('document store: filters', () => {
  let fixture: StoreFixture;
  before(async () => {
    fixture = await openFixture();
  });
  after(() => fixture.close());

  async function found(documents: Document[], filter: Filter<Document>, index?: Record<string, 1>): Promise<unknown[]> {
    const collection = fixture.db.collection('filtered');
    await collection.drop();
    if (index) await collection.createIndex(index);
    await collection.insertMany(documents.map((document, _id) => ({ _id: _id as never, ...document })));
    return (await collection.find(filter).sort({ _id: 1 }).toArray()).map(({ _id }) => _id);
  }

  it('does not open the element that a path names by its index', async () => {
    const documents = [{ a: [[5, 6]] }, { a: [5] }, { a: { 0: 5 } }, { a: [{ 0: 5 }] }];
    expect(await found(documents, { 'a.0': 5 })).to.deep.equal([1, 2, 3]);
    expect(await found(documents, { 'a.0': [5, 6] })).to.deep.equal([0]);
    expect(await found(documents, { 'a.0.1': 6 })).to.deep.equal([0]);
  });

  it('projects each of many documents', async () => {
    const collection = fixture.db.collection('many-projected');
    const wanted = Array.from({ length: 300 }, (_, at) => ({ _id: at as never, a: { text: `${at}`.repeat(at) } }));
    await collection.insertMany(wanted.map((document) => ({ ...document, b: 'x'.repeat(30_000) })));
    const read = (sort: Record<string, 1>) =>
      collection.find({}, { sort, projection: { a: 1 }, batchSize: 70 }).toArray();
    expect(await read({})).to.deep.equal(wanted);
    expect(await read({ 'a.missing': 1, _id: 1 })).to.deep.equal(wanted);
    expect(await collection.countDocuments({ b: { $regex: 'x' } })).to.equal(300);
  });

  it('finds nothing below a plain value that a path names by its index, not even null', async () => {
    expect(await found([{ a: [1] }, { a: [{ c: 1 }] }, { a: [] }, {}], { 'a.0.b': null })).to.deep.equal([1, 3]);
  });

  it('finds fields named like a position with an index as without', async () => {
    expect(await found([{ a: [null] }, { a: [1, { b: 1 }] }, { a: [1] }], { 'a.0': null }, { 'a.0': 1 })).to.deep.equal(
      [0, 1],
    );
  });

  it('finds texts by a part of them, literally', async () => {
    const documents = [{ a: 'x (1) y' }, { a: 'x 1 y' }, { a: ['b', '(1)'] }, { a: '\\' }, { a: 1 }];
    expect(await found(documents, { a: { $regex: '\\(1\\)' } })).to.deep.equal([0, 2]);
    expect(await found(documents, { a: { $regex: '\\\\' } })).to.deep.equal([3]);
  });

  it('sorts by fields of documents, not by properties of values', async () => {
    const collection = fixture.db.collection<{ _id: number; a?: unknown; constructor?: unknown }>('sorted');
    await collection.insertMany([
      { _id: 1, a: 5.5 },
      { _id: 2, a: { value: 1 } },
      { _id: 3, constructor: 1 },
    ]);
    const idsBy = async (field: string): Promise<number[]> =>
      (
        await collection
          .find()
          .sort({ [field]: -1, _id: -1 })
          .toArray()
      ).map(({ _id }) => _id);
    expect(await idsBy('a.value')).to.deep.equal([2, 3, 1]);
    expect(await idsBy('constructor')).to.deep.equal([3, 2, 1]);
  });

  it('projects documents within arrays', async () => {
    const collection = fixture.db.collection<{ _id: number }>('projected');
    await collection.insertOne({ _id: 1, a: { b: [1, { c: 2, d: 3 }], e: 4 }, f: [{ g: [5] }, 7] } as never);
    const projected = (projection: Document): Promise<unknown> =>
      collection.findOne({}, { projection: { _id: 0, ...projection } });
    expect(await projected({ 'a.b.c': 1, f: 1 })).to.deep.equal({ a: { b: [{ c: 2 }] }, f: [{ g: [5] }, 7] });
    expect(await projected({ 'a.b.c': 0, 'f.g': 0 })).to.deep.equal({
      a: { b: [1, { d: 3 }], e: 4 },
      f: [{}, 7],
    });
  });
});

import { join } from 'node:path';
import { deserialize } from 'bson';
import { expect } from 'chai';
import { type Collection, type Document, Double, Long, ObjectId, UUID } from 'mongodb';
import { type EncodableObject, encodeDocument, encodeValue } from '../src/bson/encode.ts';
import { Catalogue } from '../src/catalogue.ts';
import { compileFilter } from '../src/query/filter.ts';
import { parseSort } from '../src/query/sort.ts';
import { countMatching, findDocuments } from '../src/search.ts';
import { openStorage } from '../src/storage.ts';
import { seededRandom } from './seeded-random.ts';
import { openFixture, type StoreFixture } from './store-fixture.ts';

describe('document store: indexes and plans', () => {
  let fixture: StoreFixture;
  before(async () => {
    fixture = await openFixture();
  });
  after(() => fixture.close());

  const indexes: Document[] = [
    { a: 1 },
    { b: 1 },
    { a: 1, b: 1 },
    { c: 1, a: 1, b: 1 },
    { 'd.e': 1, b: 1 },
    { tags: 1, a: 1 },
  ];

  async function twins(documents: Document[]): Promise<{ indexed: Collection; plain: Collection }> {
    const name = new ObjectId().toHexString();
    const indexed = fixture.db.collection(`indexed-${name}`);
    const plain = fixture.db.collection(`plain-${name}`);
    for (const key of indexes) await indexed.createIndex(key);
    await indexed.createIndex({ s: 1 }, { sparse: true });
    await indexed.createIndex({ b: 1, a: 1 }, { partialFilterExpression: { c: 'x' } });
    await indexed.insertMany(documents);
    await plain.insertMany(documents);
    return { indexed, plain };
  }

  it('finds the same documents by unique indexes, sparse, partial and of arrays, beside others that seem better', async () => {
    const name = new ObjectId().toHexString();
    const indexed = fixture.db.collection(`indexed-${name}`);
    const plain = fixture.db.collection(`plain-${name}`);
    await indexed.createIndex({ a: 1, b: 1, c: 1 });
    await indexed.createIndex({ u: 1 }, { unique: true, sparse: true });
    await indexed.createIndex({ p: 1 }, { unique: true, partialFilterExpression: { a: 1 } });
    await indexed.createIndex({ tags: 1 }, { unique: true, sparse: true });
    const documents: Document[] = Array.from({ length: 30 }, (_, number) => ({
      _id: number,
      a: number % 2,
      b: number % 3,
      c: -number,
      ...(number % 5 === 0 ? {} : { u: number }),
      p: number % 2 === 1 ? number : 0,
      ...(number % 4 === 0 ? { tags: [`t${number}`, `u${number}`] } : {}),
    }));
    await indexed.insertMany(documents);
    await plain.insertMany(documents);
    const filters: Document[] = [
      { _id: 7, a: 1, b: 1 },
      { _id: 7, a: 0 },
      { _id: { $in: [7, 8] }, a: 0, b: 2 },
      { u: 7, a: 1, b: 1 },
      { u: null, a: 0, b: 0 },
      { a: { $in: [0, 1], $gt: 0 }, b: 2 },
      { p: 0, a: 0, b: 0 },
      { p: 7, a: 1, b: 1 },
      { p: 0 },
      { tags: 't8', a: 0, b: 2 },
      { $and: [{ tags: 't8' }, { tags: 'u12' }] },
    ];
    for (const filter of filters) {
      const read = (collection: Collection) => collection.find(filter).sort({ c: 1 }).toArray();
      expect(await read(indexed), JSON.stringify(filter)).to.deep.equal(await read(plain));
      expect(await indexed.countDocuments(filter)).to.equal(await plain.countDocuments(filter));
    }
  });

  it('finds the same documents with indexes as without, for all types, in the same order', async () => {
    const random = seededRandom(20_261_121);
    const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
    const hexadecimal = (digits: number) =>
      Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join('');
    const ids = Array.from({ length: 4 }, () => new ObjectId(hexadecimal(24)));
    const uuids = Array.from({ length: 3 }, () => new UUID(`${hexadecimal(12)}4${hexadecimal(3)}8${hexadecimal(15)}`));
    const long = 'long '.repeat(500);
    const values: unknown[] = [
      null,
      0,
      1,
      2,
      3,
      5.5,
      -1,
      -2.25,
      Number.NaN,
      Infinity,
      -Infinity,
      new Double(2),
      Long.fromNumber(3),
      Long.fromString('9007199254740993'),
      9_007_199_254_740_992,
      '',
      'a',
      'ab',
      'b',
      'a\0b',
      'é',
      '\u{1f600}',
      '\uffee',
      `${long}1`,
      `${long}2`,
      true,
      false,
      new Date(0),
      new Date(1e12),
      new Date(-1e12),
      ...ids,
      ...uuids,
      {},
      { x: 1 },
      { x: 2 },
      [],
      [1, 2],
      [2, 'a'],
      [[1]],
      [{ e: 1 }, { e: 3 }],
    ];
    const documents = Array.from({ length: 400 }, (_, _id) => {
      const document: Document = { _id };
      if (random() < 0.9) document.a = pick(values);
      if (random() < 0.9)
        document.b = pick(random() < 0.5 ? [1, 2, 3, 4] : values.filter((value) => !Array.isArray(value)));
      if (random() < 0.8) document.c = pick(['x', 'y', null]);
      if (random() < 0.8)
        document.d =
          random() < 0.7
            ? { e: pick(values.filter((value) => !Array.isArray(value))) }
            : pick([5, [{ e: 1 }, { e: 'b' }], null]);
      if (random() < 0.5) document.s = pick([1, 2, 'z', null]);
      // Two arrays of one document in one index are refused, as MongoDB does; tags and a share an
      // index.
      if (random() < 0.7 && !Array.isArray(document.a)) document.tags = pick([['p', 'q'], ['q'], [], 'p', [1, 5]]);
      return document;
    });
    const { indexed, plain } = await twins(documents);
    const scalars = values.filter((value) => !Array.isArray(value));
    const condition = (): unknown => {
      const kind = random();
      if (kind < 0.4) return pick(scalars);
      if (kind < 0.5) return { $in: [pick(scalars), pick(scalars), 'p'] };
      if (kind < 0.75) return { [pick(['$gt', '$gte'])]: pick(scalars), [pick(['$lt', '$lte'])]: pick(scalars) };
      if (kind < 0.9) return { [pick(['$gt', '$gte', '$lt', '$lte'])]: pick(scalars) };
      return pick<unknown>([
        { $exists: true },
        { $exists: false },
        { $ne: 2 },
        { $type: 'string' },
        null,
        { $not: { $gt: 2 } },
      ]);
    };
    const fields = ['a', 'b', 'c', 'd.e', 's', 'tags'];
    const filter = (): Document => {
      const result: Document = {};
      for (let count = Math.floor(random() * 3); count >= 0; count -= 1) result[pick(fields)] = condition();
      if (random() < 0.3) result.c = 'x';
      return random() < 0.15 ? { $or: [result, { b: condition() }] } : result;
    };
    let compared = 0;
    // `npm run verify` has time for more.
    const rounds = process.env['LONG_TESTS'] === '1' ? 300 : 30;
    for (let round = 0; round < rounds; round += 1) {
      const query = filter();
      const sort: Document = {};
      if (random() < 0.7) for (let count = 0; count <= random() * 2; count += 1) sort[pick(fields)] = pick([1, -1]);
      // The _id last makes the order total, so that limits cut at the same place.
      const sorts = { ...sort, _id: 1 };
      const options = random() < 0.5 ? { limit: 1 + Math.floor(random() * 20), skip: Math.floor(random() * 5) } : {};
      const told = `filter ${JSON.stringify(query)} sort ${JSON.stringify(sorts)}`;
      const projection = { _id: 1 };
      const [found, expected, counted] = await Promise.all([
        indexed.find(query, { sort: sorts as never, projection, ...options }).toArray(),
        plain.find(query, { sort: sorts as never, projection, ...options }).toArray(),
        indexed.countDocuments(query),
      ]);
      expect(found, told).to.deep.equal(expected);
      expect(counted, told).to.equal(await plain.countDocuments(query));
      const bySort = await indexed.find(query, { sort: sort as never }).toArray();
      expect(bySort.length, told).to.equal(counted);
      compared += expected.length;
    }
    expect(compared).to.be.greaterThan(2 * rounds);
  });

  it('returns pages from an index in the order of a sort in memory', async () => {
    const documents = Array.from({ length: 500 }, (_, _id) => ({
      _id,
      c: _id % 3 ? 'x' : 'y',
      a: (_id * 37) % 101,
      b: (_id * 17) % 13,
    }));
    const { indexed, plain } = await twins(documents);
    const sorts: Document[] = [{ a: 1, b: 1 }, { a: -1, b: -1 }, { b: -1 }, { c: 1, a: -1, b: -1 }];
    for (const sort of sorts) {
      // Only what is sorted by is compared: documents that are equal there may stand in any order.
      const projection = { _id: 0, ...Object.fromEntries(Object.keys(sort).map((name) => [name, 1])) };
      const pages: Document[] = [];
      for (let skip = 0; skip < 500; skip += 50) {
        pages.push(...(await indexed.find({ c: 'x' }, { sort: sort as never, skip, limit: 50, projection }).toArray()));
      }
      expect(pages).to.deep.equal(await plain.find({ c: 'x' }, { sort: sort as never, projection }).toArray());
    }
  });

  describe('with several values of the first fields', () => {
    const colours = ['red', 'green', 'blue', null];
    const documents = Array.from({ length: 1_500 }, (_, _id) => ({
      _id,
      deleted: _id % 50 === 0 ? new Date(_id) : null,
      // The ranges have different sizes.
      colour: colours[_id % 7 === 0 ? 1 : _id % 11 === 0 ? 2 : _id % 400 === 0 ? 3 : 0],
      rank: (_id * 7919) % 1_009,
    }));
    let merged: Collection;
    let plain: Collection;
    before(async () => {
      merged = fixture.db.collection('merged');
      plain = fixture.db.collection('not-merged');
      await merged.createIndex({ deleted: 1, colour: 1, rank: 1, _id: 1 });
      await merged.insertMany(documents as Document[]);
      await plain.insertMany(documents as Document[]);
    });

    const filters: Document[] = [
      { deleted: null, colour: { $in: ['red', 'green', 'blue'] } },
      { deleted: null, colour: { $in: ['green', 'blue', null, 'absent'] } },
      { deleted: null, colour: 'red' },
      { deleted: null, colour: { $in: [] } },
      { colour: { $in: ['blue', 'green'] }, deleted: { $in: [null, new Date(350)] } },
      { deleted: null, colour: { $in: ['red', 'green'] }, rank: { $gt: 100, $lt: 900 } },
    ];
    const sorts: Document[] = [
      { rank: 1, _id: 1 },
      { rank: -1, _id: -1 },
      { colour: 1, rank: 1, _id: 1 },
      { colour: -1, rank: -1, _id: -1 },
      { rank: 1, _id: -1 },
    ];
    for (const filter of filters) {
      it(`returns the pages and the number of ${JSON.stringify(filter)} in every order`, async () => {
        const total = await plain.countDocuments(filter);
        expect(await merged.countDocuments(filter)).to.equal(total);
        for (const sort of sorts) {
          const expected = await plain.find(filter, { sort: sort as never }).toArray();
          for (const skip of [0, 1, 15, 100, 777, total - 700, total - 3, total, total + 1_000]) {
            if (skip < 0) continue;
            const page = await merged.find(filter, { sort: sort as never, skip, limit: 30 }).toArray();
            expect(page, `${JSON.stringify(sort)} ${skip}`).to.deep.equal(expected.slice(skip, skip + 30));
          }
        }
      });
    }
  });

  it('orders values of different types as MongoDB does', async () => {
    const rows = fixture.db.collection<{ _id: number; v: unknown }>('types');
    const inOrder = [null, Number.NaN, -1, 2, 'a', { x: 1 }, new UUID(), new ObjectId(), false, true, new Date(5)];
    await rows.insertMany(inOrder.map((v, _id) => ({ v, _id })).reverse());
    const sorted = async () => (await rows.find().sort({ v: 1 }).toArray()).map(({ _id }) => _id);
    expect(await sorted()).to.deep.equal(inOrder.map((_, index) => index));
    await rows.createIndex({ v: 1 });
    expect(await sorted()).to.deep.equal(inOrder.map((_, index) => index));
  });

  it('refuses parallel arrays in one index', async () => {
    const rows = fixture.db.collection('parallel');
    await rows.createIndex({ a: 1, b: 1 });
    await rows.insertOne({ a: [1], b: 2 });
    const error = await rows.insertOne({ a: [1], b: [2] }).catch((thrown: unknown) => thrown as { code: number });
    expect(error).to.have.property('code', 171);
  });

  it('reads only the documents in the range of an index', async () => {
    const directory = join(fixture.directory, 'counted');
    const storage = openStorage(directory);
    try {
      let reads = 0;
      const documents = new Proxy(storage.documents, {
        get(store, name) {
          const value: unknown = Reflect.get(store, name, store);
          if (name === 'get' || name === 'view') reads += 1;
          return typeof value === 'function' ? value.bind(store) : value;
        },
      });
      const catalogue = new Catalogue({ ...storage, documents });
      await storage.write(() => {
        catalogue.createIndexes('test', 'entries', [encodeValue({ key: { key: 1 }, name: 'key_1' })]);
        const entries = catalogue.ensure('test', 'entries');
        for (let _id = 0; _id < 2_000; _id += 1) {
          const key = (_id * 7919) % 2_000;
          entries.insert(encodeDocument({ _id, key, twin: key }));
        }
      });
      const entries = catalogue.ensure('test', 'entries');
      const filterOf = (filter: EncodableObject) => compileFilter(encodeValue(filter));
      const readsOf = (
        {
          filter,
          sort = {},
          ...part
        }: { filter: EncodableObject; sort?: EncodableObject; skip?: number; limit?: number },
        expected: number,
      ): number => {
        reads = 0;
        const request = { filter: filterOf(filter), sort: parseSort(encodeValue(sort)), ...part };
        const found = [...findDocuments(entries, request)].filter((one) => one !== undefined);
        expect(found, JSON.stringify(filter)).to.have.length(expected);
        return reads;
      };
      expect(readsOf({ filter: { key: 77 } }, 1)).to.equal(1);
      expect(readsOf({ filter: { twin: 77 } }, 1)).to.equal(2_000);
      expect(readsOf({ filter: { key: { $in: [1, 500, 5_000] } } }, 2)).to.equal(2);
      const thousand = Array.from({ length: 1_000 }, (_, key) => key);
      expect(readsOf({ filter: { key: { $in: thousand } } }, 1_000)).to.equal(1_000);
      expect(readsOf({ filter: { key: { $gte: 100, $lt: 150 }, twin: 120 } }, 1)).to.equal(50);
      expect(readsOf({ filter: {}, sort: { key: -1 }, limit: 10 }, 10)).to.equal(10);
      expect(readsOf({ filter: {}, sort: { twin: -1 }, limit: 10 }, 10)).to.be.at.least(2_000);
      const someKeys = { key: { $in: [5, 6, 7, 8] } };
      expect(readsOf({ filter: { key: { $lt: 1_900 } }, sort: { key: 1 }, skip: 1_500, limit: 10 }, 10)).to.equal(10);
      expect(readsOf({ filter: someKeys, sort: { _id: -1 }, skip: 1, limit: 2 }, 2)).to.equal(6);
      // Between two steps of a search, other clients read other documents.
      const searches: [EncodableObject, EncodableObject][] = [
        [{ twin: { $gte: 1_990 } }, {}],
        [{ twin: { $gte: 1_990 } }, { twin: 1 }],
        [{ key: { $gte: 1_980 }, twin: { $gte: 1_990 } }, { key: 1 }],
      ];
      for (const [filter, sort] of searches) {
        const found: number[] = [];
        for (const one of findDocuments(entries, { filter: filterOf(filter), sort: parseSort(encodeValue(sort)) })) {
          entries.read(1 + (found.length % 7));
          if (one) found.push(deserialize(one.bytes).key);
        }
        expect(
          found.sort((one, other) => one - other),
          JSON.stringify(filter),
        ).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((at) => 1_990 + at));
      }
      reads = 0;
      const counting = countMatching(entries, { filter: filterOf({ key: { $lt: 300 } }) });
      expect(await storage.readInSlices(counting, Number.POSITIVE_INFINITY)).to.equal(300);
      expect(reads).to.equal(0);
    } finally {
      await storage.close();
    }
  });
});

import { expect } from 'chai';
import { type Collection, type Document, ObjectId } from 'mongodb';
import { field, rawDocument, rawInt, sendMessage } from './send-message.ts';
import { openFixture, refusal, type StoreFixture } from './store-fixture.ts';

/** JSON, because `__proto__` is not a name in an object literal. */
function parsed(json: string): Document {
  return JSON.parse(json) as Document;
}

describe('document store: fidelity of documents', () => {
  let fixture: StoreFixture;
  let rows: Collection;
  before(async () => {
    fixture = await openFixture();
  });
  after(() => fixture.close());
  beforeEach(() => {
    rows = fixture.db.collection(`rows-${new ObjectId().toHexString()}`);
  });

  const insertRaw = (...documents: Buffer[]): Promise<Document> =>
    sendMessage(
      fixture.store.port,
      { insert: rows.collectionName, $db: 'test', ordered: false },
      { name: 'documents', documents },
    );

  /** The stored document as its bytes. */
  async function bytesOf(id: number): Promise<string> {
    const found = await rows.findOne({ _id: id as never }, { raw: true });
    return Buffer.from(found as unknown as Uint8Array).toString('hex');
  }

  const updates: [string, string, string, string][] = [
    ['$set', '{"a": {"b": 1}}', '{"$set": {"a.__proto__": {"c": 2}}}', '{"a": {"b": 1, "__proto__": {"c": 2}}}'],
    ['$set of a field below', '{}', '{"$set": {"__proto__.c": 2}}', '{"__proto__": {"c": 2}}'],
    ['$inc', '{"a": {"__proto__": 1}}', '{"$inc": {"a.__proto__": 4}}', '{"a": {"__proto__": 5}}'],
    ['$inc of a missing field', '{"a": {}}', '{"$inc": {"a.__proto__": 4}}', '{"a": {"__proto__": 4}}'],
    ['$unset', '{"a": {"__proto__": 1, "b": 2}}', '{"$unset": {"a.__proto__": ""}}', '{"a": {"b": 2}}'],
    ['$push', '{"a": {}}', '{"$push": {"a.__proto__": 1}}', '{"a": {"__proto__": [1]}}'],
    ['a replacement', '{"a": 1}', '{"a": {"__proto__": {"b": 1}}}', '{"a": {"__proto__": {"b": 1}}}'],
  ];
  for (const [what, before, update, after] of updates) {
    it(`keeps the name __proto__ under ${what}`, async () => {
      await rows.insertOne({ _id: 1 as never, ...parsed(before) });
      const changed = { q: { _id: 1 }, u: parsed(update) };
      await fixture.db.command({ update: rows.collectionName, updates: [changed] });
      const { _id, ...rest } = (await rows.findOne()) ?? {};
      expect(JSON.stringify(rest)).to.equal(JSON.stringify(parsed(after)));
    });
  }

  it('keeps the name __proto__ in projections, filters and upserts', async () => {
    await rows.insertOne({ _id: 1 as never, ...parsed('{"a": {"__proto__": {"b": 1, "c": 2}, "d": 3}}') });
    const projected = async (projection: string): Promise<string> =>
      JSON.stringify(await rows.findOne({ _id: 1 as never }, { projection: parsed(projection) }));
    expect(await projected('{"_id": 0, "a.__proto__.b": 1}')).to.equal('{"a":{"__proto__":{"b":1}}}');
    expect(await projected('{"_id": 0, "a.__proto__": 0}')).to.equal('{"a":{"d":3}}');
    expect(await rows.countDocuments(parsed('{"a.__proto__.b": 1}'))).to.equal(1);
    await rows.updateOne(parsed('{"e.__proto__": 5}'), { $set: { f: 1 } }, { upsert: true });
    const upserted = await rows.findOne({ f: 1 }, { projection: { _id: 0 } });
    expect(JSON.stringify(upserted)).to.equal('{"e":{"__proto__":5},"f":1}');
  });

  it('keeps the order of names like integers', async () => {
    const inner = rawDocument(field(16, 'b', rawInt(1)), field(16, '2', rawInt(2)), field(16, '1', rawInt(3)));
    const document = rawDocument(field(16, '_id', rawInt(1)), field(3, 'a', inner), field(16, '0', rawInt(4)));
    await insertRaw(document);
    expect(await bytesOf(1)).to.equal(document.toString('hex'));
    await rows.updateOne({}, { $set: { 'a.3': 5 } });
    const changed = rawDocument(
      field(16, '_id', rawInt(1)),
      field(3, 'a', rawDocument(inner.subarray(4, -1), field(16, '3', rawInt(5)))),
      field(16, '0', rawInt(4)),
    );
    expect(await bytesOf(1)).to.equal(changed.toString('hex'));
  });

  it("stores dates beyond JavaScript's range, beside the writes of other clients", async () => {
    await rows.createIndex({ at: 1 });
    const date = Buffer.alloc(8);
    date.writeBigInt64LE(2n ** 62n, 0);
    const far = rawDocument(field(16, '_id', rawInt(-1)), field(9, 'at', date));
    const others = Array.from({ length: 50 }, (_, n) => rows.insertOne({ _id: n as never, at: new Date(n) }));
    const [reply] = await Promise.all([insertRaw(far), ...others]);
    expect(reply).to.have.property('n').that.deep.include({ value: 1 });
    expect(await bytesOf(-1)).to.equal(far.toString('hex'));
    expect(await rows.countDocuments({ at: { $gte: new Date(0) } })).to.equal(51);
    expect(await rows.countDocuments({ at: { $gt: new Date(100) } })).to.equal(1);
  });

  it('refuses an _id with an operator, and two fields _id', async () => {
    expect((await refusal(rows.insertOne({ _id: { $a: 1 } as never }))).code).to.equal(52);
    expect((await refusal(rows.replaceOne({ a: 1 }, { _id: { $a: 1 } }, { upsert: true }))).code).to.equal(52);
    const twice = rawDocument(field(16, '_id', rawInt(1)), field(16, '_id', rawInt(2)));
    const { writeErrors } = await insertRaw(twice, rawDocument(field(16, '_id', rawInt(3))));
    expect(writeErrors).to.have.length(1);
    expect(Number(writeErrors[0].code)).to.equal(2);
    expect(await rows.find().toArray()).to.deep.equal([{ _id: 3 }]);
  });

  it('refuses a document whose BSON is malformed, and stores nothing of its command', async () => {
    const broken = rawDocument(field(16, '_id', rawInt(2)), field(3, 'a', rawDocument(field(2, 'b', rawInt(99)))));
    const reply = await insertRaw(rawDocument(field(16, '_id', rawInt(1))), broken);
    expect([Number(reply.code), reply.codeName]).to.deep.equal([22, 'InvalidBSON']);
    expect(await rows.find({ 'a.b': { $ne: 1 } }).toArray()).to.deep.equal([]);
  });
});

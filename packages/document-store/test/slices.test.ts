import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserialize } from 'bson';
import { expect } from 'chai';
import { type EncodableObject, encodeDocument, encodeValue } from '../src/bson/encode.ts';
import { documentValue, fieldsOf } from '../src/bson/value.ts';
import { Catalogue } from '../src/catalogue.ts';
import type { Collection, StoredDocument } from '../src/collection.ts';
import { CommandError } from '../src/errors.ts';
import { compileFilter, type Filter } from '../src/query/filter.ts';
import { parseSort, type SortField } from '../src/query/sort.ts';
import { findDocuments, findFirst, findForChange } from '../src/search.ts';
import { inSlices, type Work } from '../src/slices.ts';
import { openStorage, type Storage } from '../src/storage.ts';

const noDeadline = Number.POSITIVE_INFINITY;

function filterOf(filter: EncodableObject): Filter {
  return compileFilter(encodeValue(filter));
}

function sortOf(sort: EncodableObject): SortField[] {
  return parseSort(encodeValue(sort));
}

describe('document store: long work in slices', () => {
  let directory: string;
  let storage: Storage;
  let catalogue: Catalogue;
  let collection: Collection;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'document-store-slices-'));
    storage = openStorage(directory);
    catalogue = new Catalogue(storage);
  });
  after(async () => {
    await storage.close();
    await rm(directory, { recursive: true, force: true });
  });
  beforeEach(async () => {
    await storage.write(() => {
      const before = catalogue.get('test', 'rows');
      if (before) catalogue.drop(before);
      collection = catalogue.ensure('test', 'rows');
      for (let _id = 0; _id < 10; _id += 1) collection.insert(encodeDocument({ _id, group: _id % 2 }));
    });
  });

  const stored = (id: number): StoredDocument => {
    const [found] = [...findDocuments(collection, { filter: filterOf({ _id: id }) })];
    if (!found) throw new Error(`no document ${id}`);
    return found;
  };
  const number = (found: StoredDocument | undefined): number | undefined =>
    found && Number(deserialize(found.bytes)._id);

  it('runs other work at every pause', async () => {
    const events: string[] = [];
    function* work(): Work<string> {
      events.push('one');
      setImmediate(() => events.push('other'));
      yield 'pause';
      events.push('two');
      return 'done';
    }
    expect(await inSlices(work(), -1, noDeadline, (slice) => slice())).to.equal('done');
    expect(events).to.deep.equal(['one', 'other', 'two']);
  });

  it('long work can pause at every document, also if none matches and before a sort', () => {
    expect([...findDocuments(collection, { filter: filterOf({ group: 7 }) })]).to.deep.equal(Array(10).fill(undefined));
    const sorted = [...findDocuments(collection, { filter: filterOf({ group: 1 }), sort: sortOf({ missing: 1 }) })];
    expect(sorted.slice(0, 10)).to.deep.equal(Array(10).fill(undefined));
    expect(sorted.slice(10)).to.have.length(5);
  });

  it('does not pause before an insertion', () => {
    const pauses = (inserts: boolean): number =>
      [...findFirst(collection, filterOf({ group: 7 }), inserts)].filter((step) => step === 'pause').length;
    expect([pauses(false), pauses(true)]).to.deep.equal([10, 0]);
  });

  it('does not change documents that were changed or removed during a pause', async () => {
    const matches = findForChange(collection, filterOf({ group: 1 }));
    let met = matches.next();
    while (!met.value) met = matches.next();
    expect(number(met.value)).to.equal(1);
    await storage.write(() => {
      collection.replace(stored(3), encodeDocument({ _id: 3, group: 0 }), null);
      collection.remove(stored(5));
      collection.insert(encodeDocument({ _id: 11, group: 1 }));
    });
    const rest = [...matches].filter((one) => one !== undefined);
    expect(rest.map(number)).to.deep.equal([7, 9]);
  });

  it('changes nothing in a collection that was dropped during a pause', async () => {
    const found = stored(1);
    await storage.write(() => catalogue.drop(collection));
    for (const change of [
      () => collection.replace(found, found.bytes, null),
      () => collection.remove(found),
      () => collection.insert(encodeDocument({ _id: 12 })),
    ]) {
      expect(change).to.throw(CommandError).with.property('code', 175);
    }
  });

  it('rejects only the work that reads a malformed document', async () => {
    const broken = () => storage.write(() => fieldsOf(documentValue(Buffer.of(9, 0, 0, 0, 2, 97, 0, 99, 0))));
    const good = () => storage.write(() => collection.insert(encodeDocument({ _id: 20 })));
    const [first, second] = await Promise.allSettled([broken(), good()]);
    expect(first).to.have.nested.property('reason.code', 22);
    expect(second.status).to.equal('fulfilled');
    expect(number(stored(20))).to.equal(20);
  });

  it('ends reading when the store closes', async () => {
    const other = openStorage(join(directory, 'other'));
    function* endless(): Work<never> {
      for (;;) yield 'pause';
    }
    const reading = other.readInSlices(endless(), noDeadline).catch((error: unknown) => String(error));
    await other.close();
    expect(await reading).to.match(/closing/);
  });
});

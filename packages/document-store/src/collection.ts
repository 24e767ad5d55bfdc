// One collection: its documents, its indexes, and the atomic steps that change both. All methods
// are synchronous; those that write must run inside `Storage.write`. One file, because every step
// keeps documents and indexes consistent.
import { describe } from './bson/describe.ts';
import { encodeDocument, encodeFields } from './bson/encode.ts';
import { type BsonValue, copyValue, documentValue, fieldsOf } from './bson/value.ts';
import { CommandError } from './errors.ts';
import { afterPrefix } from './index/index-key.ts';
import {
  type DocumentKeys,
  type Index,
  type IndexSpec,
  keysOf,
  numberPrefix,
  openIndex,
  toStoredSpec,
} from './index/indexes.ts';
import { KeyCounts } from './index/key-counts.ts';
import { type KeyRange, walkKeys, walkOrder } from './index/key-walk.ts';
import { choosePlan, type Plan } from './index/planner.ts';
import { branchesOf, type Filter } from './query/filter.ts';
import { compareByFields, type SortField, sortValues } from './query/sort.ts';
import type { Work } from './slices.ts';
import type { ByteStore, Storage } from './storage.ts';

const recordBytes = 6;
const empty = Buffer.alloc(0);

/** A collection as the catalogue stores it. */
export interface CollectionState {
  database: string;
  name: string;
  number: number;
  indexes: IndexSpec[];
}

export interface StoredDocument {
  record: number;
  bytes: Buffer;
}

/** Yields `undefined` for a document that does not match, so that long searches can pause there. */
type Search = Generator<StoredDocument | undefined>;

interface FindRequest {
  filter: Filter;
  sort?: readonly SortField[] | undefined;
  skip?: number | undefined;
  limit?: number | undefined;
  /**
   * Makes the result of a match, without a copy of the document: the result must not share
   * its bytes.
   */
  project?: ((document: Buffer) => Buffer) | undefined;
}

const copyDocument = (bytes: Buffer): Buffer => copyValue(documentValue(bytes)).bytes;

const identitiesOf = ({ entries }: DocumentKeys): Set<string> =>
  new Set(entries.map(({ key }) => key.toString('latin1')));

export class Collection {
  readonly namespace: string;
  readonly state: CollectionState;
  indexes: Index[];
  readonly #storage: Storage;
  readonly #prefix: Buffer;
  #nextRecord: number;
  #count: number | undefined;
  readonly #counts = new Map<Index, KeyCounts>();
  #retired = false;

  constructor(storage: Storage, state: CollectionState) {
    this.#storage = storage;
    this.state = state;
    this.namespace = `${state.database}.${state.name}`;
    this.indexes = state.indexes.map(openIndex);
    this.#prefix = numberPrefix(state.number);
    this.#nextRecord = this.#lastRecord() + 1;
  }

  #lastRecord(): number {
    for (const key of this.#storage.documents.keys({
      start: afterPrefix(this.#prefix),
      end: this.#prefix,
      reverse: true,
      limit: 2,
    })) {
      if (key.subarray(0, 4).equals(this.#prefix)) return key.readUIntBE(4, recordBytes);
    }
    return 0;
  }

  #documentKey(record: number): Buffer {
    const key = Buffer.allocUnsafe(4 + recordBytes);
    this.#prefix.copy(key);
    key.writeUIntBE(record, 4, recordBytes);
    return key;
  }

  /**
   * Makes reads and writes through this object fail, after the collection was dropped or loaded
   * again.
   */
  retire(): void {
    this.#retired = true;
  }

  #refuseRetired(): void {
    if (this.#retired) throw new CommandError('QueryPlanKilled', `collection dropped: ${this.namespace}`);
  }

  #refuseDropped(index: Index | undefined): void {
    this.#refuseRetired();
    if (index && !this.indexes.includes(index))
      throw new CommandError('QueryPlanKilled', `index dropped: ${index.name}`);
  }

  get count(): number {
    this.#count ??= this.#storage.documents.countKeys({ start: this.#prefix, end: afterPrefix(this.#prefix) });
    return this.#count;
  }

  read(record: number): Buffer | undefined {
    return this.#storage.documents.get(this.#documentKey(record));
  }

  /** Saves the indexes after they or their flags have changed. Must run inside a write. */
  save(): void {
    const { database, name, number } = this.state;
    const state = encodeDocument({ database, name, number, indexes: this.indexes.map(toStoredSpec) });
    this.#storage.catalogue.put(Buffer.from(`collection:${this.namespace}`), state);
  }

  #keys(bytes: Buffer, indexes: readonly Index[]): Map<Index, DocumentKeys> {
    const document = documentValue(bytes);
    return new Map(indexes.map((index) => [index, keysOf(index, document)]));
  }

  #checkUnique(index: Index, keys: DocumentKeys, record: number | undefined): void {
    if (!index.unique) return;
    for (const { key, values } of keys.entries) {
      for (const found of this.#storage.indexEntries.keys({ start: key, end: afterPrefix(key), limit: 2 })) {
        if (found.readUIntBE(found.length - recordBytes, recordBytes) === record) continue;
        const fields = index.fields.flatMap(({ dotted }, field): [string, BsonValue][] => {
          const value = values[field];
          return value ? [[dotted, value]] : [];
        });
        const keyValue = documentValue(encodeFields(fields));
        throw new CommandError(
          'DuplicateKey',
          `E11000 duplicate key error collection: ${this.namespace} index: ${index.name} dup key: ${describe(keyValue)}`,
          { keyPattern: index.key, keyValue },
        );
      }
    }
  }

  #raiseFlags(index: Index, keys: DocumentKeys): void {
    const raises =
      (keys.unordered && !index.unordered) || keys.multikey.some((flag, field) => flag && !index.multikey[field]);
    if (!raises) return;
    index.unordered ||= keys.unordered;
    index.multikey = index.multikey.map((flag, field) => flag || keys.multikey[field] === true);
    this.save();
  }

  #putEntries(index: Index, keys: DocumentKeys, record: number, existing?: ReadonlySet<string>): void {
    const suffix = Buffer.allocUnsafe(recordBytes);
    suffix.writeUIntBE(record, 0, recordBytes);
    for (const { key } of keys.entries) {
      if (existing?.has(key.toString('latin1'))) continue;
      const entry = Buffer.concat([key, suffix]);
      this.#storage.indexEntries.put(entry, empty);
      this.#counts.get(index)?.change(entry, 1);
    }
    this.#raiseFlags(index, keys);
  }

  #removeEntries(index: Index, keys: DocumentKeys, record: number, kept?: ReadonlySet<string>): void {
    const suffix = Buffer.allocUnsafe(recordBytes);
    suffix.writeUIntBE(record, 0, recordBytes);
    for (const { key } of keys.entries) {
      if (kept?.has(key.toString('latin1'))) continue;
      const entry = Buffer.concat([key, suffix]);
      this.#storage.indexEntries.remove(entry);
      this.#counts.get(index)?.change(entry, -1);
    }
  }

  /**
   * Inserts bytes whose first element is `_id`. Throws DuplicateKey, before anything is written.
   */
  insert(bytes: Buffer): void {
    this.#refuseRetired();
    const keys = this.#keys(bytes, this.indexes);
    for (const [index, own] of keys) this.#checkUnique(index, own, undefined);
    const count = this.count;
    const record = this.#nextRecord;
    this.#nextRecord += 1;
    this.#storage.documents.put(this.#documentKey(record), bytes);
    for (const [index, own] of keys) this.#putEntries(index, own, record);
    this.#count = count + 1;
  }

  remove({ record, bytes }: StoredDocument): void {
    this.#refuseRetired();
    const keys = this.#keys(bytes, this.indexes);
    const count = this.count;
    this.#storage.documents.remove(this.#documentKey(record));
    for (const [index, own] of keys) this.#removeEntries(index, own, record);
    this.#count = count - 1;
  }

  /** Replaces a document; `touched` names the top-level fields that may differ (`null`: any). */
  replace({ record, bytes }: StoredDocument, next: Buffer, touched: ReadonlySet<string> | null): void {
    this.#refuseRetired();
    const concerned = this.indexes.filter(
      (index) => touched === null || [...index.names].some((name) => touched.has(name)),
    );
    if (concerned.length > 0) {
      const before = this.#keys(bytes, concerned);
      const after = this.#keys(next, concerned);
      for (const [index, own] of after) this.#checkUnique(index, own, record);
      for (const [index, own] of after) {
        const previous = before.get(index);
        if (previous) this.#removeEntries(index, previous, record, identitiesOf(own));
        this.#putEntries(index, own, record, previous && identitiesOf(previous));
      }
    }
    this.#storage.documents.put(this.#documentKey(record), next);
  }

  /**
   * Fills a new index. Throws DuplicateKey and what `checkTime` throws; the caller must clear the
   * index then.
   */
  build(index: Index, checkTime: () => void): void {
    for (const { record, bytes } of this.#scan()) {
      checkTime();
      const keys = keysOf(index, documentValue(bytes));
      this.#checkUnique(index, keys, record);
      this.#putEntries(index, keys, record);
    }
  }

  clearIndex(index: Index): void {
    const { indexEntries } = this.#storage;
    this.#counts.delete(index);
    for (const key of this.#walk(indexEntries, { from: index.prefix, to: afterPrefix(index.prefix) })) {
      indexEntries.remove(key);
    }
  }

  /** Removes all documents and index entries. Must run inside a write. */
  clear(): void {
    for (const index of this.indexes) this.clearIndex(index);
    const { documents } = this.#storage;
    for (const key of this.#walk(documents, { from: this.#prefix, to: afterPrefix(this.#prefix) }))
      documents.remove(key);
    this.#count = 0;
  }

  /**
   * Reads keys. Throws QueryPlanKilled if the collection or the index was dropped during a pause:
   * without that, the missing keys would look like the end.
   */
  #walk(store: ByteStore, range: { from: Buffer; to: Buffer }): Generator<Buffer> {
    return walkKeys(store, range, { check: () => this.#refuseDropped(undefined) });
  }

  #countKeys(index: Index, range: KeyRange): number {
    let counts = this.#counts.get(index);
    if (!counts) {
      counts = new KeyCounts(this.#storage.indexEntries);
      this.#counts.set(index, counts);
    }
    return counts.count(range);
  }

  /**
   * Each document is valid until the next one is read, as in all searches up to the test of their
   * filter.
   */
  *#scan(): Generator<StoredDocument> {
    const { documents } = this.#storage;
    for (const key of this.#walk(documents, { from: this.#prefix, to: afterPrefix(this.#prefix) })) {
      const bytes = documents.view(key);
      if (bytes) yield { record: key.readUIntBE(4, recordBytes), bytes };
    }
  }

  /** @param skip must be 0 if a document can occur more than once. */
  *#planned(plan: Plan, skip = 0): Generator<StoredDocument> {
    const { index, repeats } = plan;
    if (!index) {
      yield* this.#scan();
      return;
    }
    const seen = repeats ? new Set<number>() : undefined;
    const check = (): void => this.#refuseDropped(index);
    const count = (range: KeyRange): number => this.#countKeys(index, range);
    for (const key of walkOrder(this.#storage.indexEntries, plan, { skip, check, count })) {
      const record = key.readUIntBE(key.length - recordBytes, recordBytes);
      if (seen?.has(record)) continue;
      seen?.add(record);
      const bytes = this.#storage.documents.view(this.#documentKey(record));
      if (bytes) yield { record, bytes };
    }
  }

  /**
   * The documents of an `$or` whose branches all have an index: branch by branch, each document
   * once.
   */
  *#united(plans: readonly Plan[]): Generator<StoredDocument> {
    const seen = new Set<number>();
    for (const plan of plans) {
      for (const found of this.#planned(plan)) {
        if (seen.has(found.record)) continue;
        seen.add(found.record);
        yield found;
      }
    }
  }

  /** The documents that can match, without the first `skip` matches if `skipped`. */
  #candidates({ filter: { source: filter }, sort = [], skip = 0 }: FindRequest): {
    documents: Generator<StoredDocument>;
    sorted: boolean;
    skipped: boolean;
  } {
    const plan = choosePlan(this.indexes, filter, sort);
    const or = plan.index ? undefined : fieldsOf(filter).find(({ name }) => name === '$or');
    if (or) {
      const branches = branchesOf('$or', or.value).map((branch) => choosePlan(this.indexes, branch, []));
      if (branches.every((branch) => branch.index))
        return { documents: this.#united(branches), sorted: sort.length === 0, skipped: false };
    }
    // Each key of such a plan is a match, so skipped documents need not be read.
    const skipped = plan.index !== undefined && plan.exact && plan.sorted;
    return { documents: this.#planned(plan, skipped ? skip : 0), sorted: plan.sorted, skipped };
  }

  /** The documents that match, in order, read one by one. */
  find(request: FindRequest): Search {
    const { documents, sorted, skipped } = this.#candidates(request);
    if (sorted) return this.#limited(documents, skipped ? { ...request, skip: 0 } : request);
    return this.#sorted(documents, request, request.sort ?? []);
  }

  *#limited(
    documents: Iterable<StoredDocument>,
    { filter, skip = 0, limit = 0, project = copyDocument }: FindRequest,
  ): Search {
    let toSkip = skip;
    let left = limit === 0 ? Number.POSITIVE_INFINITY : limit;
    for (const found of documents) {
      const matches = filter.matches(documentValue(found.bytes));
      if (!matches || toSkip > 0) {
        if (matches) toSkip -= 1;
        yield undefined;
        continue;
      }
      yield { record: found.record, bytes: project(found.bytes) };
      left -= 1;
      if (left <= 0) return;
    }
  }

  *#sorted(
    documents: Iterable<StoredDocument>,
    { filter, skip = 0, limit = 0, project }: FindRequest,
    sort: readonly SortField[],
  ): Search {
    const compare = compareByFields(sort);
    const wanted = limit === 0 ? Number.POSITIVE_INFINITY : skip + limit;
    let rows: { record: number; values: readonly BsonValue[] }[] = [];
    const order = (): void => {
      rows.sort((left, right) => compare(left.values, right.values));
      if (rows.length > wanted) rows = rows.slice(0, wanted);
    };
    for (const { record, bytes } of documents) {
      const document = documentValue(bytes);
      // Values share the bytes of their document, which are valid until the pause.
      if (filter.matches(document)) rows.push({ record, values: sortValues(document, sort).map(copyValue) });
      if (rows.length > wanted * 2 + 1000) order();
      yield undefined;
    }
    order();
    for (const { record } of rows.slice(skip, skip + (limit === 0 ? rows.length : limit))) {
      this.#refuseRetired();
      const bytes = this.read(record);
      if (bytes && filter.matches(documentValue(bytes))) yield { record, bytes: project ? project(bytes) : bytes };
    }
  }

  /**
   * All matches, to be changed one by one. The search ends before the first change, so that no
   * document occurs twice. Each document is read again at its turn and left out if it does not
   * match any more.
   */
  *findForChange(filter: Filter): Search {
    const records: number[] = [];
    for (const found of this.find({ filter })) {
      if (found) records.push(found.record);
      yield undefined;
    }
    for (const record of records) {
      this.#refuseRetired();
      const bytes = this.read(record);
      yield bytes && filter.matches(documentValue(bytes)) ? { record, bytes } : undefined;
    }
  }

  /**
   * The first match. A search does not pause if its result could be outdated afterwards: a search
   * in an order, and one that is followed by an insertion if it finds nothing (`inserts`).
   */
  *findFirst(
    filter: Filter,
    { sort, inserts = false }: { sort?: readonly SortField[] | undefined; inserts?: boolean } = {},
  ): Work<StoredDocument | undefined> {
    for (const found of this.find({ filter, sort, limit: 1 })) {
      if (found) return found;
      yield sort || inserts ? 'check' : 'pause';
    }
    return undefined;
  }

  /**
   * The number of matches. Counts keys without reading documents if an index has exactly the
   * matches.
   */
  *countMatching({ filter, skip = 0, limit = 0 }: FindRequest): Work<number> {
    const plan = choosePlan(this.indexes, filter.source, []);
    let total = 0;
    if (plan.exact && !plan.index) total = this.count;
    else if (plan.exact && plan.index) {
      for (const range of plan.ranges) total += this.#countKeys(plan.index, range);
    } else {
      const counted = { filter, ...(limit === 0 ? {} : { limit: skip + limit }), project: () => empty };
      for (const found of this.find(counted)) {
        if (found) total += 1;
        yield 'pause';
      }
    }
    total = Math.max(0, total - skip);
    return limit === 0 ? total : Math.min(total, limit);
  }
}

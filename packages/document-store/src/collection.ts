// One collection: its documents, its indexes, and the atomic steps on them. Everything here is synchronous; whoever writes
// does so inside `Storage.write`. In one file, because documents and indexes may never disagree between two steps.
import { type BsonDocument, describe } from './bson-values.ts';
import { CommandError } from './errors.ts';
import { afterPrefix } from './index-key.ts';
import { type DocumentKeys, type Index, type IndexSpec, keysOf, numberPrefix, openIndex } from './indexes.ts';
import { compileFilter, type Filter, type MatchDetails } from './matcher.ts';
import { choosePlan, type Plan } from './planner.ts';
import { decodeFields, encodeDocument } from './raw-document.ts';
import type { Work } from './slices.ts';
import { compareByFields, parseSort, type SortField, sortValue } from './sort-order.ts';
import type { Storage } from './storage.ts';

const recordBytes = 6;
const empty = Buffer.alloc(0);

/** What the catalogue says about a collection. */
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

export interface Match extends StoredDocument {
  details: MatchDetails;
}

/** `undefined` stands for a document that was looked at and is none of them, so that long searches can pause. */
export type Search<T = StoredDocument> = Generator<T | undefined>;

export interface FindRequest {
  filter: BsonDocument;
  sort?: BsonDocument | undefined;
  skip?: number | undefined;
  limit?: number | undefined;
}

export class Collection {
  readonly namespace: string;
  readonly state: CollectionState;
  indexes: Index[];
  readonly #storage: Storage;
  readonly #prefix: Buffer;
  #nextRecord: number;
  #count: number | undefined;
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
    for (const key of this.#storage.documents.getKeys({
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

  /** Dropped, renamed or read anew: what still holds on to this one must not write any more. */
  retire(): void {
    this.#retired = true;
  }

  #refuseRetired(): void {
    if (this.#retired) throw new CommandError('QueryPlanKilled', `collection dropped: ${this.namespace}`);
  }

  get count(): number {
    this.#count ??= this.#storage.documents.getKeysCount({ start: this.#prefix, end: afterPrefix(this.#prefix) });
    return this.#count;
  }

  read(record: number): Buffer | undefined {
    return this.#storage.documents.getBinary(this.#documentKey(record));
  }

  /** Saves indexes, after they or their flags have changed. Inside a write. */
  save(): void {
    this.state.indexes = this.indexes.map((index) => ({
      number: index.number,
      name: index.name,
      key: index.key,
      unique: index.unique,
      sparse: index.sparse,
      hidden: index.hidden,
      multikey: index.multikey,
      unordered: index.unordered,
      ...(index.partialFilterExpression ? { partialFilterExpression: index.partialFilterExpression } : {}),
      ...(index.expireAfterSeconds === undefined ? {} : { expireAfterSeconds: index.expireAfterSeconds }),
    }));
    const state = encodeDocument({ ...this.state });
    void this.#storage.catalogue.put(Buffer.from(`collection:${this.namespace}`), state);
  }

  #keys(bytes: Buffer, indexes: readonly Index[]): Map<Index, DocumentKeys> {
    const names = new Set(indexes.flatMap((index) => [...index.names]));
    const document = decodeFields(bytes, names);
    return new Map(indexes.map((index) => [index, keysOf(index, document)]));
  }

  #checkUnique(index: Index, keys: DocumentKeys, record: number | undefined): void {
    if (!index.unique) return;
    for (const { key, values } of keys.entries) {
      for (const found of this.#storage.indexEntries.getKeys({ start: key, end: afterPrefix(key), limit: 2 })) {
        if (found.readUIntBE(found.length - recordBytes, recordBytes) === record) continue;
        const paths = Object.keys(index.key);
        const keyValue = Object.fromEntries(paths.map((path, field) => [path, values[field]]));
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

  #putEntries(index: Index, keys: DocumentKeys, record: number): void {
    const suffix = Buffer.allocUnsafe(recordBytes);
    suffix.writeUIntBE(record, 0, recordBytes);
    for (const { key } of keys.entries) void this.#storage.indexEntries.put(Buffer.concat([key, suffix]), empty);
    this.#raiseFlags(index, keys);
  }

  #removeEntries(keys: DocumentKeys, record: number, kept: ReadonlySet<string>): void {
    const suffix = Buffer.allocUnsafe(recordBytes);
    suffix.writeUIntBE(record, 0, recordBytes);
    for (const { key } of keys.entries) {
      if (!kept.has(key.toString('latin1'))) void this.#storage.indexEntries.remove(Buffer.concat([key, suffix]));
    }
  }

  /** Inserts bytes whose first element is `_id`. Throws DuplicateKey, before anything is written. */
  insert(bytes: Buffer): void {
    this.#refuseRetired();
    const keys = this.#keys(bytes, this.indexes);
    for (const [index, own] of keys) this.#checkUnique(index, own, undefined);
    const count = this.count;
    const record = this.#nextRecord;
    this.#nextRecord += 1;
    void this.#storage.documents.put(this.#documentKey(record), bytes);
    for (const [index, own] of keys) this.#putEntries(index, own, record);
    this.#count = count + 1;
  }

  remove({ record, bytes }: StoredDocument): void {
    this.#refuseRetired();
    const keys = this.#keys(bytes, this.indexes);
    const count = this.count;
    void this.#storage.documents.remove(this.#documentKey(record));
    for (const own of keys.values()) this.#removeEntries(own, record, new Set());
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
        if (previous)
          this.#removeEntries(previous, record, new Set(own.entries.map(({ key }) => key.toString('latin1'))));
        this.#putEntries(index, own, record);
      }
    }
    void this.#storage.documents.put(this.#documentKey(record), next);
  }

  /** Fills a new index. Throws DuplicateKey; the caller takes it out again then. */
  build(index: Index): void {
    for (const { record, bytes } of this.#scan(false)) {
      const keys = this.#keys(bytes, [index]).get(index);
      if (!keys) continue;
      this.#checkUnique(index, keys, record);
      this.#putEntries(index, keys, record);
    }
  }

  clearIndex(index: Index): void {
    const { indexEntries } = this.#storage;
    for (const key of this.#walk(indexEntries, { from: index.prefix, to: afterPrefix(index.prefix) }, false)) {
      void indexEntries.remove(key);
    }
  }

  /** Removes everything. Inside a write. */
  clear(): void {
    for (const index of this.indexes) this.clearIndex(index);
    const { documents } = this.#storage;
    for (const key of this.#walk(documents, { from: this.#prefix, to: afterPrefix(this.#prefix) }, false))
      void documents.remove(key);
    this.#count = 0;
  }

  /**
   * Keys of a range, read in growing portions: nothing is held open between two of them, so a cursor may wait for its
   * next getMore while others write.
   */
  *#walk(store: Storage['documents'], range: { from: Buffer; to: Buffer }, reverse: boolean): Generator<Buffer> {
    let { from, to } = range;
    for (let size = 32; ; size = Math.min(size * 2, 1024)) {
      const options = reverse
        ? { start: to, end: from, reverse: true, limit: size + 1 }
        : { start: from, end: to, limit: size };
      let last: Buffer | undefined;
      let seen = 0;
      const keys = Array.from(store.getKeys(options));
      for (const key of keys) {
        seen += 1;
        // Going backwards lmdb counts the start in; our upper bound is to be left out.
        if (reverse && Buffer.compare(key, to) >= 0) continue;
        last = key;
        yield key;
      }
      if (!last || seen < size) return;
      if (reverse) to = last;
      else from = Buffer.concat([last, Buffer.alloc(1)]);
    }
  }

  *#scan(reverse: boolean): Generator<StoredDocument> {
    const { documents } = this.#storage;
    for (const key of this.#walk(documents, { from: this.#prefix, to: afterPrefix(this.#prefix) }, reverse)) {
      const bytes = documents.getBinary(key);
      if (bytes) yield { record: key.readUIntBE(4, recordBytes), bytes };
    }
  }

  *#planned(plan: Plan): Generator<StoredDocument> {
    if (!plan.index) {
      yield* this.#scan(plan.reverse);
      return;
    }
    const seen = plan.repeats ? new Set<number>() : undefined;
    const ranges = plan.reverse ? plan.ranges.toReversed() : plan.ranges;
    for (const range of ranges) {
      for (const key of this.#walk(this.#storage.indexEntries, range, plan.reverse)) {
        const record = key.readUIntBE(key.length - recordBytes, recordBytes);
        if (seen?.has(record)) continue;
        seen?.add(record);
        const bytes = this.read(record);
        if (bytes) yield { record, bytes };
      }
    }
  }

  /** `$or` whose every branch has an index: the branches one after the other, each document once. */
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

  #candidates(
    filter: BsonDocument,
    sort: readonly SortField[],
  ): { documents: Generator<StoredDocument>; sorted: boolean } {
    const plan = choosePlan(this.indexes, filter, sort);
    if (!plan.index && Array.isArray(filter.$or)) {
      const branches = (filter.$or as BsonDocument[]).map((branch) => choosePlan(this.indexes, branch, []));
      if (branches.every((branch) => branch.index))
        return { documents: this.#united(branches), sorted: sort.length === 0 };
    }
    return { documents: this.#planned(plan), sorted: plan.sorted };
  }

  /** Documents that match, as stored bytes, in order, lazily. Refuses an unknown filter when called, not when read. */
  find(request: FindRequest, compiled: Filter = compileFilter(request.filter)): Search {
    const natural = request.sort?.$natural;
    const sort = request.sort && natural === undefined ? parseSort(request.sort) : [];
    if (natural !== undefined) {
      const backwards = (parseSort({ $natural: natural })[0] ?? { descending: false }).descending;
      return this.#limited(this.#scan(backwards), compiled, request);
    }
    const { documents, sorted } = this.#candidates(request.filter, sort);
    return sorted ? this.#limited(documents, compiled, request) : this.#sorted(documents, compiled, request, sort);
  }

  *#limited(documents: Iterable<StoredDocument>, filter: Filter, { skip = 0, limit = 0 }: FindRequest): Search {
    const all = filter.names.size === 0;
    let toSkip = skip;
    let left = limit === 0 ? Number.POSITIVE_INFINITY : limit;
    for (const found of documents) {
      const matches = all || filter.matches(decodeFields(found.bytes, filter.names));
      if (!matches || toSkip > 0) {
        if (matches) toSkip -= 1;
        yield undefined;
        continue;
      }
      yield found;
      left -= 1;
      if (left <= 0) return;
    }
  }

  *#sorted(
    documents: Iterable<StoredDocument>,
    filter: Filter,
    { skip = 0, limit = 0 }: FindRequest,
    sort: readonly SortField[],
  ): Search {
    const names = new Set([...filter.names, ...sort.map(({ path }) => path.split('.')[0] ?? path)]);
    const compare = compareByFields(sort);
    const wanted = limit === 0 ? Number.POSITIVE_INFINITY : skip + limit;
    let rows: { record: number; values: unknown[] }[] = [];
    const order = (): void => {
      rows.sort((left, right) => compare(left.values, right.values));
      if (rows.length > wanted) rows = rows.slice(0, wanted);
    };
    for (const { record, bytes } of documents) {
      yield undefined;
      const document = decodeFields(bytes, names);
      if (!filter.matches(document)) continue;
      rows.push({ record, values: sort.map((field) => sortValue(document, field)) });
      if (rows.length > wanted * 2 + 1000) order();
    }
    order();
    for (const { record } of rows.slice(skip, skip + (limit === 0 ? rows.length : limit))) {
      const bytes = this.read(record);
      if (bytes) yield { record, bytes };
    }
  }

  /**
   * All matches, to be changed one by one. Who matches is settled first, so that none is met twice though it changes; each
   * is read when its turn comes, and left out when others have changed it meanwhile so that it matches no more.
   */
  *findForChange(filter: BsonDocument, compiled: Filter): Search<Match> {
    const records: number[] = [];
    for (const found of this.find({ filter }, compiled)) {
      if (found) records.push(found.record);
      yield undefined;
    }
    for (const record of records) {
      const bytes = this.read(record);
      const details = bytes && this.matchDetails(bytes, compiled);
      yield bytes && details ? { record, bytes, details } : undefined;
    }
  }

  /**
   * The first match, as it is at the end of the search. Two searches do not pause, as their answer could be outdated: one in
   * an order, and one that leads to an insertion when it finds nothing (`inserts`).
   */
  *findFirst(
    filter: BsonDocument,
    compiled: Filter,
    { sort, inserts = false }: { sort?: BsonDocument | undefined; inserts?: boolean } = {},
  ): Work<Match | undefined> {
    for (const found of this.find({ filter, sort, limit: 1 }, compiled)) {
      const details = found && this.matchDetails(found.bytes, compiled);
      if (found && details) return { ...found, details };
      if (!sort && !inserts) yield;
    }
    return undefined;
  }

  /** Where in an array a document matches; `undefined` when it does not match. */
  matchDetails(bytes: Buffer, compiled: Filter): MatchDetails | undefined {
    const details: MatchDetails = {};
    return compiled.matches(decodeFields(bytes, compiled.names), details) ? details : undefined;
  }

  /** Number of matches; from keys alone where the index says all. */
  *countMatching({ filter, skip = 0, limit = 0 }: FindRequest): Work<number> {
    const compiled = compileFilter(filter);
    const plan = choosePlan(this.indexes, filter, []);
    let total: number;
    if (plan.exact && !plan.index) total = this.count;
    else if (plan.exact) {
      total = plan.ranges.reduce(
        (sum, { from, to }) => sum + this.#storage.indexEntries.getKeysCount({ start: from, end: to }),
        0,
      );
    } else {
      total = 0;
      for (const found of this.find({ filter, ...(limit === 0 ? {} : { limit: skip + limit }) }, compiled)) {
        if (found) total += 1;
        yield;
      }
    }
    total = Math.max(0, total - skip);
    return limit === 0 ? total : Math.min(total, limit);
  }
}

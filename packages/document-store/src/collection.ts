// One collection: its documents, its indexes, and the atomic steps that keep both consistent. All
// methods are synchronous; those that write must run inside `Storage.write`.
import { describe } from './bson/describe.ts';
import { encodeDocument, encodeFields } from './bson/encode.ts';
import { type BsonValue, documentValue } from './bson/value.ts';
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
import { walkKeys, walkOrder } from './index/key-walk.ts';
import type { Plan } from './index/planner.ts';
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

const identitiesOf = ({ entries }: DocumentKeys): Set<string> =>
  new Set(entries.map(({ key }) => key.toString('latin1')));

export class Collection {
  readonly namespace: string;
  readonly state: CollectionState;
  indexes: Index[];
  readonly #storage: Storage;
  readonly #prefix: Buffer;
  #nextRecord: number;
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

  /** The number of documents. */
  get count(): number {
    return this.#storage.documents.countKeys({ start: this.#prefix, end: afterPrefix(this.#prefix) });
  }

  /** Throws QueryPlanKilled if the collection was dropped during a pause. */
  read(record: number): Buffer | undefined {
    this.#refuseRetired();
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
      this.#storage.indexEntries.put(Buffer.concat([key, suffix]), empty);
    }
    this.#raiseFlags(index, keys);
  }

  #removeEntries(keys: DocumentKeys, record: number, kept?: ReadonlySet<string>): void {
    const suffix = Buffer.allocUnsafe(recordBytes);
    suffix.writeUIntBE(record, 0, recordBytes);
    for (const { key } of keys.entries) {
      if (kept?.has(key.toString('latin1'))) continue;
      this.#storage.indexEntries.remove(Buffer.concat([key, suffix]));
    }
  }

  /**
   * Inserts bytes whose first element is `_id`. Throws DuplicateKey, before anything is written.
   */
  insert(bytes: Buffer): void {
    this.#refuseRetired();
    const keys = this.#keys(bytes, this.indexes);
    for (const [index, own] of keys) this.#checkUnique(index, own, undefined);
    const record = this.#nextRecord;
    this.#nextRecord += 1;
    this.#storage.documents.put(this.#documentKey(record), bytes);
    for (const [index, own] of keys) this.#putEntries(index, own, record);
  }

  remove({ record, bytes }: StoredDocument): void {
    this.#refuseRetired();
    const keys = this.#keys(bytes, this.indexes);
    this.#storage.documents.remove(this.#documentKey(record));
    for (const own of keys.values()) this.#removeEntries(own, record);
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
        if (previous) this.#removeEntries(previous, record, identitiesOf(own));
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
  }

  /**
   * Reads keys. Throws QueryPlanKilled if the collection or the index was dropped during a pause:
   * without that, the missing keys would look like the end.
   */
  #walk(store: ByteStore, range: { from: Buffer; to: Buffer }): Generator<Buffer> {
    return walkKeys(store, range, { check: () => this.#refuseDropped(undefined) });
  }

  /** The number of keys of an index in a range. */
  countKeys({ from, to }: { from: Buffer; to: Buffer }): number {
    return this.#storage.indexEntries.countKeys({ start: from, end: to });
  }

  /** All documents; each is valid until the next one is read. */
  *#scan(): Generator<StoredDocument> {
    const { documents } = this.#storage;
    for (const key of this.#walk(documents, { from: this.#prefix, to: afterPrefix(this.#prefix) })) {
      const bytes = documents.view(key);
      if (bytes) yield { record: key.readUIntBE(4, recordBytes), bytes };
    }
  }

  /**
   * The documents that a plan reads, in its order; each is valid until the next one is read.
   * @param skip must be 0 if a document can occur more than once.
   */
  *readByPlan(plan: Plan, skip = 0): Generator<StoredDocument> {
    const { index, repeats } = plan;
    if (!index) {
      yield* this.#scan();
      return;
    }
    const seen = repeats ? new Set<number>() : undefined;
    const check = (): void => this.#refuseDropped(index);
    for (const key of walkOrder(this.#storage.indexEntries, plan, { skip, check })) {
      const record = key.readUIntBE(key.length - recordBytes, recordBytes);
      if (seen?.has(record)) continue;
      seen?.add(record);
      const bytes = this.#storage.documents.view(this.#documentKey(record));
      if (bytes) yield { record, bytes };
    }
  }
}

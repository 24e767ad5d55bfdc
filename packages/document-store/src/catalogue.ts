// Which databases and collections there are. The catalogue in memory and on disk change in the same write.
import {
  type BsonDocument,
  describe,
  equalValues,
  isDocument,
  isTruthy,
  toInteger,
  toJsNumber,
} from './bson-values.ts';
import { Collection, type CollectionState } from './collection.ts';
import { CommandError } from './errors.ts';
import { type Index, type IndexSpec, openIndex } from './indexes.ts';
import { compileFilter } from './matcher.ts';
import { decodeDocument } from './raw-document.ts';
import type { Storage } from './storage.ts';

const counterKey = Buffer.from('counter');
const collectionPrefix = 'collection:';

/** An index as a client asks for it. */
export type IndexRequest = BsonDocument;

export interface IndexesCreated {
  before: number;
  after: number;
  createdCollection: boolean;
}

const indexOptions = new Set([
  'key',
  'name',
  'unique',
  'sparse',
  'hidden',
  'partialFilterExpression',
  'expireAfterSeconds',
  'background',
  'v',
  'ns',
]);

function numberFrom(value: unknown): number {
  return toInteger(value) ?? 0;
}

function readState(bytes: Buffer): CollectionState {
  const { database, name, number, indexes } = decodeDocument(bytes);
  return {
    database: String(database),
    name: String(name),
    number: numberFrom(number),
    indexes: (indexes as BsonDocument[]).map((index): IndexSpec => {
      const seconds = toJsNumber(index.expireAfterSeconds);
      return {
        number: numberFrom(index.number),
        name: String(index.name),
        key: index.key as BsonDocument,
        unique: index.unique === true,
        sparse: index.sparse === true,
        hidden: index.hidden === true,
        multikey: (index.multikey as unknown[]).map((flag) => flag === true),
        unordered: index.unordered === true,
        ...(isDocument(index.partialFilterExpression)
          ? { partialFilterExpression: index.partialFilterExpression }
          : {}),
        ...(seconds === undefined ? {} : { expireAfterSeconds: seconds }),
      };
    }),
  };
}

function checkName(database: string, name: string): void {
  if (!database || /[\s/\\."$\0]/.test(database) || database.length > 63)
    throw new CommandError('InvalidNamespace', `Invalid database name: '${database}'`);
  if (!name || name.includes('\0') || name.startsWith('.') || name.includes('$'))
    throw new CommandError('InvalidNamespace', `Invalid namespace specified '${database}.${name}'`);
  if (Buffer.byteLength(`${database}.${name}`) > 255)
    throw new CommandError('InvalidNamespace', `Fully qualified namespace is too long: ${database}.${name}`);
}

/** Checks a request for an index and completes it. */
function specOf(request: IndexRequest, number: number): IndexSpec {
  for (const option of Object.keys(request)) {
    if (option === 'collation')
      throw new CommandError('NotImplemented', 'an index with a collation is not implemented');
    if (!indexOptions.has(option))
      throw new CommandError(
        197,
        `The field '${option}' is not valid for an index specification. Specification: ${describe(request)}`,
      );
  }
  const { key, name } = request;
  if (!isDocument(key) || Object.keys(key).length === 0)
    throw new CommandError('CannotCreateIndex', 'Index keys cannot be an empty document.');
  for (const [path, direction] of Object.entries(key)) {
    if (typeof direction === 'string')
      throw new CommandError('CannotCreateIndex', `Unknown index plugin '${direction}'`);
    const value = toJsNumber(direction);
    if (value === undefined || value === 0 || Number.isNaN(value))
      throw new CommandError(
        'CannotCreateIndex',
        `Values in v:2 index key pattern cannot be of this kind: ${path}: ${describe(direction)}`,
      );
    if (path === '' || path.split('.').some((part) => part === '' || part.startsWith('$')))
      throw new CommandError('CannotCreateIndex', `Index key contains an illegal field name: '${path}'`);
  }
  if (typeof name !== 'string' || name === '')
    throw new CommandError('FailedToParse', "The 'name' field is a required property of an index specification");
  const partial = request.partialFilterExpression;
  if (partial !== undefined) {
    if (!isDocument(partial))
      throw new CommandError('CannotCreateIndex', "'partialFilterExpression' for an index must be a document");
    if (request.sparse === true)
      throw new CommandError('CannotCreateIndex', 'cannot mix "partialFilterExpression" and "sparse" options');
    compileFilter(partial);
    if (/"\$(ne|nin|not|nor|regex|expr|elemMatch|size|mod)"/.test(JSON.stringify(partial)))
      throw new CommandError('CannotCreateIndex', 'unsupported expression in partial index');
  }
  const seconds = request.expireAfterSeconds;
  if (seconds !== undefined) {
    const value = toJsNumber(seconds);
    if (value === undefined || value < 0 || value > 2 ** 31 - 1)
      throw new CommandError(
        'CannotCreateIndex',
        `TTL index 'expireAfterSeconds' option must be numeric and within an acceptable range: ${describe(seconds)}`,
      );
    if (Object.keys(key).length > 1)
      throw new CommandError(
        'CannotCreateIndex',
        'TTL indexes are single-field indexes, compound indexes do not support TTL.',
      );
    if (Object.keys(key)[0] === '_id') throw new CommandError('CannotCreateIndex', '_id cannot have TTL');
  }
  return {
    number,
    name,
    key,
    unique: isTruthy(request.unique),
    sparse: isTruthy(request.sparse),
    hidden: isTruthy(request.hidden),
    multikey: Object.keys(key).map(() => false),
    unordered: false,
    ...(isDocument(partial) ? { partialFilterExpression: partial } : {}),
    ...(seconds === undefined ? {} : { expireAfterSeconds: toJsNumber(seconds) ?? 0 }),
  };
}

const sameKey = (left: BsonDocument, right: BsonDocument): boolean => equalValues(left, right);

function sameOptions(left: IndexSpec, right: IndexSpec): boolean {
  return (
    left.unique === right.unique &&
    left.sparse === right.sparse &&
    equalValues(left.partialFilterExpression ?? null, right.partialFilterExpression ?? null)
  );
}

export class Catalogue {
  readonly #storage: Storage;
  readonly #collections = new Map<string, Collection>();

  constructor(storage: Storage) {
    this.#storage = storage;
    this.#load();
    storage.onAbort(() => this.#load());
  }

  #load(): void {
    for (const collection of this.#collections.values()) collection.retire();
    this.#collections.clear();
    for (const { value } of this.#storage.catalogue.getRange({
      start: Buffer.from(collectionPrefix),
      end: Buffer.from('collection;'),
    })) {
      const collection = new Collection(this.#storage, readState(Buffer.from(value)));
      this.#collections.set(collection.namespace, collection);
    }
  }

  #nextNumber(): number {
    const next = (this.#storage.catalogue.getBinary(counterKey)?.readUInt32BE(0) ?? 0) + 1;
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(next, 0);
    void this.#storage.catalogue.put(counterKey, bytes);
    return next;
  }

  get(database: string, name: string): Collection | undefined {
    return this.#collections.get(`${database}.${name}`);
  }

  all(): Collection[] {
    return [...this.#collections.values()];
  }

  inDatabase(database: string): Collection[] {
    return this.all()
      .filter(({ state }) => state.database === database)
      .sort((left, right) => (left.state.name < right.state.name ? -1 : 1));
  }

  /** Inside a write: the collection, made where it is missing. */
  ensure(database: string, name: string): Collection {
    const known = this.get(database, name);
    if (known) return known;
    checkName(database, name);
    const number = this.#nextNumber();
    const idIndex = specOf({ key: { _id: 1 }, name: '_id_' }, this.#nextNumber());
    const collection = new Collection(this.#storage, {
      database,
      name,
      number,
      indexes: [{ ...idIndex, unique: true }],
    });
    collection.save();
    this.#collections.set(collection.namespace, collection);
    return collection;
  }

  /** Inside a write. */
  drop(collection: Collection): void {
    collection.clear();
    void this.#storage.catalogue.remove(Buffer.from(`${collectionPrefix}${collection.namespace}`));
    this.#collections.delete(collection.namespace);
    collection.retire();
  }

  /** Inside a write: builds what is not there yet. Throws DuplicateKey, IndexOptionsConflict and their like. */
  createIndexes(database: string, name: string, requests: readonly IndexRequest[]): IndexesCreated {
    // All are checked before the first number is drawn, so that a refusal leaves nothing behind.
    for (const request of requests) specOf(request, 0);
    const createdCollection = !this.get(database, name);
    const collection = this.ensure(database, name);
    const before = collection.indexes.length;
    const built: Index[] = [];
    try {
      for (const request of requests) {
        const spec = specOf(request, 0);
        if (this.#isKnown(collection, spec)) continue;
        const index = openIndex({ ...spec, number: this.#nextNumber() });
        collection.indexes = [...collection.indexes, index];
        built.push(index);
        collection.build(index);
      }
    } catch (error) {
      for (const index of built) collection.clearIndex(index);
      collection.indexes = collection.indexes.filter((index) => !built.includes(index));
      collection.save();
      throw error;
    }
    collection.save();
    return { before, after: collection.indexes.length, createdCollection };
  }

  #isKnown(collection: Collection, spec: IndexSpec): boolean {
    const asked = `Requested index: ${describe({ key: spec.key, name: spec.name })}`;
    if (sameKey(spec.key, { _id: 1 })) return true;
    const named = collection.indexes.find(({ name }) => name === spec.name);
    if (named && (!sameKey(named.key, spec.key) || !sameOptions(named, spec))) {
      throw new CommandError(
        'IndexKeySpecsConflict',
        `An existing index has the same name as the requested index. When index names are not specified, they are auto generated and can cause conflicts. Please refer to our documentation. ${asked}`,
      );
    }
    const twin = named ?? collection.indexes.find((index) => sameKey(index.key, spec.key) && sameOptions(index, spec));
    if (!twin) return false;
    if (twin.expireAfterSeconds !== spec.expireAfterSeconds) {
      throw new CommandError(
        'IndexOptionsConflict',
        `An equivalent index already exists with other options, as ${twin.name}. ${asked}`,
      );
    }
    if (twin.name !== spec.name)
      throw new CommandError('IndexOptionsConflict', `Index already exists with a different name: ${twin.name}`);
    return true;
  }

  /** Inside a write. */
  dropIndexes(collection: Collection, which: readonly Index[]): void {
    for (const index of which) collection.clearIndex(index);
    collection.indexes = collection.indexes.filter((index) => !which.includes(index));
    collection.save();
  }
}

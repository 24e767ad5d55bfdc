// The databases and collections. The catalogue in memory and the one on disk change in the same
// write.
import { equalValues } from './bson/compare.ts';
import { describe } from './bson/describe.ts';
import { encodeValue } from './bson/encode.ts';
import { integerOf, isTruthy, numberOf } from './bson/numbers.ts';
import {
  type BsonValue,
  copyValue,
  documentValue,
  elementsOf,
  fieldsByName,
  fieldsOf,
  isArray,
  isObject,
  nullValue,
  stringOf,
} from './bson/value.ts';
import { Collection, type CollectionState } from './collection.ts';
import { CommandError } from './errors.ts';
import { type Index, type IndexSpec, numberPrefix, openIndex } from './index/indexes.ts';
import { compileFilter } from './query/filter.ts';
import type { Storage } from './storage.ts';

const idKey = { _id: 1 };
const counterKey = Buffer.from('counter');
const collectionPrefix = 'collection:';

interface IndexesCreated {
  before: number;
  after: number;
  createdCollection: boolean;
}

const indexOptions = new Set(['key', 'name', 'unique', 'sparse', 'partialFilterExpression', 'expireAfterSeconds']);

function readState(bytes: Buffer): CollectionState {
  const state = fieldsByName(documentValue(bytes), 'collection');
  const indexes = state.get('indexes');
  return {
    database: stringOf(state.get('database')) ?? '',
    name: stringOf(state.get('name')) ?? '',
    number: integerOf(state.get('number')) ?? 0,
    indexes: (isArray(indexes) ? elementsOf(indexes) : []).map(readIndex),
  };
}

function readIndex(stored: BsonValue): IndexSpec {
  const index = fieldsByName(stored, 'index');
  const multikey = index.get('multikey');
  return {
    number: integerOf(index.get('number')) ?? 0,
    name: stringOf(index.get('name')) ?? '',
    unique: isTruthy(index.get('unique')),
    sparse: isTruthy(index.get('sparse')),
    multikey: (isArray(multikey) ? elementsOf(multikey) : []).map(isTruthy),
    unordered: isTruthy(index.get('unordered')),
    ...keyAndOptions(index),
  };
}

function keyAndOptions(index: ReadonlyMap<string, BsonValue>) {
  const [key, partial] = [index.get('key'), index.get('partialFilterExpression')];
  const seconds = numberOf(index.get('expireAfterSeconds'));
  if (!isObject(key)) throw new CommandError('CannotCreateIndex', 'Index keys must be an object.');
  return {
    key: copyValue(key),
    ...(partial ? { partialFilterExpression: copyValue(partial) } : {}),
    ...(seconds === undefined ? {} : { expireAfterSeconds: Number(seconds) }),
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

function checkKey(key: BsonValue): void {
  const fields = isObject(key) ? fieldsOf(key) : [];
  if (fields.length === 0) throw new CommandError('CannotCreateIndex', 'Index keys cannot be an empty document.');
  for (const { name: path, value: direction } of fields) {
    if (integerOf(direction) !== 1)
      throw new CommandError(
        'CannotCreateIndex',
        `only the direction 1 is implemented: ${path}: ${describe(direction)}`,
      );
    if (path.split('.').some((part) => part === '' || part.startsWith('$')))
      throw new CommandError('CannotCreateIndex', `Index key contains an illegal field name: '${path}'`);
  }
}

function checkPartialFilter(filter: BsonValue): void {
  if (!isObject(filter))
    throw new CommandError('CannotCreateIndex', "'partialFilterExpression' for an index must be a document");
  compileFilter(filter);
}

function checkExpiry(seconds: BsonValue, key: BsonValue): void {
  const value = Number(numberOf(seconds) ?? Number.NaN);
  if (!(value >= 0 && value < 2 ** 31))
    throw new CommandError(
      'CannotCreateIndex',
      `TTL index 'expireAfterSeconds' option must be numeric and within an acceptable range: ${describe(seconds)}`,
    );
  const [first, ...others] = fieldsOf(key);
  if (others.length > 0)
    throw new CommandError(
      'CannotCreateIndex',
      'TTL indexes are single-field indexes, compound indexes do not support TTL.',
    );
  if (first?.name === '_id') throw new CommandError('CannotCreateIndex', '_id cannot have TTL');
}

/** Checks a request for an index and completes it. */
function specOf(request: BsonValue, number: number): IndexSpec {
  const options = fieldsByName(request, 'createIndexes.indexes');
  for (const option of options.keys()) {
    if (!indexOptions.has(option))
      throw new CommandError(
        197,
        `The field '${option}' is not valid for an index specification. Specification: ${describe(request)}`,
      );
  }
  const key = options.get('key') ?? encodeValue({});
  checkKey(key);
  const name = stringOf(options.get('name'));
  if (!name)
    throw new CommandError('FailedToParse', "The 'name' field is a required property of an index specification");
  const partial = options.get('partialFilterExpression');
  const sparse = isTruthy(options.get('sparse'));
  if (partial && sparse)
    throw new CommandError('CannotCreateIndex', 'cannot mix "partialFilterExpression" and "sparse" options');
  if (partial) checkPartialFilter(partial);
  const seconds = options.get('expireAfterSeconds');
  if (seconds) checkExpiry(seconds, key);
  const multikey = fieldsOf(key).map(() => false);
  return {
    number,
    name,
    unique: isTruthy(options.get('unique')),
    sparse,
    multikey,
    unordered: false,
    ...keyAndOptions(options),
  };
}

function sameOptions(left: IndexSpec, right: IndexSpec): boolean {
  return (
    left.unique === right.unique &&
    left.sparse === right.sparse &&
    equalValues(left.partialFilterExpression ?? nullValue, right.partialFilterExpression ?? nullValue)
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
    const { catalogue } = this.#storage;
    for (const key of catalogue.keys({ start: Buffer.from(collectionPrefix), end: Buffer.from('collection;') })) {
      const state = catalogue.get(key);
      if (!state) continue;
      const collection = new Collection(this.#storage, readState(state));
      this.#collections.set(collection.namespace, collection);
    }
  }

  #nextNumber(): number {
    const next = (this.#storage.catalogue.get(counterKey)?.readUInt32BE(0) ?? 0) + 1;
    this.#storage.catalogue.put(counterKey, numberPrefix(next));
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

  /** Returns the collection and creates it if it does not exist. Must run inside a write. */
  ensure(database: string, name: string): Collection {
    const known = this.get(database, name);
    if (known) return known;
    checkName(database, name);
    const number = this.#nextNumber();
    const idIndex = specOf(encodeValue({ key: idKey, name: '_id_' }), this.#nextNumber());
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

  /** Must run inside a write. */
  drop(collection: Collection): void {
    collection.clear();
    this.#storage.catalogue.remove(Buffer.from(`${collectionPrefix}${collection.namespace}`));
    this.#collections.delete(collection.namespace);
    collection.retire();
  }

  /**
   * Builds the indexes that do not exist. Must run inside a write. Throws DuplicateKey or
   * IndexOptionsConflict, among others.
   */
  createIndexes(
    database: string,
    name: string,
    requests: readonly BsonValue[],
    checkTime: () => void = () => {},
  ): IndexesCreated {
    // All requests are checked before the first write, so that a refusal changes nothing.
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
        collection.build(index, checkTime);
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
    if (equalValues(spec.key, encodeValue(idKey))) return true;
    const isSame = (index: IndexSpec) => equalValues(index.key, spec.key) && sameOptions(index, spec);
    const other = collection.indexes.find((index) => index.name === spec.name || isSame(index));
    if (other && (other.name !== spec.name || !isSame(other) || other.expireAfterSeconds !== spec.expireAfterSeconds))
      throw new CommandError('IndexOptionsConflict', `An index exists as ${other.name}, not as ${describe(spec.key)}`);
    return other !== undefined;
  }

  /** Must run inside a write. */
  dropIndex(collection: Collection, dropped: Index): void {
    collection.clearIndex(dropped);
    collection.indexes = collection.indexes.filter((index) => index !== dropped);
    collection.save();
  }
}

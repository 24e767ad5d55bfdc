import { filterOf, orderOf, projectionOf, updateOf } from '@meterbook/document-store/documents';
import { BSON, type Document } from 'mongodb';
import mongoose, { mongo } from 'mongoose';
import { createModels, type Models } from '../../../shared/models.ts';
import { currentProcess, type State, type Step } from './scheduled-store.ts';

/** A unique index beside that of `_id`. */
interface UniqueIndex {
  fields: readonly string[];
}

interface FindOptions {
  projection?: Document;
  sort?: Document;
  limit?: number;
  readConcern?: { level?: string };
  raw?: boolean;
}

interface WriteResult {
  matchedCount: number;
  modifiedCount: number;
  upsertedCount: number;
}

const noDocuments: ReadonlyMap<string, Buffer> = new Map();

/** A stored document is never changed, so it is decoded once. */
const decoded = new WeakMap<Buffer, Document>();

/** The documents of a collection, which must not be changed. */
export function documentsIn(state: State, collection: string): Document[] {
  return [...(state.get(collection) ?? noDocuments).values()].map((bytes) => {
    const document = decoded.get(bytes) ?? BSON.deserialize(bytes);
    decoded.set(bytes, document);
    return document;
  });
}

/** The state with other documents of a collection; undefined removes one. */
export function withDocuments(
  state: State,
  collection: string,
  changes: readonly (readonly [id: string, document: Buffer | undefined])[],
): State {
  const documents = new Map(state.get(collection));
  for (const [id, document] of changes) {
    if (document) documents.set(id, document);
    else documents.delete(id);
  }
  return new Map(state).set(collection, documents);
}

// Like the driver, which does not leave out undefined values.
export const toBson = (document: Document) => Buffer.from(BSON.serialize(document, { ignoreUndefined: false }));
const idOf = (document: Document) => String(document['_id']);

/**
 * The methods of a collection of the driver that the service uses, on the scheduled store of the
 * calling process. Changes of many documents, and reads of many, are one step for each document, as
 * MongoDB has no snapshot.
 */
class ScheduledCollection {
  readonly #name: string;
  readonly #unique: readonly UniqueIndex[];

  constructor(name: string, unique: readonly UniqueIndex[]) {
    this.#name = name;
    this.#unique = unique;
  }

  find(filter: Document = {}, options: FindOptions = {}) {
    let reading: Promise<Buffer[]> | undefined;
    const read = () => (reading ??= this.#find(filter, options));
    let taken = 0;
    const decode = (bytes: Buffer) => (options.raw ? bytes : BSON.deserialize(bytes));
    return {
      toArray: async () => (await read()).map(decode),
      next: async () => {
        const bytes = (await read())[taken];
        taken += 1;
        return bytes ? decode(bytes) : null;
      },
      readBufferedDocuments: () => [],
      close: async () => {},
    };
  }

  async findOne(filter: Document = {}, options: FindOptions = {}): Promise<Document | null> {
    const [found] = await this.#find(filter, { ...options, limit: 1 });
    return found ? BSON.deserialize(found) : null;
  }

  async insertOne(document: Document) {
    await this.insertMany([document]);
    return { acknowledged: true, insertedId: document['_id'] };
  }

  /** In the order of the documents: up to the first one that is refused, or all others. */
  async insertMany(documents: readonly Document[], { ordered = true } = {}) {
    let refusal: Error | undefined;
    let left = documents.length;
    const steps = documents.map((document) => (state: State) => {
      const own = this.#refusalOf(state, document);
      refusal ??= own;
      left -= 1;
      return own ? state : withDocuments(state, this.#name, [[idOf(document), toBson(document)]]);
    });
    await this.#write(
      'insert',
      () => steps,
      () => (ordered || left === 0 ? refusal : undefined),
    );
    return { acknowledged: true, insertedCount: documents.length };
  }

  async updateOne(filter: Document, update: Document, { upsert = false } = {}): Promise<WriteResult> {
    const { before, after } = await this.#update('update', filter, update, upsert);
    const [matchedCount, upsertedCount] = before ? [1, 0] : [0, after ? 1 : 0];
    return { matchedCount, modifiedCount: before && before !== after ? 1 : 0, upsertedCount };
  }

  async updateMany(filter: Document, update: Document): Promise<WriteResult> {
    const result = { matchedCount: 0, modifiedCount: 0, upsertedCount: 0 };
    await this.#writeEach('update', filter, (state, id) => this.#updated(state, id, update, result));
    return result;
  }

  async deleteOne(filter: Document) {
    const { before } = await this.#changeFirst('delete', filter, () => undefined);
    return { acknowledged: true, deletedCount: before ? 1 : 0 };
  }

  async deleteMany(filter: Document) {
    let deletedCount = 0;
    await this.#writeEach('delete', filter, (state, id) => {
      deletedCount += 1;
      return withDocuments(state, this.#name, [[id, undefined]]);
    });
    return { acknowledged: true, deletedCount };
  }

  async findOneAndUpdate(
    filter: Document,
    update: Document,
    { upsert = false, returnDocument = 'before' }: { upsert?: boolean; returnDocument?: 'before' | 'after' } = {},
  ): Promise<Document | null> {
    const { [returnDocument]: found } = await this.#update('findAndModify', filter, update, upsert);
    return found ? BSON.deserialize(found) : null;
  }

  async findOneAndDelete(filter: Document): Promise<Document | null> {
    const { before } = await this.#changeFirst('findAndModify', filter, () => undefined);
    return before ? BSON.deserialize(before) : null;
  }

  async bulkWrite(
    operations: readonly {
      updateOne?: { filter: Document; update: Document };
      replaceOne?: { filter: Document; replacement: Document };
    }[],
  ) {
    const result = { matchedCount: 0, modifiedCount: 0, upsertedCount: 0 };
    const steps = operations.map(({ updateOne, replaceOne }) => (state: State) => {
      const [first] = this.#matching(state, updateOne?.filter ?? replaceOne?.filter ?? {});
      if (first === undefined) return state;
      if (updateOne) return this.#updated(state, first, updateOne.update, result);
      result.matchedCount += 1;
      return withDocuments(state, this.#name, [[first, toBson(replaceOne?.replacement ?? {})]]);
    });
    await this.#write('update', () => steps);
    return result;
  }

  async #find(filter: Document, { projection, sort, limit = 0, readConcern }: FindOptions): Promise<Buffer[]> {
    const { store } = currentProcess();
    const isMajority = readConcern?.level === 'majority';
    const collection = this.#name;
    const all = (state: State) => this.#matching(state, filter).flatMap((id) => state.get(this.#name)?.get(id) ?? []);
    let found: Buffer[];
    if (limit === 1 || isOfOne(filter)) {
      found = await store.read({ collection }, isMajority, all);
      if (sort) found.sort(orderOf(toBson(sort)));
    } else {
      // Each document is read in a step of its own.
      const begun = await store.read({ collection }, isMajority, (state, isStale) => ({
        stale: isStale ? all(state) : undefined,
        ids: this.#matching(state, filter),
      }));
      found = begun.stale ?? [];
      const matches = filterOf(toBson(filter));
      for (const [index, id] of begun.stale ? [] : begun.ids.entries()) {
        const label = `find ${collection}, document ${index + 1}`;
        const bytes = await store.read({ collection, label }, isMajority, (state) => state.get(collection)?.get(id));
        if (bytes && matches(bytes)) found.push(bytes);
      }
      if (sort) found.sort(orderOf(toBson(sort)));
    }
    const limited = limit === 0 ? found : found.slice(0, limit);
    return projection && Object.keys(projection).length > 0 ? limited.map(projectionOf(toBson(projection))) : limited;
  }

  #update(verb: string, filter: Document, update: Document, upsert: boolean) {
    const change = updateOf(toBson(update));
    const insert = upsert ? () => change.insertion(toBson(filter)) : undefined;
    return this.#changeFirst(verb, filter, (before) => change.apply(before), insert);
  }

  /**
   * Changes the first document that matches, undefined removes it, or inserts one if none does.
   * @returns the document before and after.
   */
  async #changeFirst(
    verb: string,
    filter: Document,
    change: (before: Buffer) => Buffer | undefined,
    insert?: () => Buffer,
  ) {
    let found: { before?: Buffer | undefined; after?: Buffer | undefined } = {};
    let refusal: Error | undefined;
    const step = (state: State) => {
      const [first] = this.#matching(state, filter);
      const before = first === undefined ? undefined : state.get(this.#name)?.get(first);
      const after = before ? change(before) : insert?.();
      found = { before, after };
      if (!before && after) refusal = this.#refusalOf(state, BSON.deserialize(after));
      if (refusal || before === after) return state;
      return withDocuments(state, this.#name, [[first ?? idOf(BSON.deserialize(after as Buffer)), after]]);
    };
    await this.#write(
      verb,
      () => [step],
      () => refusal,
    );
    return found;
  }

  /** The ids of the documents that match. */
  #matching(state: State, filter: Document): string[] {
    const matches = filterOf(toBson(filter));
    return [...(state.get(this.#name) ?? noDocuments)].flatMap(([id, bytes]) => (matches(bytes) ? id : []));
  }

  #updated(state: State, id: string, update: Document, result: WriteResult): State {
    const before = state.get(this.#name)?.get(id);
    if (!before) return state;
    const after = updateOf(toBson(update)).apply(before);
    result.matchedCount += 1;
    if (after === before) return state;
    result.modifiedCount += 1;
    return withDocuments(state, this.#name, [[id, after]]);
  }

  #refusalOf(state: State, document: Document): Error | undefined {
    const valuesOf = (stored: Document, { fields }: UniqueIndex) =>
      JSON.stringify(fields.map((field) => stored[field]));
    const others = documentsIn(state, this.#name);
    const isTaken = [{ fields: ['_id'] }, ...this.#unique].some((index) =>
      others.some((other) => valuesOf(other, index) === valuesOf(document, index)),
    );
    if (!isTaken) return undefined;
    return new mongo.MongoServerError({ message: `E11000 duplicate key error collection: ${this.#name}`, code: 11000 });
  }

  async #writeEach(verb: string, filter: Document, change: (state: State, id: string) => State): Promise<void> {
    const matches = filterOf(toBson(filter));
    const plan = (begun: State): Step[] =>
      this.#matching(begun, filter).map((id) => (state) => {
        const bytes = state.get(this.#name)?.get(id);
        return bytes && matches(bytes) ? change(state, id) : state;
      });
    await this.#write(verb, plan);
  }

  #write(verb: string, plan: (state: State) => readonly Step[], refusal: () => Error | undefined = () => undefined) {
    return currentProcess().store.write(`${verb} ${this.#name}`, plan, refusal);
  }
}

/** Whether a filter names one document by its id. */
const isOfOne = ({ _id: id }: Document) => typeof id === 'string';

/**
 * The models of the service, by Mongoose, on the scheduled store of the process that uses them.
 * `ScheduledCollection` takes the place of the driver.
 */
export function createScheduledModels(): Models {
  const own = new mongoose.Mongoose({ autoIndex: false, autoCreate: false, bufferCommands: false });
  const connection = own.createConnection();
  const models = createModels(connection);
  const indexes = new Map<string, UniqueIndex[]>();
  for (const model of Object.values(models)) {
    const all = model.schema.indexes() as [object, { unique?: boolean; partialFilterExpression?: object }][];
    const unique = all.filter(([, options]) => options.unique && !options.partialFilterExpression);
    indexes.set(
      model.collection.collectionName,
      unique.map(([fields]) => ({ fields: Object.keys(fields) })),
    );
  }
  const collection = (name: string) => new ScheduledCollection(name, indexes.get(name) ?? []);
  Object.assign(connection, { db: { collection }, readyState: mongoose.ConnectionStates.connected });
  return models;
}

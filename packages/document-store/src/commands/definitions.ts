// Collections, indexes and databases: create, drop, list.
import { equalValues } from '../bson/compare.ts';
import { describe } from '../bson/describe.ts';
import { type EncodableObject, encodeDocument } from '../bson/encode.ts';
import { isTruthy } from '../bson/numbers.ts';
import { type BsonValue, documentValue, elementsOf, fieldsByName, isArray, isObject, stringOf } from '../bson/value.ts';
import type { Collection } from '../collection.ts';
import { CommandError } from '../errors.ts';
import type { Index } from '../index/indexes.ts';
import { compileFilter } from '../query/filter.ts';
import { checkDeadline } from '../slices.ts';
import type { RawBatch } from '../wire-message.ts';
import {
  type Command,
  type CommandContext,
  collectionName,
  countField,
  documentField,
  knownCollection,
} from './command.ts';

function existing(context: CommandContext): Collection {
  const collection = knownCollection(context);
  if (!collection)
    throw new CommandError(
      'NamespaceNotFound',
      `ns does not exist: ${context.request.database}.${collectionName(context.request)}`,
    );
  return collection;
}

function describeIndex(index: Index): EncodableObject {
  return {
    v: 2,
    key: index.key,
    name: index.name,
    unique: (index.unique && index.name !== '_id_') || undefined,
    sparse: index.sparse || undefined,
    partialFilterExpression: index.partialFilterExpression,
    expireAfterSeconds: index.expireAfterSeconds,
  };
}

/** Returns rows as a cursor. */
async function listed(
  { store, request, deadline }: CommandContext,
  namespace: string,
  rows: Buffer[],
): Promise<RawBatch> {
  const cursor = fieldsByName(documentField(request.body, 'cursor'), 'cursor');
  return store.cursors.start(rows.values(), { namespace, batchSize: countField(cursor, 'batchSize'), deadline });
}

/** `commitQuorum` has no effect on a standalone server. */
export const createIndexes: Command = {
  fields: ['indexes', 'commitQuorum'],
  notImplemented: ['ignoreUnknownIndexOptions'],
  async run({ store, request, deadline }) {
    const name = collectionName(request);
    const indexes = request.body.get('indexes');
    const requests = isArray(indexes) ? elementsOf(indexes) : [];
    if (requests.length === 0 || !requests.every(isObject))
      throw new CommandError('BadValue', 'Must specify at least one index to create');
    return store.storage.write(() => {
      const checkTime = (): void => checkDeadline(deadline);
      const { before, after, createdCollection } = store.catalogue.createIndexes(
        request.database,
        name,
        requests,
        checkTime,
      );
      return {
        numIndexesBefore: before,
        numIndexesAfter: after,
        createdCollectionAutomatically: createdCollection,
        note: before === after ? 'all indexes already exist' : undefined,
        ok: 1,
      };
    });
  },
};

export const listIndexes: Command = {
  fields: ['cursor'],
  async run(context) {
    const { namespace, indexes } = existing(context);
    return listed(
      context,
      namespace,
      indexes.map((index) => encodeDocument(describeIndex(index))),
    );
  },
};

/** The index with a name or a key. Throws if it is absent or must not be dropped. */
function chosenIndex(collection: Collection, which: BsonValue | undefined): Index {
  const wanted = collection.indexes.find(({ name, key }) =>
    which && isObject(which) ? equalValues(key, which) : name === stringOf(which),
  );
  if (!wanted) throw new CommandError('IndexNotFound', `index not found: ${describe(which)}`);
  if (wanted.name === '_id_') throw new CommandError('InvalidOptions', 'cannot drop _id index');
  return wanted;
}

export const dropIndexes: Command = {
  fields: ['index'],
  async run(context) {
    const { store, request } = context;
    const which = request.body.get('index');
    return store.storage.write(() => {
      const collection = existing(context);
      const before = collection.indexes.length;
      const chosen =
        stringOf(which) === '*'
          ? collection.indexes.filter(({ name }) => name !== '_id_')
          : (isArray(which) ? elementsOf(which) : [which]).map((one) => chosenIndex(collection, one));
      store.catalogue.dropIndexes(collection, chosen);
      return { nIndexesWas: before, ok: 1 };
    });
  },
};

/** The fields that are accepted have no effect. */
export const create: Command = {
  fields: ['autoIndexId', 'idIndex', 'indexOptionDefaults', 'validationAction', 'validationLevel'],
  notImplemented: [
    'capped',
    'changeStreamPreAndPostImages',
    'clusteredIndex',
    'collation',
    'encryptedFields',
    'expireAfterSeconds',
    'max',
    'pipeline',
    'size',
    'storageEngine',
    'timeseries',
    'validator',
    'viewOn',
  ],
  async run({ store, request }) {
    const { database } = request;
    const name = collectionName(request);
    return store.storage.write(() => {
      if (store.catalogue.get(database, name))
        throw new CommandError('NamespaceExists', `Collection ${database}.${name} already exists.`);
      store.catalogue.ensure(database, name);
      return { ok: 1 };
    });
  },
};

export const drop: Command = {
  fields: [],
  async run(context) {
    const { store } = context;
    return store.storage.write(() => {
      const collection = knownCollection(context);
      if (!collection) return { ok: 1 };
      store.catalogue.drop(collection);
      return { ns: collection.namespace, nIndexesWas: collection.indexes.length, ok: 1 };
    });
  },
};

export const dropDatabase: Command = {
  fields: [],
  async run({ store, request: { database } }) {
    return store.storage.write(() => {
      for (const collection of store.catalogue.inDatabase(database)) store.catalogue.drop(collection);
      return { dropped: database, ok: 1 };
    });
  },
};

export const listCollections: Command = {
  fields: ['filter', 'nameOnly', 'authorizedCollections', 'cursor'],
  async run(context) {
    const { body, database } = context.request;
    const filter = compileFilter(documentField(body, 'filter'));
    const details = isTruthy(body.get('nameOnly'))
      ? {}
      : { options: {}, info: { readOnly: false }, idIndex: { v: 2, key: { _id: 1 }, name: '_id_' } };
    const rows = context.store.catalogue
      .inDatabase(database)
      .map(({ state: { name } }) => encodeDocument({ name, type: 'collection', ...details }));
    return listed(
      context,
      `${database}.$cmd.listCollections`,
      rows.filter((row) => filter.matches(documentValue(row))),
    );
  },
};

export const listDatabases: Command = {
  fields: ['filter', 'nameOnly', 'authorizedDatabases'],
  run({ store, request: { body } }) {
    const filter = compileFilter(documentField(body, 'filter'));
    const nameOnly = isTruthy(body.get('nameOnly'));
    const names = [...new Set(store.catalogue.all().map(({ state }) => state.database))].sort();
    const databases = names
      .map((name) => documentValue(encodeDocument(nameOnly ? { name } : { name, sizeOnDisk: 0, empty: false })))
      .filter(filter.matches);
    return { databases, ...(nameOnly ? {} : { totalSize: 0, totalSizeMb: 0 }), ok: 1 };
  },
};

// Collections, indexes and databases: create, drop, list.
import { type BsonDocument, describe, equalValues, isDocument, isTruthy } from '../bson-values.ts';
import type { Collection } from '../collection.ts';
import { CommandError } from '../errors.ts';
import type { Index } from '../indexes.ts';
import { compileFilter } from '../matcher.ts';
import { encodeDocument } from '../raw-document.ts';
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
    throw new CommandError('NamespaceNotFound', `ns not found ${context.database}.${collectionName(context)}`);
  return collection;
}

function describeIndex(index: Index): BsonDocument {
  return {
    v: 2,
    key: index.key,
    name: index.name,
    ...(index.unique && index.name !== '_id_' ? { unique: true } : {}),
    ...(index.sparse ? { sparse: true } : {}),
    ...(index.hidden ? { hidden: true } : {}),
    ...(index.partialFilterExpression ? { partialFilterExpression: index.partialFilterExpression } : {}),
    ...(index.expireAfterSeconds === undefined ? {} : { expireAfterSeconds: index.expireAfterSeconds }),
  };
}

export const createIndexes: Command = {
  fields: ['indexes', 'commitQuorum', 'ignoreUnknownIndexOptions'],
  async run(context) {
    const { body, store, database } = context;
    const name = collectionName(context);
    const { indexes } = body;
    if (!Array.isArray(indexes) || indexes.length === 0 || !indexes.every(isDocument)) {
      throw new CommandError('BadValue', 'Must specify at least one index to create');
    }
    return store.storage.write((): BsonDocument => {
      const { before, after, createdCollection } = store.catalogue.createIndexes(database, name, indexes);
      return {
        numIndexesBefore: before,
        numIndexesAfter: after,
        createdCollectionAutomatically: createdCollection,
        ...(before === after ? { note: 'all indexes already exist' } : {}),
        ok: 1,
      };
    });
  },
};

export const listIndexes: Command = {
  fields: ['cursor'],
  run(context) {
    const collection = knownCollection(context);
    if (!collection)
      throw new CommandError('NamespaceNotFound', `ns does not exist: ${context.database}.${collectionName(context)}`);
    const rows = collection.indexes.map((index) => encodeDocument(describeIndex(index)));
    return context.store.cursors.start(rows[Symbol.iterator](), {
      namespace: collection.namespace,
      batchSize: countField(documentField(context.body, 'cursor'), 'batchSize'),
    });
  },
};

export const dropIndexes: Command = {
  fields: ['index'],
  async run(context) {
    const { body, store } = context;
    return store.storage.write((): BsonDocument => {
      const collection = existing(context);
      const before = collection.indexes.length;
      const { index: which } = body;
      const wanted = Array.isArray(which) ? which : [which];
      const chosen =
        which === '*'
          ? collection.indexes.filter(({ name }) => name !== '_id_')
          : wanted.map((one) => {
              const index = collection.indexes.find(({ name, key }) =>
                isDocument(one) ? equalValues(key, one) : name === one,
              );
              if (!index) {
                throw new CommandError(
                  'IndexNotFound',
                  isDocument(one)
                    ? `can't find index with key: ${describe(one)}`
                    : `index not found with name [${String(one)}]`,
                );
              }
              if (index.name === '_id_') throw new CommandError('InvalidOptions', 'cannot drop _id index');
              return index;
            });
      store.catalogue.dropIndexes(collection, chosen);
      return { nIndexesWas: before, ok: 1 };
    });
  },
};

export const create: Command = {
  fields: [
    'capped',
    'timeseries',
    'viewOn',
    'pipeline',
    'validator',
    'validationLevel',
    'validationAction',
    'collation',
    'indexOptionDefaults',
    'autoIndexId',
    'idIndex',
    'storageEngine',
    'expireAfterSeconds',
    'clusteredIndex',
    'changeStreamPreAndPostImages',
    'size',
    'max',
    'encryptedFields',
  ],
  async run(context) {
    const { body, store, database } = context;
    const name = collectionName(context);
    const refused = [
      'capped',
      'timeseries',
      'viewOn',
      'pipeline',
      'validator',
      'storageEngine',
      'clusteredIndex',
      'changeStreamPreAndPostImages',
      'expireAfterSeconds',
      'encryptedFields',
    ];
    for (const option of refused) {
      if (body[option] !== undefined && body[option] !== false)
        throw new CommandError('NotImplemented', `the option ${option} is not implemented`);
    }
    return store.storage.write((): BsonDocument => {
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
    return store.storage.write((): BsonDocument => {
      const collection = knownCollection(context);
      if (!collection) return { ok: 1 };
      store.catalogue.drop(collection);
      return { ns: collection.namespace, nIndexesWas: collection.indexes.length, ok: 1 };
    });
  },
};

export const dropDatabase: Command = {
  fields: [],
  async run({ store, database }) {
    return store.storage.write((): BsonDocument => {
      for (const collection of store.catalogue.inDatabase(database)) store.catalogue.drop(collection);
      return { dropped: database, ok: 1 };
    });
  },
};

export const listCollections: Command = {
  fields: ['filter', 'nameOnly', 'authorizedCollections', 'cursor'],
  run({ body, store, database }) {
    const filter = compileFilter(documentField(body, 'filter'));
    const rows = store.catalogue
      .inDatabase(database)
      .map(({ state }): BsonDocument => {
        const short = { name: state.name, type: 'collection' };
        if (isTruthy(body.nameOnly)) return short;
        return { ...short, options: {}, info: { readOnly: false }, idIndex: { v: 2, key: { _id: 1 }, name: '_id_' } };
      })
      .filter((row) => filter.matches(row))
      .map(encodeDocument);
    return store.cursors.start(rows[Symbol.iterator](), {
      namespace: `${database}.$cmd.listCollections`,
      batchSize: countField(documentField(body, 'cursor'), 'batchSize'),
    });
  },
};

export const listDatabases: Command = {
  fields: ['filter', 'nameOnly', 'authorizedDatabases'],
  run({ body, store }) {
    const filter = compileFilter(documentField(body, 'filter'));
    const names = [...new Set(store.catalogue.all().map(({ state }) => state.database))].sort();
    const databases = names
      .map((name): BsonDocument => (isTruthy(body.nameOnly) ? { name } : { name, sizeOnDisk: 0, empty: false }))
      .filter((row) => filter.matches(row));
    return { databases, ...(isTruthy(body.nameOnly) ? {} : { totalSize: 0, totalSizeMb: 0 }), ok: 1 };
  },
};

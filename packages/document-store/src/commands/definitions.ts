// Collections and indexes: create, drop, list. And databases: drop.
import { describe } from '../bson/describe.ts';
import { type EncodableObject, encodeDocument } from '../bson/encode.ts';
import { isTruthy } from '../bson/numbers.ts';
import { documentValue, elementsOf, fieldsByName, isArray, isObject, stringOf } from '../bson/value.ts';
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

export const createIndexes: Command = {
  fields: ['indexes'],
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

/** By name. */
export const dropIndexes: Command = {
  fields: ['index'],
  async run(context) {
    const { store, request } = context;
    const which = request.body.get('index');
    return store.storage.write(() => {
      const collection = existing(context);
      const before = collection.indexes.length;
      const chosen = collection.indexes.find(({ name }) => name === stringOf(which));
      if (!chosen) throw new CommandError('IndexNotFound', `index not found: ${describe(which)}`);
      if (chosen.name === '_id_') throw new CommandError('InvalidOptions', 'cannot drop _id index');
      store.catalogue.dropIndex(collection, chosen);
      return { nIndexesWas: before, ok: 1 };
    });
  },
};

export const create: Command = {
  fields: [],
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

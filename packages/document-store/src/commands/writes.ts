// insert, update, delete, findAndModify. Each statement is one atomic step inside a write; the
// reply waits for the disk.
import { describe } from '../bson/describe.ts';
import type { EncodableObject } from '../bson/encode.ts';
import { integerOf, isTruthy } from '../bson/numbers.ts';
import { documentValue } from '../bson/value.ts';
import type { Collection, StoredDocument } from '../collection.ts';
import { CommandError, toCommandError } from '../errors.ts';
import { compileFilter, type Filter } from '../query/filter.ts';
import { compileProjection } from '../query/projection.ts';
import { findFirst, findForChange } from '../search.ts';
import type { Work } from '../slices.ts';
import { idOf, toStoredDocument } from '../stored-document.ts';
import { compileUpdate, type Update } from '../update/update.ts';
import {
  type Command,
  collectionName,
  documentField,
  documentsOf,
  type Fields,
  optionalDocument,
  statementsOf,
} from './command.ts';

function writeError(index: number, { code, message, details }: CommandError): EncodableObject {
  return { index, code, errmsg: message, ...details };
}

/** Runs statements one by one; an ordered batch ends at its first refusal. */
function* runBatch(count: number, body: Fields, step: (index: number) => Work<void>): Work<EncodableObject[]> {
  const ordered = isOrdered(body);
  const errors: EncodableObject[] = [];
  for (let index = 0; index < count; index += 1) {
    try {
      yield* step(index);
    } catch (error) {
      const refusal = toCommandError(error);
      if (refusal.codeName === 'InternalError') throw error;
      errors.push(writeError(index, refusal));
      if (ordered) break;
    }
  }
  return errors;
}

function isOrdered(body: Fields): boolean {
  const ordered = body.get('ordered');
  return !ordered || isTruthy(ordered);
}

function withErrors(reply: EncodableObject, errors: readonly EncodableObject[]): EncodableObject {
  return { ...reply, ...(errors.length > 0 ? { writeErrors: errors } : {}), ok: 1 };
}

/**
 * Compiles a statement at once and throws its error at its turn: the statements before it must run.
 */
function later<T>(compile: () => T): () => T {
  let result: T;
  try {
    result = compile();
  } catch (error) {
    const refusal = toCommandError(error);
    return () => {
      throw refusal;
    };
  }
  return () => result;
}

export const insert: Command = {
  fields: ['documents', 'ordered'],
  async run({ store, request, deadline }) {
    const { body, database } = request;
    const name = collectionName(request);
    const documents = documentsOf(request, 'documents').map((bytes) => later(() => toStoredDocument(bytes)));
    let n = 0;
    function* insertOne(index: number): Work<void> {
      const bytes = documents[index]?.();
      if (bytes) store.catalogue.ensure(database, name).insert(bytes);
      n += 1;
      yield 'pause';
    }
    function* insertAll(): Work<EncodableObject[]> {
      store.catalogue.ensure(database, name);
      return yield* runBatch(documents.length, body, insertOne);
    }
    const errors = await store.storage.writeInSlices(insertAll(), deadline);
    return withErrors({ n }, errors);
  },
};

interface UpdateStatement {
  filter: Filter;
  update: Update;
  multi: boolean;
  upsert: boolean;
}

function compileUpdateStatement(statement: Fields): UpdateStatement {
  const filter = compileFilter(documentField(statement, 'q'));
  const update = compileUpdate(statement.get('u'));
  const multi = isTruthy(statement.get('multi'));
  if (multi && update.touched === null)
    throw new CommandError('FailedToParse', 'multi update is not supported for replacement-style update');
  return { filter, update, multi, upsert: isTruthy(statement.get('upsert')) };
}

/** The documents that a statement changes: all matches or the first one. */
function* matchesOf(
  collection: Collection,
  filter: Filter,
  multi: boolean,
  inserts = false,
): Generator<StoredDocument | 'pause' | 'check'> {
  if (multi) {
    for (const found of findForChange(collection, filter)) yield found ?? 'pause';
    return;
  }
  const first = yield* findFirst(collection, filter, inserts);
  if (first) yield first;
}

export const update: Command = {
  fields: ['updates', 'ordered'],
  async run({ store, request, deadline }) {
    const { body, database } = request;
    const name = collectionName(request);
    const statements = statementsOf(request, 'updates', ['q', 'u', 'multi', 'upsert']).map((statement) =>
      later(() => compileUpdateStatement(statement)),
    );
    let n = 0;
    let nModified = 0;
    const upserted: EncodableObject[] = [];
    function* updateOne(index: number): Work<void> {
      const statement = statements[index]?.();
      if (!statement) return;
      const { filter, update: change, multi, upsert } = statement;
      const collection = store.catalogue.get(database, name);
      const before = n;
      if (collection) {
        for (const found of matchesOf(collection, filter, multi, upsert)) {
          if (typeof found === 'string') {
            yield found;
            continue;
          }
          const next = change.apply(found.bytes);
          if (next !== found.bytes) {
            collection.replace(found, next, change.touched);
            nModified += 1;
          }
          n += 1;
          yield 'pause';
        }
      }
      if (n > before || !upsert) return;
      const bytes = change.insertion(filter.source);
      store.catalogue.ensure(database, name).insert(bytes);
      n += 1;
      upserted.push({ index, _id: idOf(bytes) });
      yield 'pause';
    }
    const errors = await store.storage.writeInSlices(runBatch(statements.length, body, updateOne), deadline);
    return withErrors({ n, nModified, ...(upserted.length > 0 ? { upserted } : {}) }, errors);
  },
};

function compileDeleteStatement(statement: Fields): { filter: Filter; multi: boolean } {
  const limit = integerOf(statement.get('limit'));
  if (limit !== 0 && limit !== 1)
    throw new CommandError(
      'FailedToParse',
      `The limit field in delete objects must be 0 or 1. Got ${describe(statement.get('limit'))}`,
    );
  return { filter: compileFilter(documentField(statement, 'q')), multi: limit === 0 };
}

export const remove: Command = {
  fields: ['deletes', 'ordered'],
  async run({ store, request, deadline }) {
    const { body, database } = request;
    const name = collectionName(request);
    const statements = statementsOf(request, 'deletes', ['q', 'limit']).map((statement) =>
      later(() => compileDeleteStatement(statement)),
    );
    let n = 0;
    function* removeOne(index: number): Work<void> {
      const statement = statements[index]?.();
      const collection = store.catalogue.get(database, name);
      if (!statement || !collection) return;
      for (const found of matchesOf(collection, statement.filter, statement.multi)) {
        if (typeof found === 'string') {
          yield found;
          continue;
        }
        collection.remove(found);
        n += 1;
        yield 'pause';
      }
    }
    const errors = await store.storage.writeInSlices(runBatch(statements.length, body, removeOne), deadline);
    return withErrors({ n }, errors);
  },
};

/** `update` is `undefined` if the document is to be removed. */
function parseFindAndModify(body: Fields): { update: Update | undefined; upserts: boolean; returnsNew: boolean } {
  const removes = isTruthy(body.get('remove'));
  const upserts = isTruthy(body.get('upsert'));
  const returnsNew = isTruthy(body.get('new'));
  const refuse = (message: string): never => {
    throw new CommandError('FailedToParse', message);
  };
  if (removes && body.has('update')) refuse('Cannot specify both an update and remove=true');
  if (removes && upserts) refuse('Cannot specify both upsert=true and remove=true');
  if (removes && returnsNew)
    refuse("Cannot specify both new=true and remove=true; 'remove' always returns the deleted document");
  if (!removes && !body.has('update')) refuse('Either an update or remove=true must be specified');
  return { update: removes ? undefined : compileUpdate(body.get('update')), upserts, returnsNew };
}

export const findAndModify: Command = {
  fields: ['query', 'remove', 'update', 'new', 'fields', 'upsert'],
  async run({ store, request, deadline }) {
    const { body, database } = request;
    const name = collectionName(request);
    const { update: change, upserts, returnsNew } = parseFindAndModify(body);
    const filter = compileFilter(documentField(body, 'query'));
    const fields = optionalDocument(body, 'fields');
    const project = (fields && compileProjection(fields)) ?? ((bytes: Buffer) => bytes);
    const reply = (lastErrorObject: EncodableObject, bytes?: Buffer): EncodableObject => ({
      lastErrorObject,
      value: bytes ? documentValue(project(bytes)) : null,
      ok: 1,
    });
    function* findAndChange(): Work<EncodableObject> {
      const collection = store.catalogue.get(database, name);
      const found = collection && (yield* findFirst(collection, filter, upserts));
      if (collection && found) {
        if (!change) {
          collection.remove(found);
          return reply({ n: 1 }, found.bytes);
        }
        const next = change.apply(found.bytes);
        if (next !== found.bytes) collection.replace(found, next, change.touched);
        return reply({ n: 1, updatedExisting: true }, returnsNew ? next : found.bytes);
      }
      if (!change) return reply({ n: 0 });
      if (!upserts) return reply({ n: 0, updatedExisting: false });
      const bytes = change.insertion(filter.source);
      store.catalogue.ensure(database, name).insert(bytes);
      return reply({ n: 1, updatedExisting: false, upserted: idOf(bytes) }, returnsNew ? bytes : undefined);
    }
    return store.storage.writeInSlices(findAndChange(), deadline);
  },
};

// insert, update, delete, findAndModify. Each statement is one atomic step inside a write; the reply waits for the disk.
import { type BsonDocument, describe, isDocument, isTruthy, toInteger } from '../bson-values.ts';
import type { Collection, Match, Search, StoredDocument } from '../collection.ts';
import { CommandError, toCommandError } from '../errors.ts';
import { compileFilter, type Filter, type MatchDetails } from '../matcher.ts';
import { compileProjection } from '../projection.ts';
import { decodeDocument, idOf, withLeadingId } from '../raw-document.ts';
import type { Work } from '../slices.ts';
import { parseSort } from '../sort-order.ts';
import { compileUpdate } from '../update-document.ts';
import {
  type Command,
  type CommandContext,
  checkCollation,
  checkHint,
  collectionName,
  decodeStatements,
  documentField,
  rawDocuments,
} from './command.ts';

interface WriteError extends BsonDocument {
  index: number;
  code: number;
  errmsg: string;
}

function writeError(index: number, { code, message, details }: CommandError): WriteError {
  return { index, code, errmsg: message, ...details };
}

/** Runs statements one by one; an ordered batch ends at its first refusal. */
function* runBatch(count: number, ordered: boolean, step: (index: number) => Work<void>): Work<WriteError[]> {
  const errors: WriteError[] = [];
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

function withErrors(reply: BsonDocument, errors: readonly WriteError[]): BsonDocument {
  return errors.length > 0 ? { ...reply, writeErrors: errors, ok: 1 } : { ...reply, ok: 1 };
}

function isOrdered(body: BsonDocument): boolean {
  return body.ordered === undefined || isTruthy(body.ordered);
}

/** Compiles a statement now and keeps its refusal for its turn, as one bad statement must not stop those before it. */
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
  fields: ['documents', 'ordered', 'bypassDocumentValidation'],
  async run(context) {
    const { body, store, database } = context;
    const name = collectionName(context);
    const documents = rawDocuments(context, 'documents').map((bytes) => later(() => withLeadingId(bytes)));
    let n = 0;
    const insertOne = function* (index: number): Work<void> {
      const bytes = documents[index]?.();
      if (bytes) store.catalogue.ensure(database, name).insert(bytes);
      n += 1;
      yield;
    };
    const insertAll = function* (): Work<WriteError[]> {
      store.catalogue.ensure(database, name);
      return yield* runBatch(documents.length, isOrdered(body), insertOne);
    };
    const errors = await store.storage.writeInSlices(insertAll());
    return withErrors({ n }, errors);
  },
};

function replaceFound(
  collection: Collection,
  found: StoredDocument,
  next: Buffer,
  touched: ReadonlySet<string> | null,
): boolean {
  if (next === found.bytes) return false;
  collection.replace(found, next, touched);
  return true;
}

const updateFields = ['q', 'u', 'multi', 'upsert', 'arrayFilters', 'hint', 'collation', 'sort'];

function filtersOf(value: unknown): BsonDocument[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || !value.every(isDocument))
    throw new CommandError('TypeMismatch', 'arrayFilters must be an array of objects');
  return value;
}

function compileUpdateStatement(statement: BsonDocument) {
  const filter = documentField(statement, 'q');
  const multi = isTruthy(statement.multi);
  const update = compileUpdate(statement.u, filtersOf(statement.arrayFilters));
  if (multi && update.touched === null)
    throw new CommandError('FailedToParse', 'multi update is not supported for replacement-style update');
  const sort = isDocument(statement.sort) ? statement.sort : undefined;
  if (sort) parseSort(sort);
  if (sort && multi) throw new CommandError('FailedToParse', 'Cannot specify sort with multi=true');
  return {
    filter,
    compiled: compileFilter(filter),
    update,
    multi,
    sort,
    upsert: isTruthy(statement.upsert),
    hint: statement.hint,
  };
}

/** What a statement changes: all matches or the first one. */
function* matchesOf(
  collection: Collection | undefined,
  filter: BsonDocument,
  compiled: Filter,
  multi: boolean,
  options: { sort?: BsonDocument | undefined; inserts?: boolean } = {},
): Search<Match> {
  if (!collection) return;
  if (multi) {
    yield* collection.findForChange(filter, compiled);
    return;
  }
  const first = yield* collection.findFirst(filter, compiled, options);
  if (first) yield first;
}

export const update: Command = {
  fields: ['updates', 'ordered', 'bypassDocumentValidation', 'let'],
  async run(context) {
    const { body, store, database } = context;
    const name = collectionName(context);
    if (body.let !== undefined) throw new CommandError('NotImplemented', 'let is not implemented');
    const statements = decodeStatements(context, 'updates', updateFields).map((statement) =>
      later(() => compileUpdateStatement(statement)),
    );
    let n = 0;
    let nModified = 0;
    const upserted: BsonDocument[] = [];
    const updateOne = function* (index: number): Work<void> {
      const statement = statements[index]?.();
      if (!statement) return;
      const { filter, compiled, update: change, multi, sort, upsert, hint } = statement;
      const collection = store.catalogue.get(database, name);
      checkHint(collection, hint);
      const before = n;
      for (const found of matchesOf(collection, filter, compiled, multi, { sort, inserts: upsert })) {
        if (collection && found) {
          const next = change.apply(found.bytes, found.details);
          if (replaceFound(collection, found, next, change.touched)) nModified += 1;
          n += 1;
        }
        yield;
      }
      if (n > before || !upsert) return;
      const bytes = withLeadingId(change.insertion(filter));
      store.catalogue.ensure(database, name).insert(bytes);
      n += 1;
      upserted.push({ index, _id: idOf(bytes) });
      yield;
    };
    const errors = await store.storage.writeInSlices(runBatch(statements.length, isOrdered(body), updateOne));
    return withErrors({ n, nModified, ...(upserted.length > 0 ? { upserted } : {}) }, errors);
  },
};

export const remove: Command = {
  fields: ['deletes', 'ordered', 'let'],
  async run(context) {
    const { body, store, database } = context;
    const name = collectionName(context);
    if (body.let !== undefined) throw new CommandError('NotImplemented', 'let is not implemented');
    const statements = decodeStatements(context, 'deletes', ['q', 'limit', 'hint', 'collation']).map((statement) =>
      later(() => {
        const limit = toInteger(statement.limit);
        if (limit !== 0 && limit !== 1) {
          throw new CommandError(
            'FailedToParse',
            `The limit field in delete objects must be 0 or 1. Got ${describe(statement.limit)}`,
          );
        }
        const filter = documentField(statement, 'q');
        return { filter, limit, compiled: compileFilter(filter), hint: statement.hint };
      }),
    );
    let n = 0;
    const removeOne = function* (index: number): Work<void> {
      const statement = statements[index]?.();
      const collection = store.catalogue.get(database, name);
      if (!statement || !collection) return;
      checkHint(collection, statement.hint);
      for (const found of matchesOf(collection, statement.filter, statement.compiled, statement.limit === 0)) {
        if (found) {
          collection.remove(found);
          n += 1;
        }
        yield;
      }
    };
    const errors = await store.storage.writeInSlices(runBatch(statements.length, isOrdered(body), removeOne));
    return withErrors({ n }, errors);
  },
};

export const findAndModify: Command = {
  fields: [
    'query',
    'sort',
    'remove',
    'update',
    'new',
    'fields',
    'upsert',
    'arrayFilters',
    'hint',
    'collation',
    'bypassDocumentValidation',
    'let',
  ],
  async run(context: CommandContext) {
    const { body, store, database } = context;
    const name = collectionName(context);
    checkCollation(body);
    if (body.let !== undefined) throw new CommandError('NotImplemented', 'let is not implemented');
    const removes = isTruthy(body.remove);
    const upserts = isTruthy(body.upsert);
    const answersNew = isTruthy(body.new);
    if (removes && body.update !== undefined)
      throw new CommandError('FailedToParse', 'Cannot specify both an update and remove=true');
    if (removes && upserts) throw new CommandError('FailedToParse', 'Cannot specify both upsert=true and remove=true');
    if (removes && answersNew)
      throw new CommandError(
        'FailedToParse',
        "Cannot specify both new=true and remove=true; 'remove' always returns the deleted document",
      );
    if (!removes && body.update === undefined)
      throw new CommandError('FailedToParse', 'Either an update or remove=true must be specified');
    const filter = documentField(body, 'query');
    const compiled = compileFilter(filter);
    const sort = Object.keys(documentField(body, 'sort')).length > 0 ? documentField(body, 'sort') : undefined;
    if (sort) parseSort(sort);
    const fields = documentField(body, 'fields');
    const project = Object.keys(fields).length > 0 ? compileProjection(fields, true) : undefined;
    const change = removes ? undefined : compileUpdate(body.update, filtersOf(body.arrayFilters));
    const answer = (bytes: Buffer, details: MatchDetails): BsonDocument => {
      const document = decodeDocument(bytes);
      return project ? project(document, details) : document;
    };
    const findAndChange = function* (): Work<BsonDocument> {
      const collection = store.catalogue.get(database, name);
      checkHint(collection, body.hint);
      const found = collection && (yield* collection.findFirst(filter, compiled, { sort, inserts: upserts }));
      if (collection && found) {
        if (!change) {
          collection.remove(found);
          return { lastErrorObject: { n: 1 }, value: answer(found.bytes, found.details), ok: 1 };
        }
        const next = change.apply(found.bytes, found.details);
        replaceFound(collection, found, next, change.touched);
        return {
          lastErrorObject: { n: 1, updatedExisting: true },
          value: answer(answersNew ? next : found.bytes, found.details),
          ok: 1,
        };
      }
      if (!change || !upserts) {
        return { lastErrorObject: change ? { n: 0, updatedExisting: false } : { n: 0 }, value: null, ok: 1 };
      }
      const bytes = withLeadingId(change.insertion(filter));
      store.catalogue.ensure(database, name).insert(bytes);
      return {
        lastErrorObject: { n: 1, updatedExisting: false, upserted: idOf(bytes) },
        value: answersNew ? answer(bytes, {}) : null,
        ok: 1,
      };
    };
    return store.storage.writeInSlices(findAndChange());
  },
};

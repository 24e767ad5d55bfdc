// What every command shares: what it gets, which fields it may have, and how options that we do not have are refused.
import { type BsonDocument, describe, isDocument, toInteger } from '../bson-values.ts';
import type { Catalogue } from '../catalogue.ts';
import type { Collection } from '../collection.ts';
import type { Cursors } from '../cursors.ts';
import { CommandError } from '../errors.ts';
import { decodeDocument } from '../raw-document.ts';
import type { Storage } from '../storage.ts';
import type { Reply, Request } from '../wire-message.ts';

export interface Store {
  storage: Storage;
  catalogue: Catalogue;
  cursors: Cursors;
}

export interface CommandContext {
  store: Store;
  request: Request;
  body: BsonDocument;
  database: string;
  connectionId: number;
}

export interface Command {
  /** Fields of its own, beside the ones every command takes; anything else is refused. `null`: whatever comes. */
  fields: readonly string[] | null;
  run(context: CommandContext): Reply | Promise<Reply>;
}

const commonFields = new Set([
  '$db',
  '$readPreference',
  '$clusterTime',
  'apiDeprecationErrors',
  'apiStrict',
  'apiVersion',
  'autocommit',
  'clientOperationKey',
  'comment',
  'lsid',
  'maxTimeMS',
  'readConcern',
  'startTransaction',
  'txnNumber',
  'writeConcern',
]);

/** Refuses fields that the command does not have, transactions and collations. */
export function checkFields(name: string, { fields }: Command, body: BsonDocument): void {
  if (body.startTransaction !== undefined || body.autocommit !== undefined || body.txnNumber !== undefined) {
    throw new CommandError(
      'IllegalOperation',
      'Transaction numbers are only allowed on a replica set member or mongos',
    );
  }
  if (!fields) return;
  for (const field of Object.keys(body)) {
    if (field === name || commonFields.has(field) || fields.includes(field)) continue;
    throw new CommandError('UnknownCommandField', `BSON field '${name}.${field}' is an unknown field.`);
  }
  checkCollation(body);
}

/** Only the simple collation is what we do anyway. */
export function checkCollation(options: BsonDocument): void {
  const { collation } = options;
  if (
    collation === undefined ||
    (isDocument(collation) && (Object.keys(collation).length === 0 || collation.locale === 'simple'))
  )
    return;
  throw new CommandError('NotImplemented', 'collations are not implemented');
}

export function collectionName({ request, body, database }: CommandContext): string {
  const name = body[request.name];
  if (typeof name !== 'string' || name === '') {
    throw new CommandError(
      'InvalidNamespace',
      `Invalid namespace specified '${database}.${typeof name === 'string' ? name : ''}'`,
    );
  }
  return name;
}

export function knownCollection(context: CommandContext): Collection | undefined {
  return context.store.catalogue.get(context.database, collectionName(context));
}

export function documentField(body: BsonDocument, name: string): BsonDocument {
  const value = body[name] ?? {};
  if (!isDocument(value)) {
    throw new CommandError(
      'TypeMismatch',
      `BSON field '${name}' is the wrong type, expected type 'object': ${describe(value)}`,
    );
  }
  return value;
}

/** A count that must not be negative; `undefined` when it is absent. */
export function countField(body: BsonDocument, name: string): number | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  const count = toInteger(value);
  if (count === undefined)
    throw new CommandError(
      'TypeMismatch',
      `BSON field '${name}' is the wrong type, expected an integer: ${describe(value)}`,
    );
  if (count < 0) throw new CommandError(51024, `BSON field '${name}' value must be >= 0, actual value '${count}'`);
  return count;
}

/** Documents that came as raw bytes, under `name`. */
export function rawDocuments({ request }: CommandContext, name: string): readonly Buffer[] {
  const documents = request.documents.get(name);
  if (!documents) throw new CommandError(40414, `BSON field '${request.name}.${name}' is missing but a required field`);
  if (documents.length === 0 || documents.length > 100_000) {
    throw new CommandError(
      'InvalidLength',
      `Write batch sizes must be between 1 and 100000. Got ${documents.length} operations.`,
    );
  }
  return documents;
}

export function decodeStatements(context: CommandContext, name: string, fields: readonly string[]): BsonDocument[] {
  return rawDocuments(context, name).map((bytes) => {
    const statement = decodeDocument(bytes);
    for (const field of Object.keys(statement)) {
      if (!fields.includes(field))
        throw new CommandError(
          'UnknownCommandField',
          `BSON field '${context.request.name}.${name}.${field}' is an unknown field.`,
        );
    }
    checkCollation(statement);
    return statement;
  });
}

/** A hint is accepted when it names an index, by name or by key; the planner keeps its own choice. */
export function checkHint(collection: Collection | undefined, hint: unknown): void {
  if (hint === undefined || hint === null || !collection) return;
  const known = collection.indexes.some(({ name, key }) =>
    typeof hint === 'string' ? name === hint : describe(key) === describe(hint),
  );
  const isNatural = isDocument(hint) && hint.$natural !== undefined;
  if (!known && !isNatural && !(isDocument(hint) && Object.keys(hint).length === 0)) {
    throw new CommandError(
      'BadValue',
      'error processing query: planner returned error :: caused by :: hint provided does not correspond to an existing index',
    );
  }
}

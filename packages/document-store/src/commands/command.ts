// The common part of all commands: their context, and the reading and refusing of their fields.
import { describe } from '../bson/describe.ts';
import { integerOf, isNumeric, numberOf } from '../bson/numbers.ts';
import { bsonTypes, typeName } from '../bson/types.ts';
import { type BsonValue, documentValue, fieldsByName, fieldsOf, isObject, stringOf } from '../bson/value.ts';
import type { Catalogue } from '../catalogue.ts';
import type { Collection } from '../collection.ts';
import type { Cursors } from '../cursors.ts';
import { CommandError } from '../errors.ts';
import type { Deadline } from '../slices.ts';
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
  connectionId: number;
  /** When `maxTimeMS` ends. */
  deadline: Deadline;
}

export interface Command {
  /** The fields that it takes beside those of every command. */
  fields: readonly string[];
  run(context: CommandContext): Reply | Promise<Reply>;
}

/** A command or a statement of one, by the names of its fields. */
export type Fields = ReadonlyMap<string, BsonValue>;

const commonFields = new Set(['$db', '$readPreference', 'comment', 'lsid', 'maxTimeMS', 'readConcern', 'writeConcern']);
const emptyDocument = documentValue(Buffer.of(5, 0, 0, 0, 0));
const maxStatements = 100_000;

/** Refuses a field that is not among those that the command or statement `where` takes. */
function refuseOther(where: string, name: string): never {
  throw new CommandError('UnknownCommandField', `BSON field '${where}.${name}' is an unknown field.`);
}

/** On a standalone server, `local` and `majority` read the same data. */
function checkReadConcern(body: Fields): void {
  const level = fieldsByName(documentField(body, 'readConcern'), 'readConcern').get('level');
  if (level && stringOf(level) !== 'local' && stringOf(level) !== 'majority')
    throw new CommandError('NotAReplicaSet', `the read concern ${describe(level)} needs a replica set`);
}

/** Every acknowledged write is on disk, whatever `j` says. */
function checkWriteConcern(body: Fields): void {
  const w = fieldsByName(documentField(body, 'writeConcern'), 'writeConcern').get('w');
  if (w && stringOf(w) !== 'majority' && !((integerOf(w) ?? 2) <= 1))
    throw new CommandError('BadValue', `the write concern ${describe(w)} needs a replica set`);
}

/** Refuses what the command does not take, and guarantees that need a replica set. */
export function checkFields({ command, body, documents }: Request, { fields }: Command): void {
  for (const name of [...body.keys(), ...documents.keys()]) {
    if (name !== command && !commonFields.has(name) && !fields.includes(name)) refuseOther(command, name);
  }
  checkReadConcern(body);
  checkWriteConcern(body);
}

/** From `maxTimeMS`, in milliseconds from now; 0 is no limit. */
export function deadlineOf(body: Fields): Deadline {
  const value = body.get('maxTimeMS');
  if (!value) return Number.POSITIVE_INFINITY;
  if (!isNumeric(value)) throw new CommandError('BadValue', 'maxTimeMS must be a number');
  const milliseconds = integerOf(value);
  if (milliseconds === undefined || milliseconds < 0 || milliseconds >= 2 ** 31)
    throw new CommandError('BadValue', `${describe(value)} value for maxTimeMS is out of range [0, 2147483647]`);
  return milliseconds === 0 ? Number.POSITIVE_INFINITY : performance.now() + milliseconds;
}

export function collectionName({ command, database, body }: Request): string {
  const name = stringOf(body.get(command)) ?? '';
  if (name === '') throw new CommandError('InvalidNamespace', `Invalid namespace specified '${database}.'`);
  return name;
}

export function knownCollection({ store, request }: CommandContext): Collection | undefined {
  return store.catalogue.get(request.database, collectionName(request));
}

/** An empty document if the field is absent or null. */
export function documentField(fields: Fields, name: string): BsonValue {
  const value = fields.get(name);
  if (!value || value.type === bsonTypes.null) return emptyDocument;
  if (!isObject(value))
    throw new CommandError(
      'TypeMismatch',
      `BSON field '${name}' is the wrong type '${typeName(value.type)}', expected type 'object'`,
    );
  return value;
}

/** `undefined` if the field is absent or an empty document. */
export function optionalDocument(fields: Fields, name: string): BsonValue | undefined {
  const value = documentField(fields, name);
  return fieldsOf(value).length === 0 ? undefined : value;
}

/** An integer, which may be of any numeric type; `undefined` if it is absent or null. */
export function integerField(fields: Fields, name: string): number | undefined {
  const value = fields.get(name);
  if (!value || value.type === bsonTypes.null) return undefined;
  const integer = integerOf(value);
  if (integer === undefined)
    throw new CommandError(
      'TypeMismatch',
      `BSON field '${name}' is the wrong type, expected an integer: ${describe(value)}`,
    );
  return integer;
}

/** As `integerField`; refuses negative integers. */
export function countField(fields: Fields, name: string): number | undefined {
  const count = integerField(fields, name);
  if (count !== undefined && count < 0)
    throw new CommandError(51024, `BSON field '${name}' value must be >= 0, actual value '${count}'`);
  return count;
}

/** The id of a cursor. */
export function cursorId(value: BsonValue | undefined): bigint {
  const id = value?.type === bsonTypes.long ? numberOf(value) : undefined;
  if (typeof id !== 'bigint') throw new CommandError('TypeMismatch', `a cursor id is a long, not ${describe(value)}`);
  return id;
}

/** The documents of a write command, as bytes. */
export function documentsOf({ command, documents }: Request, name: string): readonly Buffer[] {
  const found = documents.get(name);
  if (!found) throw new CommandError(40414, `BSON field '${command}.${name}' is missing but a required field`);
  if (found.length === 0 || found.length > maxStatements)
    throw new CommandError(
      'InvalidLength',
      `Write batch sizes must be between 1 and ${maxStatements}. Got ${found.length} operations.`,
    );
  return found;
}

/** The statements of `update` or `delete`. */
export function statementsOf(request: Request, name: string, fields: readonly string[]): Fields[] {
  const where = `${request.command}.${name}`;
  return documentsOf(request, name).map((bytes) => {
    const statement = fieldsByName(documentValue(bytes), where);
    for (const field of statement.keys()) if (!fields.includes(field)) refuseOther(where, field);
    return statement;
  });
}

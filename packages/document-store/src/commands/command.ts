// The common part of all commands: their context, and the reading and refusing of their fields.
import { describe } from '../bson/describe.ts';
import { integerOf, isNumeric, isTruthy, numberOf } from '../bson/numbers.ts';
import { bsonTypes, typeName } from '../bson/types.ts';
import {
  type BsonValue,
  documentValue,
  elementsOf,
  fieldsByName,
  fieldsOf,
  isArray,
  isObject,
  stringOf,
} from '../bson/value.ts';
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
  /** Fields that MongoDB takes and the store refuses, unless their value has no effect. */
  notImplemented?: readonly string[];
  run(context: CommandContext): Reply | Promise<Reply>;
}

/** A command or a statement of one, by the names of its fields. */
export type Fields = ReadonlyMap<string, BsonValue>;

/** `bypassDocumentValidation` has no effect, because the store has no validators. */
const commonFields = new Set([
  '$clusterTime',
  '$db',
  '$readPreference',
  'apiDeprecationErrors',
  'apiStrict',
  'apiVersion',
  'bypassDocumentValidation',
  'clientOperationKey',
  'comment',
  'lsid',
  'maxTimeMS',
  'readConcern',
  'writeConcern',
]);
const writeConcernFields = new Set(['w', 'j', 'fsync', 'provenance', 'wtimeout']);
const emptyDocument = documentValue(Buffer.of(5, 0, 0, 0, 0));
const maxStatements = 100_000;

/** False, empty options, and the collation that compares as the store does. */
function hasNoEffect(name: string, value: BsonValue): boolean {
  if (!isTruthy(value)) return true;
  if (name === 'collation' && isObject(value)) return stringOf(fieldsByName(value, name).get('locale')) === 'simple';
  return (isObject(value) || isArray(value)) && elementsOf(value).length === 0;
}

/** Refuses a field that is not among those that the command or statement `where` takes. */
function refuseOther(
  where: string,
  name: string,
  value: BsonValue | undefined,
  notImplemented: readonly string[],
): void {
  if (!notImplemented.includes(name))
    throw new CommandError('UnknownCommandField', `BSON field '${where}.${name}' is an unknown field.`);
  if (!value || !hasNoEffect(name, value))
    throw new CommandError('NotImplemented', `the option ${name} is not implemented`);
}

function refuseTransaction(body: Fields): void {
  if (['autocommit', 'startTransaction', 'txnNumber'].some((name) => body.has(name)))
    throw new CommandError(
      'IllegalOperation',
      'Transaction numbers are only allowed on a replica set member or mongos',
    );
}

/** On a standalone server, `local`, `available` and `majority` read the same data. */
function checkReadConcern(body: Fields): void {
  for (const [name, value] of fieldsByName(documentField(body, 'readConcern'), 'readConcern')) {
    if (name !== 'level') throw new CommandError('InvalidOptions', `the read concern ${name} needs a replica set`);
    const level = stringOf(value);
    if (level === 'linearizable' || level === 'snapshot')
      throw new CommandError('NotAReplicaSet', `node needs to be a replica set member to use read concern ${level}`);
    if (level !== 'local' && level !== 'available' && level !== 'majority')
      throw new CommandError(
        'BadValue',
        `Enumeration value ${describe(value)} for field 'readConcern.level' is not a valid value.`,
      );
  }
}

/**
 * Refuses what a standalone server can not promise. Every acknowledged write is on disk, whatever
 * `j` says.
 */
function checkWriteConcern(body: Fields): void {
  const concern = fieldsByName(documentField(body, 'writeConcern'), 'writeConcern');
  const unknown = [...concern.keys()].find((name) => !writeConcernFields.has(name));
  if (unknown !== undefined)
    throw new CommandError('UnknownCommandField', `BSON field 'writeConcern.${unknown}' is an unknown field.`);
  const w = concern.get('w');
  if (!w || stringOf(w) === 'majority') return;
  const members = integerOf(w);
  if (stringOf(w) === undefined && (members === undefined || members < 0 || members > 50))
    throw new CommandError('FailedToParse', 'w has to be a number >= 0 and <= 50, or a string');
  if (members === undefined)
    throw new CommandError(
      'BadValue',
      `cannot use non-majority 'w' mode ${describe(w)} when a host is not a member of a replica set`,
    );
  if (members > 1) throw new CommandError('BadValue', "cannot use 'w' > 1 when a host is not replicated");
}

/** Refuses what the command does not take, transactions, and guarantees that need a replica set. */
export function checkFields({ command, body, documents }: Request, { fields, notImplemented = [] }: Command): void {
  refuseTransaction(body);
  for (const name of [...body.keys(), ...documents.keys()]) {
    const isKnown = name === command || commonFields.has(name) || fields.includes(name);
    if (!isKnown) refuseOther(command, name, body.get(name), notImplemented);
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
export function statementsOf(
  request: Request,
  name: string,
  fields: readonly string[],
  notImplemented: readonly string[],
): Fields[] {
  const where = `${request.command}.${name}`;
  return documentsOf(request, name).map((bytes) => {
    const statement = fieldsByName(documentValue(bytes), where);
    for (const [field, value] of statement)
      if (!fields.includes(field)) refuseOther(where, field, value, notImplemented);
    return statement;
  });
}

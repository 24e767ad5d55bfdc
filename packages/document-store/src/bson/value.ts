// BSON values as bytes. A value is decoded only where its content is needed, so that its type, the
// order of its fields, duplicate names and names like `__proto__` survive a change of the document
// around it.
import { CommandError } from '../errors.ts';
import { bsonTypes, fixedSizes, orderOfType } from './types.ts';

/** A value of one type: `bytes` from `start` up to `end` (exclusive). */
export class BsonValue {
  readonly type: number;
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;

  constructor(type: number, bytes: Buffer, start = 0, end = bytes.length) {
    this.type = type;
    this.bytes = bytes;
    this.start = start;
    this.end = end;
  }

  /** The rank of the type in MongoDB's order of values. */
  get order(): number {
    return orderOfType(this.type);
  }

  /** The bytes of the value, shared with the document. */
  get raw(): Buffer {
    return this.bytes.subarray(this.start, this.end);
  }
}

export interface Field {
  name: string;
  value: BsonValue;
}

export const nullValue = new BsonValue(bsonTypes.null, Buffer.alloc(0));
export const undefinedValue = new BsonValue(bsonTypes.undefined, Buffer.alloc(0));

/** A stored document, or one of a message, as a value. */
export function documentValue(bytes: Buffer): BsonValue {
  return new BsonValue(bsonTypes.object, bytes);
}

/** Copies a value that outlives the message or document that contains it. */
export function copyValue({ type, raw }: BsonValue): BsonValue {
  return new BsonValue(type, Buffer.from(raw));
}

export function isObject(
  value: BsonValue | undefined,
): value is BsonValue & { readonly type: typeof bsonTypes.object } {
  return value?.type === bsonTypes.object;
}

export function isArray(value: BsonValue | undefined): value is BsonValue & { readonly type: typeof bsonTypes.array } {
  return value?.type === bsonTypes.array;
}

export function malformed(reason: string): never {
  throw new CommandError('InvalidBSON', `malformed BSON: ${reason}`);
}

/** A loop is faster than `indexOf` here, because names are short. */
function endOfCString(bytes: Buffer, at: number): number {
  for (let end = at; end < bytes.length; end += 1) if (bytes[end] === 0) return end + 1;
  return malformed('a name without end');
}

/** The end of a value that begins at `at`. */
function endOfValue(type: number, bytes: Buffer, at: number): number {
  const size = fixedSizes.get(type);
  if (size !== undefined) return at + size;
  if (at + 4 > bytes.length) malformed('a value without length');
  const length = bytes.readInt32LE(at);
  if (length < 0) malformed('a negative length');
  switch (type) {
    case bsonTypes.string:
      return at + 4 + length;
    case bsonTypes.object:
    case bsonTypes.array:
      return at + length;
    case bsonTypes.binData:
      return at + 5 + length;
    default:
      return malformed(`unknown type ${type}`);
  }
}

/**
 * Visits the fields of a document or array until `visit` returns true. Messages are validated on
 * arrival (validation.ts). The bounds are checked here again, because stored documents come from a
 * file.
 */
export function walkFields(
  { bytes, start, end }: BsonValue,
  visit: (nameStart: number, nameEnd: number, type: number, valueStart: number, valueEnd: number) => boolean,
): void {
  const last = end - 1;
  let at = start + 4;
  while (at < last) {
    const type = bytes[at] ?? 0;
    const valueStart = endOfCString(bytes, at + 1);
    const valueEnd = endOfValue(type, bytes, valueStart);
    if (valueEnd > last) malformed('a value that is longer than its document');
    if (visit(at + 1, valueStart - 1, type, valueStart, valueEnd)) return;
    at = valueEnd;
  }
}

/** The fields of a document, in order. */
export function fieldsOf(document: BsonValue): Field[] {
  const fields: Field[] = [];
  const { bytes } = document;
  walkFields(document, (nameStart, nameEnd, type, start, end) => {
    fields.push({ name: bytes.toString('utf8', nameStart, nameEnd), value: new BsonValue(type, bytes, start, end) });
    return false;
  });
  return fields;
}

/** The fields by name. Throws if a name occurs twice; `where` names the document in the message. */
export function fieldsByName(document: BsonValue, where: string): Map<string, BsonValue> {
  const fields = new Map<string, BsonValue>();
  for (const { name, value } of fieldsOf(document)) {
    if (fields.has(name)) throw new CommandError(40413, `BSON field '${where}.${name}' is a duplicate field`);
    fields.set(name, value);
  }
  return fields;
}

/** The elements of an array, in order, whatever their names are. */
export function elementsOf(array: BsonValue): BsonValue[] {
  const elements: BsonValue[] = [];
  walkFields(array, (_, __, type, start, end) => {
    elements.push(new BsonValue(type, array.bytes, start, end));
    return false;
  });
  return elements;
}

/**
 * The first field of a name in UTF-8. It is the inner loop of every search, so it compares names
 * without decoding them.
 */
export function fieldOf({ bytes, start, end }: BsonValue, name: Uint8Array): BsonValue | undefined {
  const last = end - 1;
  const { length } = name;
  let at = start + 4;
  while (at < last) {
    let position = at + 1;
    let matched = 0;
    while (matched < length && bytes[position] === name[matched]) {
      position += 1;
      matched += 1;
    }
    const found = matched === length && bytes[position] === 0;
    const type = bytes[at] ?? 0;
    const valueStart = endOfCString(bytes, position);
    const valueEnd = endOfValue(type, bytes, valueStart);
    if (valueEnd > last) malformed('a value that is longer than its document');
    if (found) return new BsonValue(type, bytes, valueStart, valueEnd);
    at = valueEnd;
  }
  return undefined;
}

/** The text of a string. */
export function textOf({ bytes, start, end }: BsonValue): string {
  return bytes.toString('utf8', start + 4, end - 1);
}

/** The text of a string; `undefined` for any other type. */
export function stringOf(value: BsonValue | undefined): string | undefined {
  return value?.type === bsonTypes.string ? textOf(value) : undefined;
}

// Encodes JavaScript values as BSON: replies, catalogue entries, and documents that consist of BSON
// values.
import { ByteWriter } from './byte-writer.ts';
import { bsonTypes } from './types.ts';
import { BsonValue } from './value.ts';

/**
 * The values that can be encoded. An object is for names that the code defines. A Map is for names
 * that a client sends, because it keeps their order and takes `__proto__` as a name. Numbers become
 * int32 if they fit, else double. Fields that are `undefined` are left out.
 */
export type Encodable =
  | BsonValue
  | string
  | number
  | bigint
  | boolean
  | null
  | Date
  | readonly Encodable[]
  | ReadonlyMap<string, Encodable>
  | EncodableObject;

export interface EncodableObject {
  readonly [name: string]: Encodable | undefined;
}

function writeString(writer: ByteWriter, text: string): number {
  const at = writer.reserve(4);
  const length = writer.utf8(text);
  writer.byte(0);
  writer.bytes.writeInt32LE(length + 1, at);
  return bsonTypes.string;
}

function writeNumber(writer: ByteWriter, value: number): number {
  const isInt = (value | 0) === value && !Object.is(value, -0);
  const at = writer.reserve(isInt ? 4 : 8);
  if (isInt) writer.bytes.writeInt32LE(value, at);
  else writer.bytes.writeDoubleLE(value, at);
  return isInt ? bsonTypes.int : bsonTypes.double;
}

function writeInt64(writer: ByteWriter, value: bigint): number {
  const at = writer.reserve(8);
  writer.bytes.writeBigInt64LE(value, at);
  return bsonTypes.long;
}

/** @returns the type of what was written. */
function writeValue(writer: ByteWriter, value: Encodable): number {
  if (value instanceof BsonValue) {
    writer.copy(value.bytes, value.start, value.end);
    return value.type;
  }
  switch (typeof value) {
    case 'string':
      return writeString(writer, value);
    case 'number':
      return writeNumber(writer, value);
    case 'bigint':
      return writeInt64(writer, value);
    case 'boolean':
      writer.byte(value ? 1 : 0);
      return bsonTypes.bool;
    default:
  }
  if (value === null) return bsonTypes.null;
  if (value instanceof Date) {
    writeInt64(writer, BigInt(value.getTime()));
    return bsonTypes.date;
  }
  if (Array.isArray(value)) {
    writeDocument(
      writer,
      value.map((element: Encodable, position): [string, Encodable] => [String(position), element]),
    );
    return bsonTypes.array;
  }
  if (value instanceof Map) writeDocument(writer, value);
  else writeObject(writer, value as EncodableObject);
  return bsonTypes.object;
}

/** Appends a document of these names and values; names may occur more than once. */
function writeDocument(writer: ByteWriter, fields: Iterable<readonly [string, Encodable]>): void {
  const start = writer.reserve(4);
  writeEach(writer, fields);
  writer.byte(0);
  writer.bytes.writeInt32LE(writer.length - start, start);
}

function writeEach(writer: ByteWriter, fields: Iterable<readonly [string, Encodable]>): void {
  for (const [name, value] of fields) {
    const typeAt = writer.reserve(1);
    writer.utf8(name);
    writer.byte(0);
    // `writeValue` may replace `writer.bytes` by a longer buffer, so it runs first.
    const type = writeValue(writer, value);
    writer.bytes[typeAt] = type;
  }
}

const definedFields = (document: EncodableObject) =>
  Object.entries(document).filter((entry): entry is [string, Encodable] => entry[1] !== undefined);

export function writeObject(writer: ByteWriter, document: EncodableObject): void {
  writeDocument(writer, definedFields(document));
}

/** Appends fields to a document that the caller begins and ends. */
export function writeFields(writer: ByteWriter, fields: EncodableObject): void {
  writeEach(writer, definedFields(fields));
}

export function encodeValue(value: Encodable): BsonValue {
  const writer = new ByteWriter();
  const type = writeValue(writer, value);
  return new BsonValue(type, writer.finish());
}

export function encodeFields(fields: Iterable<readonly [string, Encodable]>): Buffer {
  const writer = new ByteWriter();
  writeDocument(writer, fields);
  return writer.finish();
}

export function encodeDocument(document: EncodableObject): Buffer {
  const writer = new ByteWriter();
  writeObject(writer, document);
  return writer.finish();
}

/** Encodes a double, also if the value is an integer. */
export function encodeDouble(value: number): BsonValue {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeDoubleLE(value);
  return new BsonValue(bsonTypes.double, bytes);
}

// Documents as raw BSON bytes. Only the top level is walked: what no filter, index or update names stays untouched bytes.
import { Binary, Double, deserialize, Int32, Long, ObjectId, serialize } from 'bson';
import type { BsonDocument } from './bson-values.ts';
import { CommandError } from './errors.ts';

/** One top-level element; offsets count from the start of the document's bytes. */
export interface RawElement {
  name: string;
  type: number;
  start: number;
  valueStart: number;
  end: number;
}

/** MongoDB's limit for one document. */
export const maxDocumentBytes = 16 * 1024 * 1024;

/** What the encoder has room for: beyond it, it throws, or leaves the last bytes out without a word. */
const encoderBytes = 17 * 1024 * 1024;

const decodeOptions = { promoteValues: false, promoteBuffers: false, bsonRegExp: true } as const;

function invalid(reason: string): never {
  throw new CommandError('InvalidBSON', `invalid BSON: ${reason}`);
}

const fixedSizes = new Map<number, number>([
  [0x01, 8],
  [0x06, 0],
  [0x07, 12],
  [0x08, 1],
  [0x09, 8],
  [0x0a, 0],
  [0x10, 4],
  [0x11, 8],
  [0x12, 8],
  [0x13, 16],
  [0x7f, 0],
  [0xff, 0],
]);

function endOfCString(bytes: Buffer, offset: number): number {
  const end = bytes.indexOf(0, offset);
  if (end < 0) invalid('a name without end');
  return end;
}

function valueEnd(bytes: Buffer, type: number, offset: number): number {
  const fixed = fixedSizes.get(type);
  if (fixed !== undefined) return offset + fixed;
  if (type === 0x0b) return endOfCString(bytes, endOfCString(bytes, offset) + 1) + 1;
  if (offset + 4 > bytes.length) invalid('a value cut short');
  const length = bytes.readInt32LE(offset);
  if (length < 0) invalid('a negative length');
  switch (type) {
    case 0x02:
    case 0x0d:
    case 0x0e:
      if (length < 1) invalid('a string without end');
      return offset + 4 + length;
    case 0x03:
    case 0x04:
    case 0x0f:
      if (length < 5) invalid('an embedded document that is too short');
      return offset + length;
    case 0x05:
      return offset + 5 + length;
    case 0x0c:
      return offset + 4 + length + 12;
    default:
      return invalid(`type ${type}`);
  }
}

/** Walks the top level of a document. Throws InvalidBSON where lengths do not add up. */
export function elementsOf(bytes: Buffer): RawElement[] {
  if (bytes.length < 5 || bytes.readInt32LE(0) !== bytes.length) invalid('the length of the document');
  const elements: RawElement[] = [];
  const last = bytes.length - 1;
  let offset = 4;
  while (offset < last) {
    const type = bytes.readUInt8(offset);
    const nameEnd = endOfCString(bytes, offset + 1);
    const end = valueEnd(bytes, type, nameEnd + 1);
    if (end > last) invalid('a value that is longer than its document');
    elements.push({
      name: bytes.toString('utf8', offset + 1, nameEnd),
      type,
      start: offset,
      valueStart: nameEnd + 1,
      end,
    });
    offset = end;
  }
  if (bytes[last] !== 0) invalid('a document without end');
  return elements;
}

/** A document's bytes from complete elements (type, name and value each). */
export function assembleDocument(parts: readonly Uint8Array[]): Buffer {
  let length = 5;
  for (const part of parts) length += part.length;
  const bytes = Buffer.allocUnsafe(length);
  bytes.writeInt32LE(length, 0);
  let offset = 4;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  bytes[length - 1] = 0;
  return bytes;
}

/** The value of one element, numbers unpromoted. */
export function decodeElement(bytes: Buffer, element: RawElement): unknown {
  const { type, valueStart: at, end } = element;
  switch (type) {
    case 0x01:
      return new Double(bytes.readDoubleLE(at));
    case 0x02:
      return bytes.toString('utf8', at + 4, end - 1);
    case 0x07:
      return new ObjectId(Uint8Array.prototype.slice.call(bytes, at, end));
    case 0x08:
      return bytes[at] === 1;
    case 0x09:
      return new Date(Number(bytes.readBigInt64LE(at)));
    case 0x0a:
      return null;
    case 0x10:
      return new Int32(bytes.readInt32LE(at));
    case 0x12:
      return new Long(bytes.readInt32LE(at), bytes.readInt32LE(at + 4));
    default:
      return decodeDocument(assembleDocument([bytes.subarray(element.start, end)]))[element.name];
  }
}

export function decodeDocument(bytes: Uint8Array): BsonDocument {
  return deserialize(bytes, decodeOptions);
}

/** Decodes only the named top-level fields; `null` means all of them. */
export function decodeFields(bytes: Buffer, names: ReadonlySet<string> | null): BsonDocument {
  if (names === null) return decodeDocument(bytes);
  const picked: BsonDocument = {};
  for (const element of elementsOf(bytes)) {
    if (names.has(element.name)) {
      Object.defineProperty(picked, element.name, {
        value: decodeElement(bytes, element),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
  }
  return picked;
}

/** The document with only the named top-level fields, still as bytes. */
export function pickFields(bytes: Buffer, names: ReadonlySet<string>): Buffer {
  const picked = elementsOf(bytes).filter(({ name }) => names.has(name));
  return assembleDocument(picked.map(({ start, end }) => bytes.subarray(start, end)));
}

/** Encodes without dropping `undefined` array slots or null fields; JavaScript numbers become int32 or double. */
export function encodeDocument(document: BsonDocument): Buffer {
  let bytes: Uint8Array;
  try {
    bytes = serialize(document, { ignoreUndefined: true });
  } catch (error) {
    if (error instanceof RangeError) return tooLarge();
    throw error;
  }
  return bytes.length > encoderBytes ? tooLarge() : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function tooLarge(): never {
  throw new CommandError('BSONObjectTooLarge', `the result is larger than ${maxDocumentBytes} bytes`);
}

/** One element (type, name, value) as bytes. */
export function encodeElement(name: string, value: unknown): Buffer {
  const bytes = encodeDocument({ [name]: value });
  return bytes.subarray(4, bytes.length - 1);
}

/** The value of `_id`, which must stand in the document. */
export function idOf(bytes: Buffer): unknown {
  const element = elementsOf(bytes).find(({ name }) => name === '_id');
  return element ? decodeElement(bytes, element) : undefined;
}

export function checkId(value: unknown): void {
  const isRegex = value instanceof RegExp || (value as { _bsontype?: unknown } | null)?._bsontype === 'BSONRegExp';
  if (Array.isArray(value) || value === undefined || isRegex) {
    const type = Array.isArray(value) ? 'array' : value === undefined ? 'undefined' : 'regex';
    throw new CommandError('InvalidIdField', `The '_id' value cannot be of type ${type}`);
  }
}

/** The bytes to store: as they came, `_id` moved to the front or made where it is missing. */
export function withLeadingId(bytes: Buffer): Buffer {
  if (bytes.length > maxDocumentBytes) {
    throw new CommandError(
      'BSONObjectTooLarge',
      `object to insert too large. size in bytes: ${bytes.length}, max size: ${maxDocumentBytes}`,
    );
  }
  const elements = elementsOf(bytes);
  const position = elements.findIndex(({ name }) => name === '_id');
  const id = elements[position];
  if (!id) return assembleDocument([encodeElement('_id', new ObjectId()), bytes.subarray(4, bytes.length - 1)]);
  checkId(id.type === 0x04 || id.type === 0x0b || id.type === 0x06 ? decodeElement(bytes, id) : null);
  if (position === 0) return bytes;
  return assembleDocument([
    bytes.subarray(id.start, id.end),
    bytes.subarray(4, id.start),
    bytes.subarray(id.end, bytes.length - 1),
  ]);
}

/** A copy of a value that shares nothing changeable with it. */
export function cloneValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cloneValue);
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Date) return new Date(value);
  if (value instanceof Binary || (value as { _bsontype?: unknown })._bsontype) return value;
  if (value instanceof RegExp) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, cloneValue(field)]));
}

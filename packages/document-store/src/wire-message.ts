// MongoDB's wire protocol: OP_MSG, and OP_QUERY for the handshake.
import { ByteWriter } from './bson/byte-writer.ts';
import { type EncodableObject, writeFields, writeObject } from './bson/encode.ts';
import { bsonTypes } from './bson/types.ts';
import { validateDocument } from './bson/validation.ts';
import { type BsonValue, documentValue, elementsOf, fieldsByName, isArray, isObject, stringOf } from './bson/value.ts';

export const maxMessageBytes = 48_000_000;
export const headerBytes = 16;

const opReply = 1;
const opQuery = 2004;
const opMessage = 2013;
const checksumPresent = 1;
const moreToCome = 2;
const knownRequiredBits = checksumPresent | moreToCome;

/** Bytes that are not a message of this protocol: the connection must be closed. */
export class ProtocolError extends Error {}

/** The part of a request that its reply depends on. */
interface RequestHeader {
  requestId: number;
  kind: 'message' | 'query';
  /** The client expects no reply (`w: 0`). */
  silent: boolean;
}

/** The sections of a message. Their BSON is not validated yet. */
export interface Message extends RequestHeader {
  body: Buffer;
  sequences: ReadonlyMap<string, readonly Buffer[]>;
  /** The database, if it is not a field of the body. */
  database?: string;
}

export interface Request {
  /** The name of the first field. */
  command: string;
  database: string;
  body: ReadonlyMap<string, BsonValue>;
  /**
   * `documents`, `updates` and `deletes`. Clients send them in the body or as a sequence beside it.
   */
  documents: ReadonlyMap<string, readonly Buffer[]>;
}

/** The bytes of a document in a message; only its length is checked. */
function documentAt(bytes: Buffer, offset: number, end: number): Buffer {
  const length = offset + 5 > end ? 0 : bytes.readInt32LE(offset);
  if (length < 5 || offset + length > end) throw new ProtocolError('a document longer than its message');
  return bytes.subarray(offset, offset + length);
}

function parseMessage(bytes: Buffer, requestId: number): Message {
  if (bytes.length < headerBytes + 5) throw new ProtocolError('an empty message');
  const flags = bytes.readUInt32LE(headerBytes);
  if ((flags & 0xffff & ~knownRequiredBits) !== 0) throw new ProtocolError('unknown required flags');
  const end = bytes.length - ((flags & checksumPresent) === 0 ? 0 : 4);
  const sequences = new Map<string, Buffer[]>();
  let body: Buffer | undefined;
  let offset = headerBytes + 4;
  while (offset < end) {
    const kind = bytes.readUInt8(offset);
    offset += 1;
    if (kind === 0) {
      if (body) throw new ProtocolError('two bodies in one message');
      body = documentAt(bytes, offset, end);
      offset += body.length;
    } else if (kind === 1) {
      if (offset + 4 > end) throw new ProtocolError('a sequence without length');
      const sequenceEnd = offset + bytes.readInt32LE(offset);
      const nameEnd = bytes.indexOf(0, offset + 4);
      if (sequenceEnd > end || nameEnd < 0 || nameEnd >= sequenceEnd)
        throw new ProtocolError('a sequence longer than its message');
      const documents: Buffer[] = [];
      sequences.set(bytes.toString('utf8', offset + 4, nameEnd), documents);
      offset = nameEnd + 1;
      while (offset < sequenceEnd) {
        const document = documentAt(bytes, offset, sequenceEnd);
        documents.push(document);
        offset += document.length;
      }
    } else throw new ProtocolError(`sections of kind ${kind}`);
  }
  if (!body) throw new ProtocolError('a message without body');
  return { requestId, kind: 'message', silent: (flags & moreToCome) !== 0, body, sequences };
}

function parseQuery(bytes: Buffer, requestId: number): Message {
  const nameEnd = bytes.indexOf(0, headerBytes + 4);
  if (nameEnd < 0) throw new ProtocolError('a query without namespace');
  const [database = 'admin'] = bytes.toString('utf8', headerBytes + 4, nameEnd).split('.');
  const body = documentAt(bytes, nameEnd + 9, bytes.length);
  return { requestId, kind: 'query', silent: false, body, sequences: new Map(), database };
}

/** Parses one complete message. Throws ProtocolError. */
export function parseMessageBytes(bytes: Buffer): Message {
  const requestId = bytes.readInt32LE(4);
  const operation = bytes.readInt32LE(12);
  if (operation === opMessage) return parseMessage(bytes, requestId);
  if (operation === opQuery) return parseQuery(bytes, requestId);
  throw new ProtocolError(`operation ${operation}`);
}

/** Reads the command of a message. Throws InvalidBSON if any document of it is malformed. */
export function readRequest({ body: bytes, sequences, database }: Message): Request {
  validateDocument(bytes);
  for (const sequence of sequences.values()) for (const document of sequence) validateDocument(document);
  const body = fieldsByName(documentValue(bytes), 'command');
  const [command = ''] = body.keys();
  const documents = new Map(sequences);
  for (const name of ['documents', 'updates', 'deletes']) {
    const value = body.get(name);
    const elements = isArray(value) ? elementsOf(value) : undefined;
    if (!elements?.every(isObject)) continue;
    body.delete(name);
    documents.set(
      name,
      elements.map(({ raw }) => raw),
    );
  }
  const named = body.get('$db');
  return { command, database: database ?? stringOf(named) ?? 'test', body, documents };
}

/** The reply of a cursor. Its documents are BSON. */
export interface RawBatch {
  namespace: string;
  cursorId: bigint;
  field: 'firstBatch' | 'nextBatch';
  documents: readonly Buffer[];
}

export type Reply = EncodableObject | RawBatch;

function isRawBatch(reply: Reply): reply is RawBatch {
  return typeof reply.cursorId === 'bigint';
}

/**
 * A document of so many bytes is sent as it was read. Shorter ones are copied, which takes less
 * than a write of their own.
 */
const separateBytes = 16 * 1024;

/** Where a document belongs that is sent as it was read. */
interface Separate {
  at: number;
  document: Buffer;
}

/**
 * Encodes `{cursor: {id, ns, [field]: documents}, ok: 1}`. @returns the documents that are left
 * out, in their order.
 */
function writeBatch(writer: ByteWriter, { namespace, cursorId, field, documents }: RawBatch): Separate[] {
  const separate: Separate[] = [];
  let separateLength = 0;
  const open = (type: number, name: string): number => {
    writer.byte(type);
    writer.utf8(name);
    writer.byte(0);
    return writer.reserve(4);
  };
  const close = (start: number) => {
    writer.byte(0);
    writer.bytes.writeInt32LE(writer.length - start + separateLength, start);
  };
  const start = writer.reserve(4);
  const cursor = open(bsonTypes.object, 'cursor');
  writeFields(writer, { id: cursorId, ns: namespace });
  const list = open(bsonTypes.array, field);
  for (const [position, document] of documents.entries()) {
    writer.byte(bsonTypes.object);
    writer.utf8(String(position));
    writer.byte(0);
    if (document.length < separateBytes) writer.copy(document, 0, document.length);
    else {
      separate.push({ at: writer.length, document });
      separateLength += document.length;
    }
  }
  close(list);
  close(cursor);
  writeFields(writer, { ok: 1 });
  close(start);
  return separate;
}

/** Encodes a reply as one message, in pieces that follow each other. */
export function encodeReply({ requestId, kind }: RequestHeader, reply: Reply, replyId: number): Buffer[] {
  const isMessage = kind === 'message';
  const prefixBytes = isMessage ? 5 : 20;
  const writer = new ByteWriter();
  writer.reserve(headerBytes + prefixBytes);
  let separate: Separate[] = [];
  if (isRawBatch(reply)) separate = writeBatch(writer, reply);
  else writeObject(writer, reply);
  const { bytes, length } = writer;
  bytes.fill(0, headerBytes, headerBytes + prefixBytes);
  bytes.writeInt32LE(
    separate.reduce((sum, { document }) => sum + document.length, length),
    0,
  );
  bytes.writeInt32LE(replyId, 4);
  bytes.writeInt32LE(requestId, 8);
  bytes.writeInt32LE(isMessage ? opMessage : opReply, 12);
  if (!isMessage) {
    // Flags: the server can wait for data. Then cursor id and position, and the number of
    // documents.
    bytes.writeInt32LE(8, headerBytes);
    bytes.writeInt32LE(1, headerBytes + 16);
  }
  const pieces: Buffer[] = [];
  let from = 0;
  for (const { at, document } of separate) {
    pieces.push(bytes.subarray(from, at), document);
    from = at;
  }
  return [...pieces, bytes.subarray(from, length)];
}

// MongoDB's wire protocol: OP_MSG, and OP_QUERY for the handshake. Bytes to requests and replies to bytes.
import { Long } from 'bson';
import type { BsonDocument } from './bson-values.ts';
import { toCommandError } from './errors.ts';
import { assembleDocument, decodeElement, elementsOf, encodeDocument, encodeElement } from './raw-document.ts';

export const maxMessageBytes = 48_000_000;
export const headerBytes = 16;

const opReply = 1;
const opQuery = 2004;
const opMessage = 2013;
const checksumPresent = 1;
const moreToCome = 2;
const knownRequiredBits = checksumPresent | moreToCome;

/** Bytes that are no message of ours: the connection has to go. */
export class ProtocolError extends Error {}

export interface Request {
  requestId: number;
  kind: 'message' | 'query';
  /** The client wants no answer (`w: 0`). */
  silent: boolean;
  /** The command's name is the first field. Fields sent as raw documents are not in here. */
  name: string;
  body: BsonDocument;
  /** `documents`, `updates` and `deletes` as raw bytes, however they were sent. */
  documents: ReadonlyMap<string, readonly Buffer[]>;
}

const rawFields = new Set(['documents', 'updates', 'deletes', 'ops', 'nsInfo']);

function documentAt(bytes: Buffer, offset: number, end: number): Buffer {
  if (offset + 5 > end) throw new ProtocolError('a document cut short');
  const length = bytes.readInt32LE(offset);
  if (length < 5 || offset + length > end) throw new ProtocolError('a document longer than its message');
  return bytes.subarray(offset, offset + length);
}

function parseBody(bytes: Buffer, documents: Map<string, Buffer[]>): { name: string; body: BsonDocument } {
  const body: BsonDocument = {};
  const elements = elementsOf(bytes);
  const name = elements[0]?.name ?? '';
  for (const element of elements) {
    if (rawFields.has(element.name) && element.type === 0x04) {
      const array = bytes.subarray(element.valueStart, element.end);
      const entries = elementsOf(array);
      if (entries.every(({ type }) => type === 0x03)) {
        documents.set(
          element.name,
          entries.map(({ valueStart, end }) => array.subarray(valueStart, end)),
        );
        continue;
      }
    }
    body[element.name] = decodeElement(bytes, element);
  }
  return { name, body };
}

function parseMessage(bytes: Buffer, requestId: number): Request {
  if (bytes.length < headerBytes + 5) throw new ProtocolError('an empty message');
  const flags = bytes.readUInt32LE(headerBytes);
  if ((flags & 0xffff & ~knownRequiredBits) !== 0) throw new ProtocolError('unknown required flags');
  const end = bytes.length - ((flags & checksumPresent) === 0 ? 0 : 4);
  const documents = new Map<string, Buffer[]>();
  let main: Buffer | undefined;
  let offset = headerBytes + 4;
  while (offset < end) {
    const kind = bytes.readUInt8(offset);
    offset += 1;
    if (kind === 0) {
      if (main) throw new ProtocolError('two bodies in one message');
      main = documentAt(bytes, offset, end);
      offset += main.length;
    } else if (kind === 1) {
      if (offset + 4 > end) throw new ProtocolError('a sequence cut short');
      const sequenceEnd = offset + bytes.readInt32LE(offset);
      const nameEnd = bytes.indexOf(0, offset + 4);
      if (sequenceEnd > end || nameEnd < 0 || nameEnd >= sequenceEnd)
        throw new ProtocolError('a sequence longer than its message');
      const name = bytes.toString('utf8', offset + 4, nameEnd);
      const sequence: Buffer[] = [];
      offset = nameEnd + 1;
      while (offset < sequenceEnd) {
        const document = documentAt(bytes, offset, sequenceEnd);
        sequence.push(document);
        offset += document.length;
      }
      documents.set(name, sequence);
    } else throw new ProtocolError(`sections of kind ${kind}`);
  }
  if (!main) throw new ProtocolError('a message without body');
  return { requestId, kind: 'message', silent: (flags & moreToCome) !== 0, documents, ...parseBody(main, documents) };
}

function parseQuery(bytes: Buffer, requestId: number): Request {
  const nameEnd = bytes.indexOf(0, headerBytes + 4);
  if (nameEnd < 0) throw new ProtocolError('a query without namespace');
  const namespace = bytes.toString('utf8', headerBytes + 4, nameEnd);
  const documents = new Map<string, Buffer[]>();
  const { name, body } = parseBody(documentAt(bytes, nameEnd + 9, bytes.length), documents);
  return {
    requestId,
    kind: 'query',
    silent: false,
    documents,
    name,
    body: { ...body, $db: namespace.split('.')[0] ?? 'admin' },
  };
}

/** Reads one complete message. Throws ProtocolError, or a CommandError for BSON that does not hold together. */
export function parseRequest(bytes: Buffer): Request {
  const requestId = bytes.readInt32LE(4);
  const operation = bytes.readInt32LE(12);
  try {
    if (operation === opMessage) return parseMessage(bytes, requestId);
    if (operation === opQuery) return parseQuery(bytes, requestId);
  } catch (error) {
    const { codeName, message } = toCommandError(error);
    if (error instanceof RangeError || codeName === 'InvalidBSON') throw new ProtocolError(message);
    throw error;
  }
  throw new ProtocolError(`operation ${operation}`);
}

/** A cursor's answer, its documents as the bytes they are stored in. */
export interface RawBatch {
  namespace: string;
  cursorId: bigint;
  field: 'firstBatch' | 'nextBatch';
  documents: readonly Buffer[];
}

export type Reply = BsonDocument | RawBatch;

function isRawBatch(reply: Reply): reply is RawBatch {
  return 'documents' in reply && 'cursorId' in reply && Array.isArray(reply.documents);
}

function batchBody({ namespace, cursorId, field, documents }: RawBatch): Buffer {
  const array = documents.flatMap((document, index) => [Buffer.from(`\u0003${index}\0`, 'latin1'), document]);
  const cursor = assembleDocument([
    encodeElement('id', Long.fromBigInt(cursorId)),
    encodeElement('ns', namespace),
    Buffer.from(`\u0004${field}\0`, 'latin1'),
    assembleDocument(array),
  ]);
  return assembleDocument([Buffer.from('\u0003cursor\0', 'latin1'), cursor, encodeElement('ok', 1)]);
}

/** A reply as one message. */
export function encodeReply(request: Request, reply: Reply, replyId: number): Buffer {
  const body = isRawBatch(reply) ? batchBody(reply) : encodeDocument(reply);
  const prefix = request.kind === 'message' ? Buffer.alloc(5) : Buffer.alloc(20);
  if (request.kind === 'query') {
    prefix.writeInt32LE(8, 0);
    prefix.writeInt32LE(1, 16);
  }
  const header = Buffer.alloc(headerBytes);
  header.writeInt32LE(headerBytes + prefix.length + body.length, 0);
  header.writeInt32LE(replyId, 4);
  header.writeInt32LE(request.requestId, 8);
  header.writeInt32LE(request.kind === 'message' ? opMessage : opReply, 12);
  return Buffer.concat([header, prefix, body]);
}

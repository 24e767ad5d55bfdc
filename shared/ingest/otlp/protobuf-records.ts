import protobuf from 'protobufjs';
import { bodyError } from '../../json/field-errors.ts';
import { isSliceOver, nextSlice } from '../../process/time-slices.ts';
import { countMessages, originOf, type Rejection, type SentRecord, withScope } from './log-record-entry.ts';
import { type LogRecord, loadOtlpSchema } from './otlp-schema.ts';

/** Bytes of an encoded log record, resource or scope; what has more is not decoded. */
const maxMessageSize = 1024 * 1024;

/**
 * Reads the log records of an `ExportLogsServiceRequest` in slices: its fields are found level by
 * level, and only the messages at the lowest level are decoded, one by one.
 * @throws AppError VALIDATION_ERROR if the request is not valid protobuf; PAYLOAD_TOO_LARGE.
 */
export async function* readProtobufRecords(bytes: Buffer, maxBytes: number): AsyncGenerator<SentRecord> {
  const { request, resourceLogs, scopeLogs, resource, scope, logRecord } = loadOtlpSchema();
  const count = countMessages(maxBytes);
  for (const [resourceIndex, resourceBytes] of messagesIn(bytes, request, 'resourceLogs').entries()) {
    count();
    if (isSliceOver()) await nextSlice();
    const ofResource = originOf(decode(resource, Buffer.concat(messagesIn(resourceBytes, resourceLogs, 'resource'))));
    for (const [scopeIndex, scopeBytes] of messagesIn(resourceBytes, resourceLogs, 'scopeLogs').entries()) {
      count();
      if (isSliceOver()) await nextSlice();
      const origin = withScope(ofResource, decode(scope, Buffer.concat(messagesIn(scopeBytes, scopeLogs, 'scope'))));
      for (const [index, recordBytes] of messagesIn(scopeBytes, scopeLogs, 'logRecords').entries()) {
        count();
        const path = `resourceLogs[${resourceIndex}].scopeLogs[${scopeIndex}].logRecords[${index}]`;
        yield { path, origin, read: () => decode(logRecord, recordBytes) };
      }
    }
  }
}

const lengthDelimited = 2;
const group = 3;

/**
 * The messages of a field, not decoded. The parts of one that is not repeated are concatenated.
 * @throws AppError if the bytes are not valid protobuf.
 */
function messagesIn(bytes: Buffer, { fields }: protobuf.Type, name: string): Buffer[] {
  const messages: Buffer[] = [];
  const reader = new protobuf.BufferReader(bytes);
  try {
    while (reader.pos < reader.len) {
      const tag = reader.tag();
      const wireType = tag & 7;
      if (wireType === lengthDelimited && tag >>> 3 === fields[name]?.id) messages.push(reader.bytes() as Buffer);
      // Version 3 of the language has no groups.
      else if (wireType === group) throw new TypeError('A group.');
      else reader.skipType(wireType, 0, tag >>> 3);
    }
  } catch {
    throw bodyError('must be a valid ExportLogsServiceRequest in protobuf');
  }
  return messages;
}

/** Resources and scopes are read for what they have in common with log records: attributes. */
function decode(type: protobuf.Type, bytes: Buffer): LogRecord | Rejection {
  if (bytes.length > maxMessageSize) return { rejected: `is larger than ${maxMessageSize} bytes` };
  try {
    return type.decode(bytes) as LogRecord;
  } catch {
    return { rejected: `is not a valid ${type.name}` };
  }
}

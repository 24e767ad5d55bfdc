import protobuf from 'protobufjs';
import { bodyError } from '../../json/field-errors.ts';
import { type LogRecord, otlpType, type RecordReader, type Rejection } from './otlp-schema.ts';

/** Bytes of an encoded log record, resource or scope; what has more is not decoded. */
const maxMessageSize = 1024 * 1024;

/**
 * Reads a request without decoding it: its fields are found level by level, and only the messages
 * at the lowest level are decoded, one by one.
 */
export function readProtobuf(bytes: Buffer): RecordReader<Buffer> {
  const [resourceLogs, scopeLogs] = [otlpType('ResourceLogs'), otlpType('ScopeLogs')];
  const logRecord = otlpType('LogRecord');
  const lists = { resourceLogs: otlpType('ExportLogsServiceRequest'), scopeLogs: resourceLogs, logRecords: scopeLogs };
  const attributed = {
    resource: [resourceLogs, otlpType('Resource')],
    scope: [scopeLogs, otlpType('InstrumentationScope')],
  } as const;
  return {
    request: bytes,
    list: (parent, name) => messagesIn(parent, lists[name], name),
    attributed: (parent, name) => {
      const [parentType, type] = attributed[name];
      return decode(type, Buffer.concat(messagesIn(parent, parentType, name)));
    },
    record: (message) => decode(logRecord, message),
  };
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

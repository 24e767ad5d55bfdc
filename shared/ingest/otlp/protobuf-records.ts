import protobuf from 'protobufjs';
import { bodyError } from '../../json/field-errors.ts';
import { isSliceOver, nextSlice } from '../../process/time-slices.ts';
import type { Rejection } from './log-record-entry.ts';
import type { Attributed, LogRecord, OtlpSchema } from './otlp-schema.ts';
import {
  maxMessageFields,
  maxMessageSize,
  messageTooLarge,
  type OtlpLimits,
  readResource,
  readScope,
  type SentRecord,
  tooManyFields,
  tooManyOtherFields,
  tooManyRecords,
} from './sent-record.ts';

/**
 * Reads the log records of an `ExportLogsServiceRequest` in slices: its fields are found level by
 * level, and only the messages at the lowest level are decoded, one by one.
 * @throws AppError VALIDATION_ERROR if the request is not valid protobuf; PAYLOAD_TOO_LARGE.
 */
export async function* readProtobufRecords(
  bytes: Buffer,
  { request, resourceLogs, scopeLogs, resource, scope, logRecord }: OtlpSchema,
  limits: OtlpLimits,
): AsyncGenerator<SentRecord> {
  let fields = 0;
  let records = 0;
  /** The fields of a message that are messages themselves, undecoded, by name. */
  const messagesIn = async (type: protobuf.Type, message: Buffer): Promise<Map<string, Buffer[]>> => {
    const found = new Map<string, Buffer[]>();
    const reader = new protobuf.BufferReader(message);
    while (reader.pos < reader.len) {
      if (isSliceOver()) await nextSlice();
      fields += 1;
      if (fields - records > limits.fields) throw tooManyOtherFields(limits);
      const { name, value } = readField(reader, type);
      if (value === null) continue;
      if (name === 'logRecords') records += 1;
      if (records > limits.records) throw tooManyRecords(limits);
      const known = found.get(name);
      if (known) known.push(value);
      else found.set(name, [value]);
    }
    return found;
  };

  const inRequest = await messagesIn(request, bytes);
  for (const [resourceIndex, resourceBytes] of (inRequest.get('resourceLogs') ?? []).entries()) {
    const inResource = await messagesIn(resourceLogs, resourceBytes);
    const resourceOrigin = readResource(decodeParts(resource, inResource.get('resource')));
    for (const [scopeIndex, scopeBytes] of (inResource.get('scopeLogs') ?? []).entries()) {
      const inScope = await messagesIn(scopeLogs, scopeBytes);
      const origin = readScope(resourceOrigin, decodeParts(scope, inScope.get('scope')));
      for (const [index, recordBytes] of (inScope.get('logRecords') ?? []).entries()) {
        yield {
          path: `resourceLogs[${resourceIndex}].scopeLogs[${scopeIndex}].logRecords[${index}]`,
          origin,
          read: () => decode(logRecord, recordBytes),
        };
      }
    }
  }
}

/**
 * The next field: its bytes, if it is a message of the schema. @throws AppError if it is not valid
 * protobuf.
 */
function readField(reader: protobuf.BufferReader, type: protobuf.Type): { name: string; value: Buffer | null } {
  try {
    const tag = reader.tag();
    const field = type.fieldsById[tag >>> 3];
    const wireType = tag & 7;
    if (wireType === lengthDelimited && field?.resolvedType instanceof protobuf.Type) {
      return { name: field.name, value: reader.bytes() as Buffer };
    }
    // Version 3 of the language has no groups. One can be as large as the body, and is skipped in
    // one turn.
    if (wireType === group) throw new TypeError('A group.');
    reader.skipType(wireType, 0, tag >>> 3);
    return { name: '', value: null };
  } catch {
    throw bodyError('must be a valid ExportLogsServiceRequest in protobuf');
  }
}

const lengthDelimited = 2;
const group = 3;

/** A field that is not repeated can be sent in several parts, whose concatenation is its value. */
function decodeParts(type: protobuf.Type, parts: Buffer[] = []): Attributed | Rejection | null {
  const [first] = parts;
  if (!first) return null;
  return decode(type, parts.length === 1 ? first : Buffer.concat(parts));
}

/** Resources and scopes are read for what they have in common with log records: attributes. */
function decode(type: protobuf.Type, bytes: Buffer): LogRecord | Rejection {
  if (bytes.length > maxMessageSize) return { rejected: messageTooLarge(maxMessageSize) };
  const reader = new BoundedReader(bytes);
  try {
    return type.decode(reader) as LogRecord;
  } catch {
    return { rejected: reader.isExhausted ? tooManyFields : `is not a valid ${type.name}` };
  }
}

/**
 * A message of one megabyte can have half a million empty fields, which take longer to decode than
 * the largest text.
 */
class BoundedReader extends protobuf.BufferReader {
  #left = maxMessageFields;

  get isExhausted(): boolean {
    return this.#left < 0;
  }

  override tag(): number {
    this.#left -= 1;
    if (this.#left < 0) throw new RangeError(tooManyFields);
    return super.tag();
  }
}

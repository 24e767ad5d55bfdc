import { fileURLToPath } from 'node:url';
import protobuf from 'protobufjs';
import { bodyError } from '../../json/field-errors.ts';

let root: protobuf.Root | undefined;

/** A message type of the official schema in `proto/`, which the first call parses. */
export function otlpType(name: string): protobuf.Type {
  root ??= parseSchema();
  return root.lookupType(name);
}

function parseSchema(): protobuf.Root {
  const folder = new URL('./proto/', import.meta.url);
  const schema = new protobuf.Root();
  // The types of `google/protobuf` are part of the library.
  schema.resolvePath = (_origin, target) =>
    target.startsWith('google/protobuf/') ? target : fileURLToPath(new URL(target, folder));
  schema.loadSync(['opentelemetry/proto/collector/logs/v1/logs_service.proto', 'google/rpc/status.proto']);
  schema.resolveAll();
  return schema;
}

/** Why a log record, or all of a resource or scope, are rejected: the end of a sentence. */
export interface Rejection {
  readonly rejected: string;
}

/** A 64-bit integer: an object of the library, or its digits. */
export type Int64 = { toString(): string };

/** Set fields are own properties, of which the last one counts. */
export interface AnyValue {
  readonly stringValue?: string;
  readonly boolValue?: boolean;
  readonly intValue?: Int64;
  readonly doubleValue?: number;
  readonly arrayValue?: { readonly values?: readonly AnyValue[] };
  readonly kvlistValue?: { readonly values?: readonly KeyValue[] };
  readonly bytesValue?: Uint8Array;
}

export interface KeyValue {
  readonly key?: string;
  readonly value?: AnyValue | null;
}

/** A message with attributes: a resource, a scope, a log record. */
export interface Attributed {
  readonly attributes?: readonly KeyValue[];
}

export interface LogRecord extends Attributed {
  readonly timeUnixNano?: Int64;
  readonly observedTimeUnixNano?: Int64;
  readonly severityNumber?: number;
  readonly severityText?: string;
  readonly body?: AnyValue | null;
}

/** The lists of a request, from the outer to the inner one. */
type ListName = 'resourceLogs' | 'scopeLogs' | 'logRecords';

/** Reads the messages of an `ExportLogsServiceRequest` in one encoding. */
export interface RecordReader<Message> {
  readonly request: Message;
  /** @param path of the parent, with a dot behind it. @throws AppError VALIDATION_ERROR. */
  list(parent: Message, name: ListName, path: string): readonly Message[];
  attributed(parent: Message, name: 'resource' | 'scope'): Attributed | Rejection;
  record(message: Message): LogRecord | Rejection;
}

type Kinds = Required<AnyValue>;

/** As compact JSON with all digits, and as parsed JSON with text for integers beyond 2^53. */
const kinds: {
  readonly [Kind in keyof Kinds]: readonly [
    json: (value: Kinds[Kind]) => string,
    plain: (value: Kinds[Kind]) => unknown,
  ];
} = {
  stringValue: [JSON.stringify, (text) => text],
  boolValue: [String, (boolean) => boolean],
  intValue: [String, (integer) => (Number.isSafeInteger(Number(integer)) ? Number(integer) : String(integer))],
  doubleValue: [
    (double) => (Number.isFinite(double) ? String(double) : JSON.stringify(String(double))),
    (double) => double,
  ],
  bytesValue: [(bytes) => JSON.stringify(base64(bytes)), () => null],
  arrayValue: [({ values = [] }) => `[${values.map(jsonOf).join(',')}]`, ({ values = [] }) => values.map(plainOf)],
  kvlistValue: [({ values = [] }) => attributesAsJson(values), ({ values = [] }) => plainObjectOf(values)],
};

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

/** The set field of a value; undefined for an empty value. */
function kindOf(value: AnyValue | null | undefined): keyof AnyValue | undefined {
  return value ? (Object.keys(value).at(-1) as keyof AnyValue) : undefined;
}

/** A text as it is, bytes in base64, everything else as compact JSON; null for an empty value. */
export function textOf(value: AnyValue | null | undefined): string | null {
  const kind = kindOf(value);
  if (!value || kind === undefined) return null;
  if (kind === 'stringValue') return value.stringValue ?? '';
  return kind === 'bytesValue' ? base64(value.bytesValue as Uint8Array) : jsonOf(value);
}

function jsonOf(value: AnyValue | null | undefined): string {
  const kind = kindOf(value);
  return kind === undefined ? 'null' : kinds[kind][0](value?.[kind] as never);
}

export function attributesAsJson(attributes: readonly KeyValue[]): string {
  return `{${attributes.map(({ key = '', value }) => `${JSON.stringify(key)}:${jsonOf(value)}`).join(',')}}`;
}

function plainOf(value: AnyValue | null | undefined): unknown {
  const kind = kindOf(value);
  return kind === undefined ? null : kinds[kind][1](value?.[kind] as never);
}

export const plainObjectOf = (attributes: readonly KeyValue[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key = '', value }) => [key, plainOf(value)]));

/** Bytes of an encoded log record, resource or scope; what has more is not decoded. */
const maxMessageSize = 1024 * 1024;

/** Finds fields level by level, and decodes messages of the lowest level, one by one. */
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

/** The messages of a field, not decoded. @throws AppError for malformed protobuf. */
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

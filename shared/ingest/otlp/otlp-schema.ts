import { fileURLToPath } from 'node:url';
import protobuf from 'protobufjs';

/** The message types of OTLP logs and of their errors, from the official schema in `proto/`. */
export interface OtlpSchema {
  readonly request: protobuf.Type;
  readonly resourceLogs: protobuf.Type;
  readonly scopeLogs: protobuf.Type;
  readonly resource: protobuf.Type;
  readonly scope: protobuf.Type;
  readonly logRecord: protobuf.Type;
  readonly response: protobuf.Type;
  readonly status: protobuf.Type;
}

let loaded: OtlpSchema | undefined;

/** Parses the schema at the first call. */
export function loadOtlpSchema(): OtlpSchema {
  loaded ??= parseSchema();
  return loaded;
}

function parseSchema(): OtlpSchema {
  const folder = new URL('./proto/', import.meta.url);
  const root = new protobuf.Root();
  // The types of `google/protobuf` are part of the library.
  root.resolvePath = (_origin, target) =>
    target.startsWith('google/protobuf/') ? target : fileURLToPath(new URL(target, folder));
  root.loadSync(['opentelemetry/proto/collector/logs/v1/logs_service.proto', 'google/rpc/status.proto']);
  root.resolveAll();
  const type = (name: string) => root.lookupType(name);
  return {
    request: type('opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest'),
    resourceLogs: type('opentelemetry.proto.logs.v1.ResourceLogs'),
    scopeLogs: type('opentelemetry.proto.logs.v1.ScopeLogs'),
    resource: type('opentelemetry.proto.resource.v1.Resource'),
    scope: type('opentelemetry.proto.common.v1.InstrumentationScope'),
    logRecord: type('opentelemetry.proto.logs.v1.LogRecord'),
    response: type('opentelemetry.proto.collector.logs.v1.ExportLogsServiceResponse'),
    status: type('google.rpc.Status'),
  };
}

/** A 64-bit integer: an object of the library, or its digits. */
export type Int64 = { toString(): string };

/**
 * A decoded message has its set fields as own properties; of the fields of an `AnyValue`, the last
 * one counts.
 */
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

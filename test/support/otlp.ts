import protobuf from 'protobufjs';
import { otlpType } from '../../shared/ingest/otlp/otlp-schema.ts';
import type { RequestOptions, TestResponse, TestService } from './test-service.ts';

/** A log record in OTLP/JSON. */
export interface JsonRecord {
  timeUnixNano?: string;
  observedTimeUnixNano?: string;
  severityNumber?: number;
  severityText?: string;
  body?: object;
  attributes?: object[];
}

export type Encoding = 'protobuf' | 'json';
export const mediaTypes: Readonly<Record<Encoding, string>> = {
  protobuf: 'application/x-protobuf',
  json: 'application/json',
};

export const requestType = otlpType('ExportLogsServiceRequest');

/** A request with one resource and one scope. */
export function requestOf(logRecords: readonly JsonRecord[], resource: object = {}, scope: object = {}) {
  return { resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords }] }] };
}

export const textRecord = (stringValue: string): JsonRecord => ({ body: { stringValue } });

export function encode(request: object, encoding: Encoding): Buffer {
  if (encoding === 'json') return Buffer.from(JSON.stringify(request));
  return Buffer.from(requestType.encode(requestType.fromObject(request)).finish());
}

/** Sends a body to `/v1/logs`. */
export function exportLogs(
  service: Pick<TestService, 'request'>,
  scenarioId: string,
  body: Buffer | string,
  encoding: Encoding,
  options: RequestOptions = {},
): Promise<TestResponse> {
  return service.request('POST', '/v1/logs', {
    body,
    headers: { 'X-Scenario-ID': scenarioId, 'Content-Type': mediaTypes[encoding], ...options.headers },
  });
}

/** The response as the official schema reads it, in the encoding of the request. */
export function decodeResponse(response: TestResponse, encoding: Encoding, typeName: string): Record<string, unknown> {
  const type = otlpType(typeName);
  const message = encoding === 'json' ? type.fromObject(response.body) : type.decode(response.bytes);
  return type.toObject(message, { longs: Number });
}

/** A length-delimited field. */
export function field(number: number, content: Uint8Array): Buffer {
  const writer = protobuf.Writer.create();
  return Buffer.from(
    writer
      .uint32((number << 3) | 2)
      .bytes(content)
      .finish(),
  );
}

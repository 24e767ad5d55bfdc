import protobuf from 'protobufjs';
import type { Attack, AttackTarget } from './attack.ts';

/**
 * Bodies of `POST /v1/logs` that are small when they are sent and expensive to decode, or as large
 * as accepted.
 */
export function otlpShapes(lines: number): Attack[] {
  const count = lines.toLocaleString('en');
  return [
    protobufShape('20,000 log records in protobuf', 200, () => records(20_000, record(165))),
    protobufShape('a log record of 500,000 empty attributes', 200, () => records(5, empty(6, 500_000))),
    protobufShape('half a million empty log records', 413, () => message(1, message(2, empty(2, 500_000)))),
    protobufShape('2.6 million empty resources', 413, () => empty(1, largest / 2)),
    protobufShape('values nested to the largest size', 200, () => records(5, nested(1_000_000))),
    protobufShape(`${count} scopes of a resource with 2,000 attributes`, 200, () =>
      message(1, repeated(message(1, message(1, Buffer.from('a'))), 2000), repeated(message(2, message(2)), lines)),
    ),
    jsonShape('log records in JSON to the largest size', 200, () => jsonRecords(largest / 250, jsonRecord)),
    jsonShape(`${count} empty log records in JSON`, 200, () => jsonRecords(lines, '{}')),
    jsonShape('160,000 empty resources in JSON', 200, () => `{"resourceLogs":[${list(160_000, '{}')}]}`),
    jsonShape('60,000 attributes of a resource in JSON', 200, () => {
      const attributes = list(60_000, '{"key":"a","value":{}}');
      return `{"resourceLogs":[{"resource":{"attributes":[${attributes}]},"scopeLogs":[{"logRecords":[{}]}]}]}`;
    }),
    jsonShape('80 log records of 10,000 values in JSON', 200, () =>
      jsonRecords(80, `{"body":{"arrayValue":{"values":[${list(3300, '{"intValue":"1"}')}]}}}`),
    ),
    jsonShape('JSON nested to the largest size', 400, () => '['.repeat(largest)),
    jsonShape('values nested to the largest size in JSON', 200, () => {
      const levels = Math.floor(largest / 29) - 10;
      return jsonRecords(1, `{"body":${'{"arrayValue":{"values":['.repeat(levels)}${']}}'.repeat(levels)}}`);
    }),
  ];
}

const largest = 5 * 1024 * 1024;

function message(number: number, ...contents: Buffer[]): Buffer<ArrayBuffer> {
  const header = protobuf.Writer.create().uint32((number << 3) | 2);
  const content = Buffer.concat(contents);
  return Buffer.concat([header.uint32(content.length).finish(), content]);
}

const repeated = (field: Buffer, count: number) => Buffer.alloc(count * field.length, field);
const empty = (number: number, count: number) => repeated(message(number), count);
const records = (count: number, content: Buffer) => message(1, message(2, repeated(message(2, content), count)));
const record = (length: number) =>
  Buffer.concat([message(5, message(1, Buffer.alloc(length, 'a'))), message(6, message(1, Buffer.from('key')))]);

/** An `AnyValue` in a list in an `AnyValue`, and so on, of about so many bytes. */
function nested(bytes: number): Buffer {
  const levels: Buffer[] = [];
  for (let size = 0; size < bytes; ) {
    const header = protobuf.Writer.create().uint32(0x2a).uint32(size).finish();
    levels.push(Buffer.from(header).reverse());
    size += header.length;
  }
  return Buffer.concat(levels).reverse();
}

const list = (count: number, item: string) => Array(Math.floor(count)).fill(item).join();
const jsonRecords = (count: number, item: string) =>
  `{"resourceLogs":[{"scopeLogs":[{"logRecords":[${list(count, item)}]}]}]}`;
const jsonRecord = JSON.stringify({
  timeUnixNano: '1777636800000000000',
  severityNumber: 9,
  severityText: 'INFO',
  body: { stringValue: 'a'.repeat(66) },
  attributes: [{ key: 'http.response.status_code', value: { intValue: '200' } }],
});

const protobufShape = (name: string, status: number, create: () => Buffer<ArrayBuffer>) =>
  shape(name, status, 'application/x-protobuf', create);
const jsonShape = (name: string, status: number, create: () => string) =>
  shape(name, status, 'application/json', () => Buffer.from(create()));

function shape(name: string, status: number, type: string, create: () => Buffer<ArrayBuffer>): Attack {
  let body: Buffer<ArrayBuffer> | undefined;
  const code = { 400: 'VALIDATION_ERROR', 413: 'PAYLOAD_TOO_LARGE' }[status];
  return {
    name: `OTLP: ${name}`,
    response: { status, ...(code && { code }) },
    send: async ({ url, scenarioId }: AttackTarget) => {
      body ??= create();
      const headers = { 'X-Scenario-ID': scenarioId, 'Content-Type': type };
      const response = await fetch(`${url}/v1/logs`, { method: 'POST', headers, body });
      await response.arrayBuffer();
      // A Status has no code of the service.
      return { status: response.status, code: response.status === status ? code : undefined, sentBytes: body.length };
    },
  };
}

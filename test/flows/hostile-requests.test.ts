import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import protobuf from 'protobufjs';
import { seededRandom } from '../../shared/seeded-random.ts';
import { makeHostileBatch, workerShapes } from '../support/hostile-texts.ts';
import { createRunningScenario } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';

/** Nearly all lines that the 5 MiB of a request can have are 80,000; fewer meet the same limits. */
const lines = 2_000;
const largest = 5 * 1024 * 1024;

interface HostileRequest {
  readonly name: string;
  readonly path: string;
  readonly type?: string;
  readonly encoding?: string;
  readonly status: number;
  readonly body: string | Uint8Array;
}

const repeat = (item: string, count: number) => Array(Math.floor(count)).fill(item).join(',');
const list = (count: number, entry: string) => `[${repeat(entry, count)}]`;
const objectOf = (count: number, value: string) =>
  `{${Array.from({ length: count }, (_, index) => `"f${index}":${value}`).join(',')}}`;
const withAttributes = (count: number, value: string) => `{"message":"a","attributes":${objectOf(count, value)}}`;
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

/** Compresses text, with blanks in random order before it. */
function packed(text: string): Uint8Array {
  const random = seededRandom(1);
  const blanks = Array.from({ length: text.length / 20 }, () => ' \t\r\n'[Math.floor(random() * 4)]).join('');
  return gzipSync(blanks + text, { level: 9 });
}

/** So many mebibytes of spaces, as several gzip members of a mebibyte. */
const bomb = (mebibytes: number) =>
  Buffer.concat(Array<Buffer>(mebibytes).fill(gzipSync(' '.repeat(1024 * 1024), { level: 9 })));

type Row = readonly [name: string, status: number, body: string | Uint8Array, type?: string | undefined];

const ndjson = 'application/x-ndjson';
const encoded = (rows: readonly Row[], path: string, encoding: string) =>
  rows.map(([name, status, body, type = 'application/json']) => ({ name, status, path, type, encoding, body }));

/** Bodies of `POST /ingest` that are small or ordinary, and expensive to unpack or to validate. */
const entries: HostileRequest[] = [
  ...encoded(
    (
      [
        ['1,000 entries of 99 attributes that are null', 400, list(1000, withAttributes(98, 'null'))],
        ['1,000 entries of 98 valid attributes', 202, list(1000, withAttributes(98, '1'))],
        ['1,000 entries of 99 unknown fields', 400, list(1000, objectOf(99, '1'))],
        ['a list of empty objects', 413, list(largest / 3, '{}')],
        ['1,000 empty objects', 400, list(1000, '{}')],
        ['nested lists of a megabyte', 400, `{"message":"a","attributes":${'['.repeat(1_000_000)}`],
        ['3,000 lists, 31 levels deep', 400, list(100, `{"attributes":[${repeat(nested(29), 30)}]}`)],
        ['escapes in 98 attributes of 1,000 entries', 400, list(1000, withAttributes(98, '"\\u0000"'))],
        ['1,000 entries of 98 numbers out of range', 400, list(1000, withAttributes(98, '1e999'))],
        ['1,000 lines that are not JSON', 400, '{"message":\n'.repeat(1000), ndjson],
      ] satisfies Row[]
    ).map(([name, status, text, type]): Row => [name, status, packed(text), type]),
    '/ingest',
    'gzip',
  ),
  ...encoded(
    [
      ['lists nested to the largest size', 400, gzipSync('['.repeat(largest))],
      ['a gigabyte of spaces', 413, bomb(1024)],
      ['200,000 empty gzip members', 400, Buffer.concat(Array(200_000).fill(gzipSync('')))],
    ],
    '/ingest',
    'x-gzip',
  ),
  ...encoded(
    [
      ['a message of escapes', 400, `{"message":"${'\\u00e9'.repeat(largest / 6 - 4)}"}`],
      ['a string of backslashes', 400, `{"message":"${'\\\\'.repeat(largest / 2 - 10)}"}`],
      ['a string of the largest size', 400, `{"source":"${'é'.repeat(largest / 2 - 10)}"}`],
      ['a field name of the largest size', 400, `{"${'n'.repeat(largest - 10)}":1}`],
      ['a time of the largest size', 400, `{"timestamp":"${'7'.repeat(largest - 20)}"}`],
      ['1,000 messages of 5 KB', 202, list(1000, `{"message":"${'a'.repeat(5000)}"}`)],
      ['lines of one bracket', 400, '{\n'.repeat(largest / 2), ndjson],
      ...workerShapes
        .filter(({ name }) => name === 'one letter' || name === 'digits and hyphens')
        .map((shape): Row => [`19 messages of 256 KiB: ${shape.name}`, 202, JSON.stringify(makeHostileBatch(shape))]),
    ],
    '/ingest',
    'identity',
  ),
];

/** Bodies of `POST /ingest/{scenario_id}`, where nearly everything is an entry. */
const streams = encoded(
  [
    ['10,000 lines of text', 202, 'GET /cart 200 of a shop\n'.repeat(10_000), 'text/plain'],
    ['lines of one character', 413, 'a\n'.repeat(largest / 2), 'text/plain'],
    ['blank lines', 202, '\n'.repeat(lines), 'text/plain'],
    ['10,000 objects without a line end', 202, '{"log":"a","n":1}'.repeat(10_000)],
    ['lines that are cut off', 400, '{"log":"a\n'.repeat(lines), ndjson],
    ['an object that never ends in each of 20,000 lines', 202, `{"log":1}${'\n{"log":{"a":1'.repeat(20_000)}`],
    ['words that are no JSON', 202, `{"log":1}\n${'a b c d e f g h '.repeat(5000)}\n`.repeat(50), ndjson],
    ['a record of 2 MB of lists in lists', 202, `{"log":"a"}\n{"a":${nested(1_000_000)}}`],
    ['1,000 records of 31 levels', 202, repeat(`{"a":${nested(31)}}`, 1000)],
    ['a message of 2 MB of escapes', 202, `{"log":"a"}{"log":"${'\\u00e9'.repeat(340_000)}"}`],
    ['60 nested attributes of 80 KB', 202, repeat(`{"log":"a","b":{"c":"${'é'.repeat(40_000)}"}}`, 60)],
    ['words before 64,000 blank lines', 400, `x${'\n'.repeat(64_000)}`],
    [
      '4,000 attributes of a model call under a name of 20 KB',
      202,
      `{"log":"a","token":1,"gen_ai":{"${'a'.repeat(20_000)}":${objectOf(4_000, '1')}}}`,
    ],
    ['a time and a level of 2 MB', 202, `{"log":"a","time":"${'7'.repeat(1e6)}","level":"${'é'.repeat(4e5)}"}`],
  ],
  '/ingest/{id}',
  'identity',
);

/** Bodies of ordinary routes: at most 100 KiB, but with as many errors as possible. */
const bodies = [
  ...encoded(
    [
      ['a scenario of 20,000 lists', 400, `{"name":[${'[],'.repeat(20_000)}[]]}`],
      ['a scenario of 999 unknown fields', 400, objectOf(999, '1')],
      ['a scenario of 9,000 unknown fields', 400, objectOf(9000, '1')],
      ['a scenario nested as deeply as possible', 400, `{"assumptions":${'{"a":'.repeat(20_000)}`],
      ['a name of 100 KB', 400, JSON.stringify({ name: '\u0301'.repeat(50_000), region: 'eu-west-1' })],
      ['a field name of 100 KB', 400, JSON.stringify({ ['n'.repeat(100_000)]: 1 })],
    ],
    '/api/v1/scenarios',
    'identity',
  ),
  ...encoded(
    [['an address of 100 KB', 400, JSON.stringify({ email: '\u1e9b\u0323'.repeat(20_000), password: 'a' })]],
    '/api/v1/auth/register',
    'identity',
  ),
];

function message(number: number, ...contents: Uint8Array[]): Buffer<ArrayBuffer> {
  const content = Buffer.concat(contents);
  const header = protobuf.Writer.create().uint32((number << 3) | 2);
  return Buffer.concat([header.uint32(content.length).finish(), content]);
}

const repeated = (field: Buffer, count: number) => Buffer.alloc(count * field.length, field);
const records = (count: number, content: Buffer) => message(1, message(2, repeated(message(2, content), count)));

/** An `AnyValue` in a list in an `AnyValue`, and so on, of about so many bytes. */
function nestedValues(bytes: number): Buffer {
  const levels: Buffer[] = [];
  for (let size = 0; size < bytes; ) {
    const header = protobuf.Writer.create().uint32(0x2a).uint32(size).finish();
    levels.push(Buffer.from(header).reverse());
    size += header.length;
  }
  return Buffer.concat(levels).reverse();
}

const jsonRecords = (content: string) => `{"resourceLogs":[{"scopeLogs":[{"logRecords":[${content}]}]}]}`;
const jsonLevels = Math.floor(largest / 29) - 10;
const protobufType = 'application/x-protobuf';

/** Bodies of `POST /v1/logs` that are small when they are sent and expensive to decode. */
const exports = encoded(
  [
    ['a log record of 500,000 empty attributes', 200, records(5, repeated(message(6), 500_000)), protobufType],
    ['half a million empty log records', 413, message(1, message(2, repeated(message(2), 500_000))), protobufType],
    ['2.6 million empty resources', 413, repeated(message(1), largest / 2), protobufType],
    ['values nested to the largest size', 200, records(5, nestedValues(1_000_000)), protobufType],
    [
      'scopes of a resource with 2,000 attributes',
      200,
      message(1, repeated(message(1, message(1, Buffer.from('a'))), 2000), repeated(message(2, message(2)), lines)),
      protobufType,
    ],
    ['empty log records in JSON', 200, jsonRecords(repeat('{}', lines))],
    ['JSON nested to the largest size', 413, '['.repeat(largest)],
    [
      'values nested to the largest size in JSON',
      200,
      jsonRecords(`{"body":${'{"arrayValue":{"values":['.repeat(jsonLevels)}${']}}'.repeat(jsonLevels)}}`),
    ],
  ],
  '/v1/logs',
  'identity',
);

const codes: Readonly<Record<number, string>> = { 400: 'VALIDATION_ERROR', 413: 'PAYLOAD_TOO_LARGE' };

describe('requests that cost more than others', () => {
  const service = startTestService({ workers: false });

  for (const { name, path, type, encoding, status, body } of [...entries, ...streams, ...bodies, ...exports]) {
    it(`the response of ${path} to ${name} is ${status}, and nothing of a refused one is stored`, async () => {
      const { id } = await createRunningScenario(service);
      const response = await fetch(service.url + path.replace('{id}', id), {
        method: 'POST',
        headers: {
          'Content-Type': type ?? '',
          'Content-Encoding': encoding ?? '',
          'X-Scenario-ID': id,
          Prefer: 'respond-async',
        },
        body: typeof body === 'string' ? body : Buffer.from(body),
      });
      expect(response.status).to.equal(status);
      const text = await response.text();
      if (status < 400) return;
      // A Status of OpenTelemetry has no code of the service.
      if (path !== '/v1/logs') expect(JSON.parse(text).error.code).to.equal(codes[status]);
      expect(await service.app.models.logBatch.countDocuments({ scenarioId: id })).to.equal(0);
      const jobs = await service.app.queues['ingest-entries'].queue.getJobs();
      expect(jobs.filter(({ data }) => data.scenarioId === id)).to.deep.equal([]);
    });
  }
});

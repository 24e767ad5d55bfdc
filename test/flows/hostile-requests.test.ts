import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import protobuf from 'protobufjs';
import { makeHostileBatch, workerShapes } from '../support/hostile-texts.ts';
import { field } from '../support/otlp.ts';
import { createRunningScenario, expectError } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';

const largest = 5 * 1024 * 1024;

const repeat = (item: string, count: number) => Array(Math.floor(count)).fill(item).join(',');
const list = (count: number, entry: string) => `[${repeat(entry, count)}]`;
const objectOf = (count: number, value: string) =>
  `{${Array.from({ length: count }, (_, index) => `"f${index}":${value}`).join(',')}}`;
const withAttributes = (count: number, value: string) => `{"message":"a","attributes":${objectOf(count, value)}}`;
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const gzip = (text: string) => gzipSync(text, { level: 9 });

/** So many mebibytes of spaces, as several gzip members of a mebibyte. */
const bomb = (mebibytes: number) => Buffer.concat(Array<Buffer>(mebibytes).fill(gzip(' '.repeat(1024 * 1024))));

/** The type is JSON, unless the row has another. */
type Row = readonly [name: string, status: number, body: string | Uint8Array, type?: string];

const ndjson = 'application/x-ndjson';
const text = 'text/plain';

/** Bodies of `POST /ingest`, packed by gzip: small or ordinary, and expensive to unpack or to validate. */
const packed: Row[] = [
  ['1,000 entries of 99 attributes that are null', 400, gzip(list(1000, withAttributes(98, 'null')))],
  ['1,000 entries of 98 valid attributes', 202, gzip(list(1000, withAttributes(98, '1')))],
  ['a list of empty objects', 400, gzip(list(largest / 3, '{}'))],
  ['nested lists of a megabyte', 400, gzip(`{"message":"a","attributes":${'['.repeat(1_000_000)}`)],
  ['3,000 lists, 31 levels deep', 400, gzip(list(100, `{"attributes":[${repeat(nested(29), 30)}]}`))],
  ['1,000 lines that are not JSON', 400, gzip('{"message":\n'.repeat(1000)), ndjson],
  ['a gigabyte of spaces', 413, bomb(1024)],
  ['200,000 empty gzip members', 400, Buffer.concat(Array(200_000).fill(gzip('')))],
];

/** Bodies of `POST /ingest` as they are. */
const entries: Row[] = [
  ['a message of escapes', 400, `{"message":"${'\\u00e9'.repeat(largest / 6 - 4)}"}`],
  ['a field name of the largest size', 400, `{"${'n'.repeat(largest - 10)}":1}`],
  ['a time of the largest size', 400, `{"timestamp":"${'7'.repeat(largest - 20)}"}`],
  ['lines of one bracket', 400, '{\n'.repeat(largest / 2), ndjson],
  ...workerShapes
    .filter(({ name }) => name === 'one letter' || name === 'digits and hyphens')
    .map((shape): Row => [`19 messages of 256 KiB: ${shape.name}`, 202, JSON.stringify(makeHostileBatch(shape))]),
];

/** Bodies of `POST /ingest/{scenario_id}`, where nearly everything is an entry. */
const streams: Row[] = [
  ['lines of one character', 413, 'a\n'.repeat(largest / 2), text],
  ['blank lines', 202, '\n'.repeat(2_000), text],
  ['an object that never ends in each of 20,000 lines', 202, `{"log":1}${'\n{"log":{"a":1'.repeat(20_000)}`],
  ['words that are no JSON', 202, `{"log":1}\n${'a b c d e f g h '.repeat(5000)}\n`.repeat(50), ndjson],
  ['a record of 2 MB of lists in lists', 202, `{"log":"a"}\n{"a":${nested(1_000_000)}}`],
  ['a message of 2 MB of escapes', 202, `{"log":"a"}{"log":"${'\\u00e9'.repeat(340_000)}"}`],
  ['words before 64,000 blank lines', 400, `x${'\n'.repeat(64_000)}`],
  [
    '4,000 attributes of a model call under a name of 20 KB',
    202,
    `{"log":"a","token":1,"gen_ai":{"${'a'.repeat(20_000)}":${objectOf(4_000, '1')}}}`,
  ],
  ['a time and a level of 2 MB', 202, `{"log":"a","time":"${'7'.repeat(1e6)}","level":"${'é'.repeat(4e5)}"}`],
];

/** Bodies of ordinary routes: at most 100 KiB, but with as many errors as possible. */
const scenarios: Row[] = [
  ['20,000 lists', 400, `{"name":[${'[],'.repeat(20_000)}[]]}`],
  ['9,000 unknown fields', 400, objectOf(9000, '1')],
  ['objects nested as deeply as possible', 400, `{"assumptions":${'{"a":'.repeat(20_000)}`],
  ['a name of 100 KB', 400, JSON.stringify({ name: '\u0301'.repeat(50_000), region: 'eu-west-1' })],
];
const accounts: Row[] = [
  ['an address of 100 KB', 400, JSON.stringify({ email: '\u1e9b\u0323'.repeat(20_000), password: 'a' })],
];

const empty = Buffer.alloc(0);
const repeated = (part: Buffer, count: number) => Buffer.alloc(count * part.length, part);
const records = (count: number, content: Buffer) => field(1, field(2, repeated(field(2, content), count)));

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
const exports: Row[] = [
  ['a log record of 500,000 empty attributes', 200, records(5, repeated(field(6, empty), 500_000)), protobufType],
  ['half a million empty log records', 413, field(1, field(2, repeated(field(2, empty), 500_000))), protobufType],
  ['2.6 million empty resources', 413, repeated(field(1, empty), largest / 2), protobufType],
  ['values nested to the largest size', 200, records(5, nestedValues(1_000_000)), protobufType],
  [
    'scopes of a resource with 2,000 attributes',
    200,
    field(
      1,
      Buffer.concat([repeated(field(1, field(1, Buffer.from('a'))), 2000), repeated(field(2, field(2, empty)), 2000)]),
    ),
    protobufType,
  ],
  ['JSON nested to the largest size', 413, '['.repeat(largest)],
  ['81,921 log records in JSON', 413, jsonRecords(repeat('{}', 81_921))],
  ['700,000 resources in JSON', 413, `{"resourceLogs":${list(700_000, '{}')}}`],
  [
    'values nested to the largest size in JSON',
    200,
    jsonRecords(`{"body":${'{"arrayValue":{"values":['.repeat(jsonLevels)}${']}}'.repeat(jsonLevels)}}`),
  ],
];

const codes: Readonly<Record<number, string>> = { 400: 'VALIDATION_ERROR', 413: 'PAYLOAD_TOO_LARGE' };

describe('requests that cost more than others', () => {
  const service = startTestService({ workers: false });

  for (const [path, encoding, rows] of [
    ['/ingest', 'gzip', packed],
    ['/ingest', 'identity', entries],
    ['/ingest/{id}', 'identity', streams],
    ['/api/v1/scenarios', 'identity', scenarios],
    ['/api/v1/auth/register', 'identity', accounts],
    ['/v1/logs', 'identity', exports],
  ] as const) {
    for (const [name, status, body, type = 'application/json'] of rows) {
      it(`the response of ${path} to ${name} is ${status}, and nothing of a refused one is stored`, async () => {
        const { id } = await createRunningScenario(service);
        const response = await service.request('POST', path.replace('{id}', id), {
          headers: {
            'Content-Type': type,
            'Content-Encoding': encoding,
            'X-Scenario-ID': id,
            Prefer: 'respond-async',
          },
          body,
        });
        // A Status of OpenTelemetry has no code of the service.
        if (status >= 400 && path !== '/v1/logs') expectError(response, status, codes[status] ?? '');
        expect(response.status).to.equal(status);
        if (status < 400) return;
        expect(await service.app.models.logBatch.countDocuments({ scenarioId: id })).to.equal(0);
        const jobs = await service.app.queues['ingest-entries'].queue.getJobs();
        expect(jobs.filter(({ data }) => data.scenarioId === id)).to.deep.equal([]);
      });
    }
  }
});

import { gzipSync } from 'node:zlib';
import { OTLPLogExporter as JsonExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPLogExporter as ProtobufExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { expect } from 'chai';
import { asStored, entriesOf, type ProcessedLogBatch } from '../../shared/ingest/log-batch.model.ts';
import { otlpType } from '../../shared/ingest/otlp/otlp-schema.ts';
import { type Account, createAccount, createApiKey } from '../support/accounts.ts';
import {
  decodeResponse,
  type Encoding,
  encode,
  exportLogs,
  field,
  mediaTypes,
  requestOf,
  textRecord,
} from '../support/otlp.ts';
import { createRunningScenario, createScenario, flush, getMetrics } from '../support/requests.ts';
import { startTestService, type TestResponse } from '../support/test-service.ts';

/** Several batches of an exporter, and more than one batch of the service. */
const [exported, large] = [400, 1_500];

describe('OpenTelemetry logs over HTTP', () => {
  const service = startTestService();
  let account: Account;
  let id: string;
  before(async () => {
    account = await createAccount(service);
  });
  beforeEach(async () => {
    ({ id } = await createRunningScenario(service));
  });

  /** The counted entries, after all accepted ones have been processed. */
  const countedEntries = async () => {
    await flush(service, id);
    const { collection } = service.app.models.logBatch;
    const batches = await collection.find<ProcessedLogBatch>({ scenarioId: id }, asStored).toArray();
    const entries = batches.flatMap(entriesOf);
    expect((await getMetrics(service, id)).totals.logs).to.equal(entries.length);
    return entries;
  };

  const expectResponse = (response: TestResponse, encoding: Encoding, expected: object) => {
    expect(response.status, response.text).to.equal(200);
    expect(response.headers.get('Content-Type')?.split(';')[0]).to.equal(mediaTypes[encoding]);
    expect(decodeResponse(response, encoding, 'ExportLogsServiceResponse')).to.deep.equal(expected);
  };

  const expectStatus = (response: TestResponse, encoding: Encoding, status: number, code: number, message: RegExp) => {
    expect(response.status, response.text).to.equal(status);
    expect(response.headers.get('Content-Type')?.split(';')[0]).to.equal(mediaTypes[encoding]);
    const failure = decodeResponse(response, encoding, 'Status');
    expect(failure['code']).to.equal(code);
    expect(failure['message']).to.match(message);
  };

  for (const [encoding, Exporter] of [
    ['protobuf', ProtobufExporter],
    ['json', JsonExporter],
  ] as const) {
    describe(`in ${encoding}`, () => {
      it('counts every record of the official exporter once', async () => {
        const time = Date.UTC(2026, 4, 1, 12, 0, 0, 123);
        const exporter = new Exporter({ url: `${service.url}/v1/logs`, headers: { 'X-Scenario-ID': id } });
        const provider = new LoggerProvider({
          resource: resourceFromAttributes({ 'service.name': 'checkout', 'host.name': 'web-1' }),
          processors: [new BatchLogRecordProcessor({ exporter, maxQueueSize: exported, maxExportBatchSize: 300 })],
        });
        const logger = provider.getLogger('cart', '1.0');
        for (let line = 0; line < exported; line += 1) {
          logger.emit({
            timestamp: time + line,
            severityNumber: 9,
            severityText: line % 2 === 0 ? 'Information' : '',
            body: `GET /cart/${line} 200`,
            attributes: { 'http.status': 200 },
          });
        }
        await provider.shutdown();
        const entries = await countedEntries();
        expect(new Set(entries.map(({ hash }) => hash)).size).to.equal(exported);
        expect(entries).to.have.length(exported);
        for (const entry of entries) {
          const line = Number(/^GET \/cart\/(\d+) 200$/.exec(entry.preview)?.[1]);
          expect(entry.source).to.equal('checkout');
          expect(entry.level).to.equal(line % 2 === 0 ? 'Information' : 'info');
          expect(entry.timestamp?.getTime()).to.equal(time + line);
        }
      });

      it('counts all records of a large request, and of one with gzip', async () => {
        const records = Array.from({ length: large }, (_, line) => textRecord(`line ${line}`));
        const body = encode(requestOf(records), encoding);
        expectResponse(await exportLogs(service, id, body, encoding), encoding, {});
        const packed = gzipSync(encode(requestOf(records.slice(0, 10)), encoding));
        const headers = { 'Content-Encoding': 'gzip' };
        expectResponse(await exportLogs(service, id, packed, encoding, { headers }), encoding, {});
        expect(await countedEntries()).to.have.length(large + 10);
      });

      it('accepts the valid records of a request and says why the others are rejected', async () => {
        const records = ['a', 'b'.repeat(256 * 1024 + 1), ' ', 'c'].map(textRecord);
        expectResponse(await exportLogs(service, id, encode(requestOf(records), encoding), encoding), encoding, {
          partialSuccess: {
            rejectedLogRecords: 1,
            errorMessage:
              'resourceLogs[0].scopeLogs[0].logRecords[1] has a message that must be at most 262144 bytes of UTF-8.',
          },
        });
        expect((await countedEntries()).map(({ preview }) => preview)).to.deep.equal(['a', 'c']);
      });

      it('counts a request once that is repeated with its Idempotency-Key', async () => {
        const body = encode(requestOf([textRecord('a'), textRecord('b'.repeat(300_000))]), encoding);
        const { key } = await createApiKey(service, account, { scopes: ['ingest'] });
        const options = { headers: { 'Idempotency-Key': 'one', Authorization: `Bearer ${key}` } };
        const first = await exportLogs(service, id, body, encoding, options);
        const second = await exportLogs(service, id, body, encoding, options);
        expect(second.headers.get('Idempotent-Replayed')).to.equal('true');
        expect(second.bytes).to.deep.equal(first.bytes);
        expect(decodeResponse(second, encoding, 'ExportLogsServiceResponse')).to.have.property('partialSuccess');
        expect(await countedEntries()).to.have.length(1);
        const other = await exportLogs(service, id, encode(requestOf([]), encoding), encoding, options);
        expectStatus(other, encoding, 422, 3, /another request/);
      });

      it('responds to errors as a Status', async () => {
        const body = encode(requestOf([textRecord('a')]), encoding);
        const headers = { 'Content-Type': mediaTypes[encoding] };
        const without = await service.request('POST', '/v1/logs', { body, headers });
        expectStatus(without, encoding, 400, 3, /X-Scenario-ID/);
        const unknown = '00000000-0000-4000-8000-000000000000';
        expectStatus(await exportLogs(service, unknown, body, encoding), encoding, 404, 5, /scenario/i);
        const { id: draft } = await createScenario(service);
        expectStatus(await exportLogs(service, draft, body, encoding), encoding, 409, 9, /is draft/);
        const wrong = { headers: { 'X-API-Key': 'mb_wrong' } };
        expectStatus(await exportLogs(service, id, body, encoding, wrong), encoding, 401, 16, /API key/);
        const large = Buffer.alloc(service.config.ingest.maxBytes + 1);
        expectStatus(await exportLogs(service, id, large, encoding), encoding, 413, 3, /larger/);
        expect(await countedEntries()).to.have.length(0);
      });

      it('takes repeated slashes for one, and names the address to set instead of any other', async () => {
        const body = encode(requestOf([textRecord('a')]), encoding);
        const post = (path: string) =>
          service.request('POST', path, {
            body,
            headers: { 'X-Scenario-ID': id, 'Content-Type': mediaTypes[encoding] },
          });
        for (const path of ['//v1/logs', `/ingest//${id}//v1/logs`, '/v1//logs/']) {
          expectResponse(await post(path), encoding, {});
        }
        expect(await countedEntries()).to.have.length(3);
        expectStatus(await post('/v1/logs/v1/logs'), encoding, 404, 5, /_LOGS_ENDPOINT to the address of \/v1\/logs,/);
        expectStatus(
          await post(`/ingest/${id}//v1/logs/v1/logs`),
          encoding,
          404,
          5,
          new RegExp(`address of /ingest/${id}/v1/logs,`),
        );
        for (const path of ['/v1/traces', '//v1/metrics', '/v1/logs/v1/traces']) {
          expectStatus(await post(path), encoding, 404, 5, / \/v1\/logs/);
        }
      });
    });
  }

  it('refuses other media types', async () => {
    for (const type of ['text/plain', 'application/x-ndjson', 'application/protobuf', '']) {
      const response = await exportLogs(service, id, '{}', 'json', { headers: { 'Content-Type': type } });
      expectStatus(response, 'json', 415, 3, /application\/x-protobuf or application\/json/);
    }
  });

  it('refuses malformed protobuf, and rejects what is malformed within a record', async () => {
    const valid = encode(requestOf([textRecord('a'), textRecord('b')]), 'protobuf');
    const group = Buffer.from([0x0b, 0x0c]);
    const number = Buffer.concat([valid, Buffer.from([0x08, 0x80])]);
    for (const body of [
      valid.subarray(0, -1),
      Buffer.from([0xff]),
      field(1, field(2, Buffer.from([0x12, 0x7f]))),
      group,
      number,
    ]) {
      expectStatus(
        await exportLogs(service, id, body, 'protobuf'),
        'protobuf',
        400,
        3,
        /valid ExportLogsServiceRequest/,
      );
    }
    expectResponse(await exportLogs(service, id, Buffer.alloc(0), 'protobuf'), 'protobuf', {});
    const nested = Array.from({ length: 2000 }).reduce<Buffer>((inner) => field(5, field(1, inner)), Buffer.alloc(0));
    for (const [record, reason] of [
      [field(5, field(1, Buffer.from([0xff]))), 'is not a valid LogRecord'],
      [field(5, nested), 'is not a valid LogRecord'],
      [Buffer.alloc(40_000, field(6, Buffer.alloc(0))), null],
      [field(5, field(1, Buffer.alloc(1024 * 1024))), 'is larger than 1048576 bytes'],
    ] as const) {
      const good = field(2, Buffer.from(otlpType('LogRecord').encode(textRecord('good')).finish()));
      const body = field(1, field(2, Buffer.concat([field(2, record), good])));
      const response = await exportLogs(service, id, body, 'protobuf');
      const path = 'resourceLogs[0].scopeLogs[0].logRecords[0]';
      const partialSuccess = { rejectedLogRecords: 1, errorMessage: `${path} ${reason}.` };
      expectResponse(response, 'protobuf', reason === null ? {} : { partialSuccess });
    }
  });

  it('refuses JSON that is not a request', async () => {
    for (const [body, message] of [
      ['', /is required/],
      ['[]', /must be an object/],
      ['{"resourceLogs":{}}', /must have a list at resourceLogs/],
      ['{"resourceLogs":[1]}', /must have an object at resourceLogs\[0\]/],
      ['{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":}]}]}]}', /must be valid JSON/],
      ['{"resourceLogs":[{"scopeLogs":[{"logRecords":[{]}]}]}', /must be valid JSON/],
      ['{"resourceLogs":[', /must be valid JSON/],
      ['['.repeat(1_000_000), /must be valid JSON/],
    ] as const) {
      expectStatus(await exportLogs(service, id, body, 'json'), 'json', 400, 3, message);
    }
  });
});

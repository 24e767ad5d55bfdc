import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { bulkLines, envelopes } from '../support/envelopes.ts';
import { createRunningScenario, expectError, getMetrics } from '../support/requests.ts';
import { startTestService, type TestResponse } from '../support/test-service.ts';

const asLines = (values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');

/** One value, or the same twice, in the forms of a body: its type and its text. */
const bodiesOf = (value: object): [name: string, type: string, body: string | Buffer, values: number][] => [
  ['one', 'application/json', JSON.stringify(value), 1],
  ['one over several lines', 'application/json', JSON.stringify(value, null, 2), 1],
  ['one without a type', '', JSON.stringify(value), 1],
  ['a list', 'application/json', JSON.stringify([value, value]), 2],
  ['lines', 'application/x-ndjson', asLines([value, value]), 2],
  ['lines called JSON', 'application/json', asLines([value, value]), 2],
  ['one after the other', 'application/json', JSON.stringify(value).repeat(2), 2],
  ['one after the other in a line', 'application/x-ndjson', JSON.stringify(value).repeat(2), 2],
  ['a list under logs', 'application/json', JSON.stringify({ logs: [value, value] }), 2],
  ['gzip', 'application/json', gzipSync(JSON.stringify(value)), 1],
];

describe('the envelopes of other tools at the ingest addresses', () => {
  const service = startTestService();
  let id = '';
  beforeEach(async () => {
    ({ id } = await createRunningScenario(service));
  });

  const send = (body: string | Buffer, type = 'application/json', query = ''): Promise<TestResponse> =>
    service.request('POST', `/ingest/${id}${query}`, {
      body: Buffer.from(body as string),
      headers: {
        ...(type === '' ? {} : { 'Content-Type': type }),
        ...(Buffer.isBuffer(body) ? { 'Content-Encoding': 'gzip' } : {}),
      },
    });

  const countedTotals = async () => {
    const flushed = await service.request('POST', '/flush', { headers: { 'X-Scenario-ID': id } });
    expect(flushed.status, flushed.text).to.equal(200);
    return (await getMetrics(service, id)).totals;
  };

  const expectRefusal = (response: TestResponse, sentence: RegExp) => {
    expectError(response, 400, 'VALIDATION_ERROR', ['body']);
    expect(response.body.error.message).to.match(sentence);
  };

  for (const [name, sentence] of [
    ['loki', /body is a push to Loki: use the output http/],
    ['cloudWatch', /body is a subscription event of CloudWatch Logs: send its list logEvents/],
    ['firehose', /body is a delivery of Amazon Data Firehose: send the decoded data/],
    ['azure', /body is an export of Azure diagnostic logs: send its list records/],
  ] as const) {
    it(`refuses a body of ${name} in every form, and says what to set instead`, async () => {
      for (const [, type, body] of bodiesOf(envelopes[name])) expectRefusal(await send(body, type), sentence);
      const headers = { 'X-Scenario-ID': id, 'Content-Type': 'application/json' };
      const body = JSON.stringify(envelopes[name]);
      expectRefusal(await service.request('POST', '/ingest?fields=loose', { body, headers }), sentence);
      expect((await countedTotals()).logs).to.equal(0);
    });
  }

  it('refuses a bulk request to Elasticsearch', async () => {
    for (const type of ['application/x-ndjson', 'application/json', '']) {
      expectRefusal(
        await send(asLines(bulkLines), type),
        /body is a bulk request to Elasticsearch: use the output http/,
      );
    }
    expect((await countedTotals()).logs).to.equal(0);
  });

  it('refuses an envelope that exceeds the limits of a log entry', async () => {
    const [stream] = envelopes.loki.streams;
    const values = Array.from({ length: 6000 }, (_, line) => ['1777636800000000000', `line ${line}`]);
    expectRefusal(await send(JSON.stringify({ streams: [{ ...stream, values }] })), /Loki/);
    const data = 'YQ=='.repeat(10_000);
    const records = Array.from({ length: 60 }, () => ({ data }));
    expectRefusal(await send(JSON.stringify({ ...envelopes.firehose, records })), /Firehose/);
  });

  it('rejects an envelope beside log entries by itself', async () => {
    const body = asLines([{ log: 'a' }, envelopes.loki, { index: { _id: '1' } }, { log: 'b' }]);
    const { status, body: response } = await send(body);
    expect([status, response.accepted, response.rejected]).to.deep.equal([200, 3, 1]);
    expect(response.errors[0]).to.include({ index: 1, field: 'body' });
    expect(response.errors[0].error).to.match(/^is a push to Loki/);
  });

  it('counts a record that resembles an envelope as one entry', async () => {
    const records = [
      { streams: 3 },
      { records: [{ id: 1 }], table: 'users' },
      { messageType: 'order', logEvents: [] },
      { requestId: 'a', timestamp: 1777636800000, records: 7 },
      { resourceLogs: [] },
      { message: 'a batch', ...envelopes.loki },
      { index: 3 },
      { message: 'update', update: {} },
    ];
    for (const [, type, body] of bodiesOf(records).slice(0, 2)) {
      const { status, body: response } = await send(body, type);
      expect([status, response.accepted, response.errors]).to.deep.equal([200, records.length, []]);
    }
    expect((await countedTotals()).logs).to.equal(2 * records.length);
  });

  it('counts each log record of OpenTelemetry, in every form', async () => {
    let sent = 0;
    for (const [name, type, body, values] of bodiesOf(envelopes.otlp)) {
      const { status, body: response } = await send(body, type);
      expect([name, status, response]).to.deep.equal([
        name,
        200,
        { accepted: 2 * values, timed: values, usage_unread: 0, rejected: 0, skipped: 0, errors: [] },
      ]);
      sent += values;
    }
    const totals = await countedTotals();
    expect([totals.logs, totals.pii_logs, totals.pii.email]).to.deep.equal([2 * sent, sent, sent]);
    const full = await send(JSON.stringify(envelopes.otlp), 'application/json', '?answer=full');
    expect(full.status, full.text).to.equal(200);
    expect(full.body.results.map(({ source, level }: Record<string, unknown>) => [source, level])).to.deep.equal([
      ['checkout', null],
      ['checkout', 'WARN'],
    ]);
  });

  it('refuses a request of OpenTelemetry that is not valid', async () => {
    const [logs] = envelopes.otlp.resourceLogs;
    expectRefusal(await send(JSON.stringify({ resourceLogs: [logs, 5] })), /must have an object at resourceLogs\[1\]/);
    const many = `{"resourceLogs":[{"scopeLogs":[{"logRecords":[${Array(81_921).fill('{}').join()}]}]}]}`;
    expectError(await send(many), 413, 'PAYLOAD_TOO_LARGE');
  });
});

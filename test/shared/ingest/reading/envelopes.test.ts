import { expect } from 'chai';
import type { BodyForm } from '../../../../shared/ingest/reading/body-form.ts';
import { BulkCheck, envelopeOf } from '../../../../shared/ingest/reading/envelopes.ts';
import { readBody, refusalOf } from '../../../support/read-body.ts';
import tools from './envelopes.json' with { type: 'json' };

/**
 * Requests of tools in the format of another service, each with two log entries and an address in
 * them, and the lines of a bulk request to Elasticsearch.
 */
const { bulkLines, ...envelopes } = tools;

const isBulk = (values: readonly unknown[]) => {
  const check = new BulkCheck();
  for (const value of values) check.add(value);
  return check.isBulkRequest;
};

const asLines = (values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');

/** One value, or the same twice, in the forms of a body. */
const bodiesOf = (value: object): [name: string, form: BodyForm | null, body: string, values: number][] => [
  ['one', 'values', JSON.stringify(value), 1],
  ['one over several lines', 'values', JSON.stringify(value, null, 2), 1],
  ['one without a type', null, JSON.stringify(value), 1],
  ['a list', 'values', JSON.stringify([value, value]), 2],
  ['lines', 'lines', asLines([value, value]), 2],
  ['lines called JSON', 'values', asLines([value, value]), 2],
  ['one after the other', 'values', JSON.stringify(value).repeat(2), 2],
  ['one after the other in a line', 'lines', JSON.stringify(value).repeat(2), 2],
  ['a list under logs', 'values', JSON.stringify({ logs: [value, value] }), 2],
];

/** The error of a body that is refused as a whole. */
async function errorOf(body: string, form: BodyForm | null = 'values'): Promise<string> {
  const { code, errors } = await refusalOf(readBody(body, form));
  expect([code, errors.length, errors[0]?.field]).to.deep.equal(['VALIDATION_ERROR', 1, 'body']);
  return errors[0]?.error ?? '';
}

describe('the envelopes of other tools', () => {
  for (const [name, envelope] of Object.entries(envelopes)) {
    it(`recognises ${name}, also in another order of its fields`, () => {
      const expected = envelopeOf(envelope);
      expect(expected).to.not.equal(null);
      expect(envelopeOf(Object.fromEntries(Object.entries(envelope).reverse()))).to.equal(expected);
    });
  }

  it('takes a record for an entry that lacks a field of the format, or has one of another type', () => {
    for (const record of [
      { streams: 3 },
      { streams: [] },
      { streams: [{ name: 'a', values: [1, 2] }] },
      { streams: [{ stream: {}, values: [] }] },
      { streams: [{ stream: {}, values: [[1777636800, 'a']] }] },
      { ...envelopes.loki, level: 'info' },
      { records: 7 },
      { records: [{ id: 1 }] },
      { records: [{ time: '2026-05-01T12:00:00Z', category: 'a' }] },
      { ...envelopes.azure, table: 'users' },
      { records: envelopes.firehose.records },
      { ...envelopes.firehose, level: 'info' },
      { ...envelopes.firehose, timestamp: '2026-05-01T12:00:00Z' },
      { ...envelopes.firehose, records: [{ data: 'YQ==', id: 1 }] },
      { logEvents: envelopes.cloudWatch.logEvents },
      { ...envelopes.cloudWatch, messageType: 'order' },
      { ...envelopes.cloudWatch, logEvents: ['a'] },
      { ...envelopes.cloudWatch, logStream: undefined },
      { resourceLogs: 'none' },
      { resourceLogs: [{ resource: {} }] },
      { resourceLogs: [{ scopeLogs: [{ scope: {} }] }] },
      { ...envelopes.otlp, level: 'info' },
    ]) {
      expect(envelopeOf(record), JSON.stringify(record)).to.equal(null);
    }
  });

  it('recognises the lines of a bulk request, with deletions between them', () => {
    expect(isBulk(bulkLines)).to.equal(true);
    expect(isBulk([{ delete: { _id: '1' } }, ...bulkLines, { delete: { _id: '2' } }])).to.equal(true);
    expect(isBulk([{ index: {} }, { a: 1 }])).to.equal(true);
  });

  it('takes lines for entries that are not an action and a document in turn', () => {
    for (const lines of [
      [],
      [{ index: 3 }, { log: 'a' }],
      [{ index: { rows: 3 } }, { log: 'a' }],
      [{ index: { _id: '1' }, log: 'a' }, { log: 'b' }],
      [{ update: {} }, { update: {} }],
      [{ create: {} }],
      [...bulkLines, { log: 'a' }],
      [...bulkLines, { index: {} }],
      [{ log: 'a' }, ...bulkLines],
      [{ index: {} }, 'a'],
    ]) {
      expect(isBulk(lines), JSON.stringify(lines)).to.equal(false);
    }
  });

  for (const [name, sentence] of [
    ['loki', /^is a push to Loki: use the output http/],
    ['cloudWatch', /^is a subscription event of CloudWatch Logs: send its list logEvents/],
    ['firehose', /^is a delivery of Amazon Data Firehose: send the decoded data/],
    ['azure', /^is an export of Azure diagnostic logs: send its list records/],
  ] as const) {
    it(`refuses a body of ${name} in every form, and says what to set instead`, async () => {
      for (const [what, form, body] of bodiesOf(envelopes[name]))
        expect(await errorOf(body, form), what).to.match(sentence);
    });
  }

  it('refuses a bulk request to Elasticsearch', async () => {
    for (const form of ['lines', 'values', null] as const) {
      expect(await errorOf(asLines(bulkLines), form)).to.match(
        /^is a bulk request to Elasticsearch: use the output http/,
      );
    }
  });

  it('refuses an envelope that exceeds the limits of a log entry', async () => {
    const [stream] = envelopes.loki.streams;
    const values = Array.from({ length: 6000 }, (_, line) => ['1777636800000000000', `line ${line}`]);
    expect(await errorOf(JSON.stringify({ streams: [{ ...stream, values }] }))).to.match(/Loki/);
    const records = Array.from({ length: 60 }, () => ({ data: 'YQ=='.repeat(10_000) }));
    expect(await errorOf(JSON.stringify({ ...envelopes.firehose, records }))).to.match(/Firehose/);
  });

  it('rejects an envelope beside log entries by itself', async () => {
    const list = await readBody(
      asLines([{ log: 'a' }, envelopes.loki, { index: { _id: '1' } }, { log: 'b' }]),
      'lines',
    );
    expect(list.positions).to.deep.equal([0, 2, 3]);
    expect(list.invalid[0])
      .to.have.nested.property('errors[0].error')
      .that.matches(/^is a push to Loki/);
  });

  it('counts a record that resembles an envelope as one entry', async () => {
    const records = [
      { streams: 3 },
      { records: [{ id: 1 }], table: 'users' },
      { requestId: 'a', timestamp: 1777636800000, records: 7 },
      { resourceLogs: [] },
      { message: 'a batch', ...envelopes.loki },
      { index: 3 },
    ];
    expect((await readBody(JSON.stringify(records), 'values')).valid).to.have.length(records.length);
  });

  it('counts each log record of OpenTelemetry, in every form', async () => {
    for (const [what, form, body, values] of bodiesOf(envelopes.otlp)) {
      const list = await readBody(body, form);
      expect([what, list.valid.length, list.timed, list.single]).to.deep.equal([what, 2 * values, values, false]);
      expect(list.valid.slice(0, 2).map(({ source, level }) => [source, level])).to.deep.equal([
        ['checkout', undefined],
        ['checkout', 'WARN'],
      ]);
    }
  });

  it('refuses a request of OpenTelemetry that is not valid', async () => {
    const [logs] = envelopes.otlp.resourceLogs;
    expect(await errorOf(JSON.stringify({ resourceLogs: [logs, 5] }))).to.match(
      /must have an object at resourceLogs\[1\]/,
    );
    const many = `{"resourceLogs":[{"scopeLogs":[{"logRecords":[${Array(81_921).fill('{}').join()}]}]}]}`;
    expect(await refusalOf(readBody(many, 'values'))).to.include({ code: 'PAYLOAD_TOO_LARGE' });
  });
});

import { expect } from 'chai';
import { BulkCheck, envelopeOf } from '../../../../shared/ingest/reading/envelopes.ts';
import { bulkLines, envelopes } from '../../../support/envelopes.ts';

const isBulk = (values: readonly unknown[]) => {
  const check = new BulkCheck();
  for (const value of values) check.add(value);
  return check.isBulkRequest;
};

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
});

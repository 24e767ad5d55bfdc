import { expect } from 'chai';
import { presentExport } from '../../../../api/ingest/otlp/otlp.routes.ts';
import { loadPriceBook } from '../../../../shared/cost/price-book.ts';
import { addLogRecords } from '../../../../shared/ingest/otlp/read-log-records.ts';
import { EntryList } from '../../../../shared/ingest/reading/entry-list.ts';
import { looseRules } from '../../../../shared/ingest/reading/loose-entry.ts';

const terms = { now: Date.UTC(2026, 5, 1), maxBytes: 1_000_000 };

describe('the response to log records', () => {
  it('has three reasons and the number of the others, of implausible times and of usages not understood', async () => {
    const text = { body: { stringValue: 'a' } };
    const logRecords = [
      ...Array.from({ length: 5 }, () => ({ body: 5 })),
      { ...text, timeUnixNano: '5000000' },
      { ...text, attributes: [{ key: 'gen_ai.usage.input_tokens', value: { intValue: -1 } }] },
    ];
    const list = new EntryList(looseRules(loadPriceBook(), terms.maxBytes));
    const body = JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] });
    await addLogRecords(list, Buffer.from(body), 'json', terms);
    const reason = (at: number) =>
      `resourceLogs[0].scopeLogs[0].logRecords[${at}] is not a valid LogRecord (expected object)`;
    expect(presentExport(list)).to.deep.equal({
      partialSuccess: {
        rejectedLogRecords: '5',
        errorMessage: `${[
          ...[0, 1, 2].map(reason),
          'and 2 more',
          'log records that count at their arrival, since they have an implausible time: 1',
          'log records with a usage that is not understood: 1',
        ].join('; ')}.`,
      },
    });
  });
});

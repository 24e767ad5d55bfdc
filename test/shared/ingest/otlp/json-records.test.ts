import { expect } from 'chai';
import { loadPriceBook } from '../../../../shared/cost/price-book.ts';
import { addLogRecords } from '../../../../shared/ingest/otlp/read-log-records.ts';
import { EntryList } from '../../../../shared/ingest/reading/entry-list.ts';
import { looseRules } from '../../../../shared/ingest/reading/loose-entry.ts';

const terms = { now: Date.UTC(2026, 5, 1), maxBytes: 1_000_000 };
const rules = looseRules(loadPriceBook(), terms.maxBytes);

/**
 * The entries of log records, each in the JSON that a sender writes; the reason of a rejected one.
 */
async function entriesOf(...records: readonly string[]): Promise<unknown[]> {
  const body = `{"resourceLogs":[{"scopeLogs":[{"logRecords":[${records.join(',')}]}]}]}`;
  const list = new EntryList(rules);
  await addLogRecords(list, Buffer.from(body), 'json', terms);
  const entries: unknown[] = list.invalid.map(({ errors }) => ({ errors }));
  for (const [at, position] of list.positions.entries()) entries.splice(position, 0, list.valid[at]);
  return entries;
}

const text = '"body":{"stringValue":"a"}';
const time = 1_777_636_800_123;

describe('log records in JSON', () => {
  it('has severities as names, numbers and numbers in text', async () => {
    const levels: [json: string, level: string | undefined][] = [
      ['"SEVERITY_NUMBER_INFO"', 'info'],
      ['"SEVERITY_NUMBER_ERROR3"', 'error'],
      ['"Warning"', 'warn'],
      ['"fatal"', 'fatal'],
      ['17.0', 'error'],
      ['"17"', 'error'],
      ['"NOTICE"', undefined],
      ['null', undefined],
    ];
    for (const [json, level] of levels) {
      const [entry] = await entriesOf(`{${text},"severityNumber":${json}}`);
      expect(entry, json).to.deep.equal({ message: 'a', ...(level && { level }) });
    }
  });

  it('has times as numbers, text and ISO 8601, and none where they are empty', async () => {
    const times: [json: string, timestamp: number | undefined][] = [
      ['1777636800123456789', time],
      ['1.777636800123456789e18', time],
      ['"1777636800123456789.0"', time],
      ['"2026-05-01T12:00:00.123Z"', time],
      ['""', undefined],
      ['0', undefined],
      ['null', undefined],
    ];
    for (const [json, timestamp] of times) {
      const [entry] = await entriesOf(`{${text},"timeUnixNano":${json}}`);
      expect(entry, json).to.deep.equal({ message: 'a', ...(timestamp && { timestamp }) });
    }
  });

  it('accepts odd ids and flags, which nothing reads', async () => {
    for (const odd of ['"traceId":"not hex!","spanId":"abc"', '"traceId":5', '"trace_id":[1]', '"flags":4294967296']) {
      expect(await entriesOf(`{${text},${odd}}`), odd).to.deep.equal([{ message: 'a' }]);
    }
  });

  it('accepts empty values', async () => {
    expect(await entriesOf(`{${text},"attributes":[null,{"key":"k"},{"key":"l","value":{}}]}`)).to.deep.equal([
      { message: 'a' },
    ]);
    const list = '{"body":{"arrayValue":{"values":[null,{},{"kvlistValue":{"values":[{"key":"k","value":null}]}}]}}}';
    expect(await entriesOf(list)).to.deep.equal([{ message: '[null,null,{"k":null}]', messagePath: 'body' }]);
  });

  it('keeps integers of 64 bits digit for digit, as numbers too', async () => {
    expect(await entriesOf('{"body":{"intValue":9007199254740993}}')).to.deep.equal([{ message: '9007199254740993' }]);
    const nested = '{"body":{"kvlistValue":{"values":[{"key":"k","value":{"intValue":-9223372036854775808}}]}}}';
    expect(await entriesOf(nested)).to.deep.equal([{ message: '{"k":-9223372036854775808}', messagePath: 'body' }]);
    const inText = JSON.stringify({ body: { stringValue: '{"intValue": 9007199254740993}' } });
    expect(await entriesOf(inText)).to.deep.equal([{ message: '{"intValue": 9007199254740993}' }]);
  });

  it('rejects records by themselves', async () => {
    const deep = `{"body":${'{"arrayValue":{"values":['.repeat(1000)}${']}}'.repeat(1000)}}`;
    const [first, second, third, last] = await entriesOf(`{${text},"severityText":5}`, `{${text}}`, 'null', deep);
    expect(first).to.have.nested.property('errors[0].error').that.includes('severityText');
    expect(second).to.deep.equal({ message: 'a' });
    expect(third).to.have.property('errors');
    expect(last).to.have.nested.property('errors[0].error').that.includes('nested too deeply');
  });
});

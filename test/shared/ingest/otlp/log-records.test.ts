import { expect } from 'chai';
import { loadPriceBook } from '../../../../shared/cost/price-book.ts';
import { addLogRecords } from '../../../../shared/ingest/otlp/read-log-records.ts';
import { EntryList } from '../../../../shared/ingest/reading/entry-list.ts';
import { looseRules } from '../../../../shared/ingest/reading/loose-entry.ts';
import { type Encoding, encode, requestOf } from '../../../support/otlp.ts';

const terms = { now: Date.UTC(2026, 5, 1), maxBytes: 1_000_000 };
const rules = looseRules(loadPriceBook(), terms.maxBytes);
const time = 1_777_636_800_123;

async function read(body: string | Buffer, encoding: Encoding = 'json'): Promise<EntryList> {
  const list = new EntryList(rules);
  await addLogRecords(list, Buffer.from(body as string), encoding, terms);
  return list;
}

/** The entry of a record, the same in both encodings; undefined if it has no message. */
async function entryOf(record: object, resource: object[] = [], scope: object[] = []) {
  const request = requestOf([record], { attributes: resource }, { attributes: scope });
  const { valid, invalid } = await read(encode(request, 'json'));
  expect(invalid).to.deep.equal([]);
  expect(valid).to.deep.equal((await read(encode(request, 'protobuf'), 'protobuf')).valid);
  return valid[0];
}

const body = { stringValue: 'a' };
const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });

/** The entries of log records in the JSON that a sender writes; the errors of a rejected one. */
async function entriesOf(...records: readonly string[]): Promise<unknown[]> {
  const list = await read(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[${records.join(',')}]}]}]}`);
  const entries: unknown[] = list.invalid.map(({ errors }) => ({ errors }));
  for (const [at, position] of list.positions.entries()) entries.splice(position, 0, list.valid[at]);
  return entries;
}

describe('the entry of a log record', () => {
  const bodies: readonly [body: object, message: string][] = [
    [{ stringValue: 'GET /cart 200' }, 'GET /cart 200'],
    [{ intValue: '9007199254740993' }, '9007199254740993'],
    [{ intValue: -1 }, '-1'],
    [{ doubleValue: 1.5 }, '1.5'],
    [{ doubleValue: 'NaN' }, '"NaN"'],
    [{ boolValue: false }, 'false'],
    [{ bytesValue: 'YWJj' }, 'YWJj'],
    [{ arrayValue: { values: [{ stringValue: 'a"' }, { intValue: 1 }, {}] } }, '["a\\"",1,null]'],
    [{ arrayValue: {} }, '[]'],
    [
      { kvlistValue: { values: [text('a', 'b'), { key: 'c', value: { bytesValue: 'ZA==' } }] } },
      '{"a":"b","c":"ZA=="}',
    ],
    [{ kvlistValue: { values: [{}] } }, '{"":null}'],
    [{ stringValue: 'a\0b\ufffdc' }, 'a\ufffdb\ufffdc'],
  ];
  it('has the body as its message: a text as it is, bytes in base64, everything else as compact JSON', async () => {
    for (const [of, message] of bodies) expect((await entryOf({ body: of }))?.message).to.equal(message);
    const [entry] = await entriesOf('{"body":{"stringValue":"a\\u0000b\\ud800c"}}');
    expect(entry).to.deep.equal({ message: 'a\ufffdb\ufffdc' });
  });

  it('has the attributes as its message if there is no body', async () => {
    const attributes = [text('event', 'login'), { key: 'n', value: { intValue: 1 } }];
    for (const of of [{}, { body: {} }])
      expect(await entryOf({ ...of, attributes })).to.deep.equal({
        message: '{"event":"login","n":1}',
        messagePath: '',
      });
    expect(await entryOf({})).to.equal(undefined);
  });

  it('does not exist without text', async () => {
    for (const stringValue of ['', ' \n\t', '\u00a0'])
      expect(await entryOf({ body: { stringValue }, attributes: [text('a', 'b')] })).to.equal(undefined);
  });

  it('is rejected by itself if it is not valid, or its message is larger than 256 KiB', async () => {
    const largest = 'é'.repeat(128 * 1024);
    expect((await entryOf({ body: { stringValue: largest } }))?.message).to.equal(largest);
    const deep = `{"body":${'{"arrayValue":{"values":['.repeat(1000)}${']}}'.repeat(1000)}}`;
    const records = [JSON.stringify({ body, severityText: 5 }), JSON.stringify({ body }), 'null', deep];
    const [first, second, ...others] = await entriesOf(
      ...records,
      JSON.stringify({ body: { stringValue: `${largest}a` } }),
    );
    const errorOf = (entry: unknown) => (entry as { errors: { error: string }[] }).errors[0]?.error;
    expect(errorOf(first)).to.include('severityText');
    expect(second).to.deep.equal({ message: 'a' });
    expect(others).to.have.length(3);
    expect(errorOf(others[0])).to.be.a('string');
    expect(errorOf(others[1])).to.include('nested too deeply');
    expect(errorOf(others[2])).to.equal('has a message that must be at most 262144 bytes of UTF-8');
  });

  it('has its level from the text of the severity, else from its number', async () => {
    const levelOf = async (record: object) => (await entryOf({ body, ...record }))?.level;
    expect(await levelOf({ severityText: 'Warning', severityNumber: 13 })).to.equal('Warning');
    expect(await levelOf({ severityText: '😀'.repeat(65) })).to.equal('😀'.repeat(64));
    expect(await levelOf({ severityText: '\0' })).to.equal('\ufffd');
    const numbers = { 1: 'trace', 4: 'trace', 5: 'debug', 9: 'info', 13: 'warn', 17: 'error', 24: 'fatal' };
    for (const [number, level] of Object.entries({ ...numbers, 0: undefined, 25: undefined, [-1]: undefined }))
      expect(await levelOf({ severityNumber: Number(number) }), number).to.equal(level);
    const inJson = { '"SEVERITY_NUMBER_INFO"': 'info', '"SEVERITY_NUMBER_ERROR3"': 'error', '"Warning"': 'warn' };
    const others = { '"fatal"': 'fatal', '17.0': 'error', '"17"': 'error', '"NOTICE"': undefined, null: undefined };
    for (const [json, level] of Object.entries({ ...inJson, ...others })) {
      const [entry] = await entriesOf(`{"body":{"stringValue":"a"},"severityNumber":${json}}`);
      expect(entry, json).to.deep.equal({ message: 'a', ...(level && { level }) });
    }
  });

  it('has the time of the event, else that of its observation, from 1990 to a day ahead', async () => {
    const tomorrow = terms.now + 86_400_000;
    const times: readonly [event: string, observed: string, time: number | undefined][] = [
      ['1777636800123999999', '1', time],
      ['0', '1777636800123000000', time],
      ['0', '0', undefined],
      ['1', '1777636800123000000', time],
      [`${tomorrow}000000`, '0', tomorrow],
      [`${tomorrow + 1}000000`, '0', undefined],
      ['631152000000000000', '0', Date.UTC(1990, 0, 1)],
      ['631151999999000000', '0', undefined],
      ['18446744073709551615', '0', undefined],
    ];
    for (const [timeUnixNano, observedTimeUnixNano, timestamp] of times)
      expect((await entryOf({ body, timeUnixNano, observedTimeUnixNano }))?.timestamp).to.equal(timestamp);
    const forms = [
      '1777636800123456789',
      '1.777636800123456789e18',
      '"1777636800123456789.0"',
      '"2026-05-01T12:00:00.123Z"',
    ];
    for (const json of [...forms, '""', '0', 'null']) {
      const [entry] = await entriesOf(`{"body":{"stringValue":"a"},"timeUnixNano":${json}}`);
      expect(entry, json).to.deep.equal({ message: 'a', ...(forms.includes(json) && { timestamp: time }) });
    }
  });

  it('has its source from service.name of the resource, else from host.name', async () => {
    const sourceOf = async (...attributes: object[]) => (await entryOf({ body }, attributes))?.source;
    expect(await sourceOf(text('host.name', 'web-1'), text('service.name', 'cart'))).to.equal('cart');
    expect(await sourceOf(text('host.name', 'web-1'), text('service.name', ''))).to.equal('web-1');
    expect(await sourceOf({ key: 'service.name', value: { intValue: 7 } })).to.equal('7');
    expect(await sourceOf(text('service.name', 'a'.repeat(300)))).to.equal('a'.repeat(256));
    expect(await sourceOf(text('service.name', 'a\0'))).to.equal('a\ufffd');
    expect(await sourceOf(text('other', 'a'))).to.equal(undefined);
  });

  it('has the usage of its attributes, at all places of a record and in numbers of any kind', async () => {
    const map = (key: string, values: object[]) => ({ key, value: { kvlistValue: { values } } });
    const count = (key: string, doubleValue: number) => ({ key, value: { doubleValue } });
    const gemini = [count('promptTokenCount', 40), count('candidatesTokenCount', 7)];
    const response = [map('usage', [count('inputTokens', 40), count('outputTokens', 7)])];
    const log = [
      text('schemaType', 'ModelInvocationLog'),
      map('input', [count('inputTokenCount', 40)]),
      map('output', [count('outputTokenCount', 7)]),
    ];
    for (const attributes of [[map('usageMetadata', gemini)], [map('response', response)], log])
      expect((await entryOf({ body, attributes }))?.usage).to.deep.equal({ input_tokens: 40, output_tokens: 7 });
  });

  it('counts the attributes of resource, scope and record, up to 16 KiB', async () => {
    const bytesOf = async (attributes: object[], ...origin: object[][]) =>
      (await entryOf({ body, attributes }, ...origin))?.attributeBytes;
    const origin = [[text('é', 'ab')], [{ key: 's', value: { boolValue: true } }]];
    const ofOrigin = 2 + 6 + 2 + 1 + 6 + 4;
    expect(await bytesOf([], ...origin)).to.equal(ofOrigin);
    const nested = { key: 'n', value: { arrayValue: { values: [{ intValue: 1 }, { stringValue: 'b' }] } } };
    expect(await bytesOf([nested], ...origin)).to.equal(ofOrigin + 1 + 6 + '[1,"b"]'.length);
    const large = text('k', 'v'.repeat(20_000));
    expect(await bytesOf([large], ...origin)).to.equal(16 * 1024);
    expect(await bytesOf([], [large], [large])).to.equal(16 * 1024);
  });

  it('accepts odd ids and flags, which nothing reads, and empty values', async () => {
    const odd = ['"traceId":"not hex!","spanId":"abc"', '"traceId":5', '"trace_id":[1]', '"flags":4294967296'];
    for (const more of [...odd, '"attributes":[null,{"key":"k"},{"key":"l","value":{}}]'])
      expect(await entriesOf(`{"body":{"stringValue":"a"},${more}}`), more).to.deep.equal([{ message: 'a' }]);
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
});

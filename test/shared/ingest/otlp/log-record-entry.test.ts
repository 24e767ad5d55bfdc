import { expect } from 'chai';
import { loadPriceBook } from '../../../../shared/cost/price-book.ts';
import { createUsageReader } from '../../../../shared/ingest/model-usage/read-model-usage.ts';
import { type Attributed, type LogRecord, otlpType } from '../../../../shared/ingest/otlp/otlp-schema.ts';
import {
  entryOfRecord,
  originOf,
  type RecordOrigin,
  withScope,
} from '../../../../shared/ingest/otlp/read-log-records.ts';

const [logRecord, resource] = [otlpType('LogRecord'), otlpType('Resource')];

const terms = { usageReader: createUsageReader(loadPriceBook()), now: Date.UTC(2026, 5, 1) };

const noOrigin: RecordOrigin = { source: null, attributeBytes: 0, fields: '' };
const recordOf = (record: object) => logRecord.fromObject(record) as LogRecord;
const attributed = (attributes: object[]) => resource.fromObject({ attributes }) as Attributed;
const resourceOrigin = (attributes: object[], ofScope: object[] = []) =>
  withScope(originOf(attributed(attributes)), attributed(ofScope)) as RecordOrigin;
const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });

/** The entry of a record; null if it has no message. */
function entryOf(record: object, origin = noOrigin) {
  const result = entryOfRecord(recordOf(record), origin, terms);
  if (result === 'blank') return null;
  if (!('value' in result)) throw new Error(JSON.stringify(result));
  return result.value;
}

const messageOf = (body: object | undefined, attributes: object[] = []) =>
  entryOf({ ...(body && { body }), attributes })?.message ?? null;

describe('the entry of a log record', () => {
  it('has the body as its message: a text as it is, bytes in base64, everything else as compact JSON', () => {
    for (const [body, message] of [
      [{ stringValue: 'GET /cart 200' }, 'GET /cart 200'],
      [{ intValue: '9007199254740993' }, '9007199254740993'],
      [{ intValue: -1 }, '-1'],
      [{ doubleValue: 1.5 }, '1.5'],
      [{ doubleValue: Number.NaN }, '"NaN"'],
      [{ boolValue: false }, 'false'],
      [{ bytesValue: Buffer.from('abc') }, 'YWJj'],
      [{ arrayValue: { values: [{ stringValue: 'a"' }, { intValue: 1 }, {}] } }, '["a\\"",1,null]'],
      [{ arrayValue: {} }, '[]'],
      [
        { kvlistValue: { values: [text('a', 'b'), { key: 'c', value: { bytesValue: Buffer.from('d') } }, {}] } },
        '{"a":"b","c":"ZA==","":null}',
      ],
    ] as const) {
      expect(messageOf(body)).to.equal(message);
    }
  });

  it('has the attributes as its message if there is no body', () => {
    const attributes = [text('event', 'login'), { key: 'n', value: { intValue: 1 } }];
    expect(messageOf(undefined, attributes)).to.equal('{"event":"login","n":1}');
    expect(messageOf({}, attributes)).to.equal('{"event":"login","n":1}');
    expect(entryOf({ attributes })).not.to.have.property('attributeBytes');
    expect(messageOf(undefined)).to.equal(null);
  });

  it('does not exist without text', () => {
    for (const stringValue of ['', ' \n\t', '\u00a0'])
      expect(messageOf({ stringValue }, [text('a', 'b')])).to.equal(null);
  });

  it('has U+FFFD in place of NUL characters and unpaired surrogates', () => {
    expect(messageOf({ stringValue: 'a\0b\ud800c' })).to.equal('a\ufffdb\ufffdc');
    const origin = resourceOrigin([text('service.name', 'a\0')]);
    expect(entryOf({ body: { stringValue: 'a' }, severityText: '\0' }, origin)).to.include({
      source: 'a\ufffd',
      level: '\ufffd',
    });
  });

  it('is rejected if its message is larger than 256 KiB', () => {
    const largest = 'é'.repeat(128 * 1024);
    expect(messageOf({ stringValue: largest })).to.equal(largest);
    expect(entryOfRecord(recordOf({ body: { stringValue: `${largest}a` } }), noOrigin, terms)).to.deep.equal({
      rejected: 'has a message that must be at most 262144 bytes of UTF-8',
    });
  });

  it('has its level from the text of the severity, else from its number', () => {
    const levelOf = (record: object) => entryOf({ body: { stringValue: 'a' }, ...record })?.level;
    expect(levelOf({ severityText: 'Warning', severityNumber: 13 })).to.equal('Warning');
    expect(levelOf({ severityText: '😀'.repeat(65) })).to.equal('😀'.repeat(64));
    for (const [number, level] of [
      [0, undefined],
      [1, 'trace'],
      [4, 'trace'],
      [5, 'debug'],
      [9, 'info'],
      [13, 'warn'],
      [17, 'error'],
      [24, 'fatal'],
      [25, undefined],
      [-1, undefined],
    ] as const) {
      expect(levelOf({ severityNumber: number }), String(number)).to.equal(level);
    }
  });

  it('has the time of the event, else that of its observation, from 1990 to a day ahead', () => {
    const timeOf = (record: object) => entryOf({ body: { stringValue: 'a' }, ...record })?.timestamp;
    expect(timeOf({ timeUnixNano: '1777636800123999999', observedTimeUnixNano: '1' })).to.equal(1_777_636_800_123);
    expect(timeOf({ observedTimeUnixNano: '1777636800123000000' })).to.equal(1_777_636_800_123);
    expect(timeOf({})).to.equal(undefined);
    expect(timeOf({ timeUnixNano: '1', observedTimeUnixNano: '1777636800123000000' })).to.equal(1_777_636_800_123);
    const tomorrow = terms.now + 86_400_000;
    expect(timeOf({ timeUnixNano: `${tomorrow}000000` })).to.equal(tomorrow);
    expect(timeOf({ timeUnixNano: `${tomorrow + 1}000000` })).to.equal(undefined);
    expect(timeOf({ timeUnixNano: '631152000000000000' })).to.equal(Date.UTC(1990, 0, 1));
    expect(timeOf({ timeUnixNano: '631151999999000000' })).to.equal(undefined);
    expect(timeOf({ timeUnixNano: '18446744073709551615' })).to.equal(undefined);
  });

  it('has its source from service.name of the resource, else from host.name', () => {
    const sourceOf = (...attributes: object[]) => resourceOrigin(attributes).source;
    expect(sourceOf(text('host.name', 'web-1'), text('service.name', 'cart'))).to.equal('cart');
    expect(sourceOf(text('host.name', 'web-1'), text('service.name', ''))).to.equal('web-1');
    expect(sourceOf({ key: 'service.name', value: { intValue: 7 } })).to.equal('7');
    expect(sourceOf(text('service.name', 'a'.repeat(300)))).to.equal('a'.repeat(256));
    expect(sourceOf(text('other', 'a'))).to.equal(null);
  });

  it('has the usage of its attributes, at all places of a record and in numbers of any kind', () => {
    const map = (key: string, values: object[]) => ({ key, value: { kvlistValue: { values } } });
    const count = (key: string, doubleValue: number) => ({ key, value: { doubleValue } });
    const gemini = [count('promptTokenCount', 40), count('candidatesTokenCount', 7)];
    const response = [map('usage', [count('inputTokens', 40), count('outputTokens', 7)])];
    const log = [
      text('schemaType', 'ModelInvocationLog'),
      map('input', [count('inputTokenCount', 40)]),
      map('output', [count('outputTokenCount', 7)]),
    ];
    for (const attributes of [[map('usageMetadata', gemini)], [map('response', response)], log]) {
      const sent = logRecord.decode(logRecord.encode(recordOf({ body: { stringValue: 'call' }, attributes })).finish());
      expect(entryOf(sent)?.usage).to.deep.equal({ input_tokens: 40, output_tokens: 7 });
    }
  });

  it('counts the attributes of resource, scope and record, up to 16 KiB', () => {
    const origin = resourceOrigin([text('é', 'ab')], [{ key: 's', value: { boolValue: true } }]);
    expect(origin.attributeBytes).to.equal(2 + 6 + 2 + 1 + 6 + 4);
    const body = { stringValue: 'a' };
    const nested = { key: 'n', value: { arrayValue: { values: [{ intValue: 1 }, { stringValue: 'b' }] } } };
    expect(entryOf({ body, attributes: [nested] }, origin)?.attributeBytes).to.equal(21 + 1 + 6 + '[1,"b"]'.length);
    const large = text('k', 'v'.repeat(20_000));
    expect(entryOf({ body, attributes: [large] }, origin)?.attributeBytes).to.equal(16 * 1024);
    expect(resourceOrigin([large], [large]).attributeBytes).to.be.at.least(16 * 1024);
  });
});

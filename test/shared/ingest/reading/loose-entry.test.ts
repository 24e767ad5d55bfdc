import { expect } from 'chai';
import { loadPriceBook } from '../../../../shared/cost/price-book.ts';
import { createUsageReader } from '../../../../shared/ingest/model-usage/read-model-usage.ts';
import { attributeBytesOf, readLooseEntry } from '../../../../shared/ingest/reading/loose-entry.ts';
import values from './loose-values.json' with { type: 'json' };
import tools from './records-of-tools.json' with { type: 'json' };

const terms = { readUsage: createUsageReader(loadPriceBook()), now: Date.UTC(2026, 5, 1) };
const read = (record: unknown) => readLooseEntry(record, { ...terms, text: JSON.stringify(record) });
const valueOf = (record: unknown) => {
  const entry = read(record);
  if (entry === 'blank' || !('value' in entry)) throw new TypeError(`${JSON.stringify(entry)} is not an entry`);
  return entry.value;
};

/**
 * The default request of each tool, the parts of it that are read, and its attributes, as names and
 * texts.
 */
const recordsOfTools: Record<string, { record: object; entry: object; attributes?: Record<string, string> }> = tools;

describe('the reading of loose entries', () => {
  for (const [tool, { record, entry, attributes = {} }] of Object.entries(recordsOfTools)) {
    it(`reads a record of ${tool}`, () => {
      const sizes = Object.entries(attributes).map(([name, text]) => name.length + text.length + 6);
      const attributeBytes = sizes.reduce((sum, size) => sum + size, 0);
      expect({ attributeBytes: 0, ...valueOf(record) }).to.deep.equal({ attributeBytes, ...entry });
    });
  }

  it('takes the whole record as the message where none is named, and counts its fields only once', () => {
    const record = { event: 'login', user: { id: 7 }, level: 20 };
    expect(valueOf(record)).to.deep.equal({ message: JSON.stringify(record), messagePath: '', level: 'debug' });
    expect(valueOf({ event: { original: 'the line', kind: 'x' } }).message).to.equal('the line');
    expect(valueOf({}).message).to.equal('{}');
  });

  it('takes a record or a message that is not a text as it was sent, but for white space', () => {
    for (const [text = '', message = ''] of values.sent) {
      const entry = readLooseEntry(JSON.parse(text), { ...terms, text });
      expect(entry, text).to.have.nested.property('value.message', message);
    }
  });

  it('rejects JSON that is neither a record nor a text', () => {
    for (const [record, kind] of Object.entries({ 7: 'a number', true: 'a boolean', null: 'null' })) {
      const errors = [{ field: 'body', error: `must be an object or a text, not ${kind}` }];
      expect(read(JSON.parse(record))).to.deep.equal({ errors });
    }
  });

  it('skips messages of nothing but white space', () => {
    for (const message of ['', ' ', '\n', '\t\r\n\u00a0'])
      expect(read({ log: message, stream: 'stdout' })).to.equal('blank');
  });

  it('refuses a message over 256 KiB only', () => {
    expect(valueOf({ message: 'é'.repeat(131_072) }).message).to.have.length(131_072);
    const errors = [{ field: 'message', error: 'must be at most 262144 bytes of UTF-8' }];
    expect(read({ message: 'é'.repeat(131_073) })).to.deep.equal({ errors });
    expect(read({ message: 'a'.repeat(262_145) })).to.deep.equal({ errors });
  });

  it('reads times in every unit, and leaves out what is no time', () => {
    for (const [time, expected] of values.times) {
      expect(valueOf({ message: 'a', time }).timestamp ?? null, JSON.stringify(time)).to.equal(expected);
    }
  });

  it('names the numbers of levels', () => {
    for (const [level, expected] of values.levels)
      expect(valueOf({ message: 'a', level }).level ?? null).to.equal(expected);
  });

  it('cuts what is too long, and replaces what is no text', () => {
    const value = valueOf({ message: 'a\u0000b\ud800', source: '😀'.repeat(300), level: 'l'.repeat(70) });
    expect(value).to.deep.include({ message: 'a\ufffdb\ufffd', source: '😀'.repeat(256), level: 'l'.repeat(64) });
  });

  it('takes a usage of a model call, and counts any other usage as an attribute', () => {
    const usage = { input_tokens: 7 };
    expect(valueOf({ message: 'a', usage })).to.deep.equal({ message: 'a', usage, attributeBytes: 0 });
    expect(valueOf({ message: 'a', usage: { cpu: 1 } }).attributeBytes).to.equal('usage{"cpu":1}'.length + 6);
  });

  it('reads the model and the profile of a call, and keeps a name that it cannot resolve', () => {
    const usage = { inputTokens: 40, outputTokens: 2 };
    const counts = { input_tokens: 40, output_tokens: 2 };
    const known = { ...counts, model: 'anthropic.claude-sonnet-4-6', profile: 'geo' };
    expect(valueOf({ message: 'a', usage, modelId: 'us.anthropic.claude-sonnet-4-6' }).usage).to.deep.equal(known);
    const unknown = { ...counts, unknown_model: 'gpt-4o' };
    expect(valueOf({ message: 'a', usage, model: 'gpt-4o' }).usage).to.deep.equal(unknown);
  });

  it('marks a usage that it does not understand, and counts it as an attribute', () => {
    const usage = { input_tokens: -7 };
    expect(valueOf({ message: 'a', usage })).to.deep.equal({
      message: 'a',
      usageUnread: true,
      attributeBytes: 'usage{"input_tokens":-7}'.length + 6,
    });
  });

  it('marks counts of tokens at other places, unless the entry has a usage that is read', () => {
    const tokens = { prompt_tokens: 40, completion_tokens: 7 };
    for (const record of [{ llm: { usage: tokens } }, { attributes: tokens }, { calls: [tokens] }]) {
      expect(valueOf({ message: 'a', ...record }).usageUnread, JSON.stringify(record)).to.equal(true);
      expect(valueOf({ message: JSON.stringify(record) }).usageUnread, JSON.stringify(record)).to.equal(true);
      expect(valueOf({ message: 'a', usage: tokens, ...record })).not.to.have.property('usageUnread');
      const inMessage = JSON.stringify({ usage: tokens });
      expect(valueOf({ message: inMessage, ...record })).not.to.have.property('usageUnread');
    }
    for (const record of [{ user: { token: 'abc' } }, { limits: { max_tokens: 5, input_tokens: 5 } }]) {
      expect(valueOf({ message: 'a', ...record })).not.to.have.property('usageUnread');
    }
  });

  it('reads the usage of a message that is a record in JSON', () => {
    const log = JSON.stringify({ usage: { prompt_tokens: 5, completion_tokens: 6 }, model: 'gpt-5.5' });
    const usage = { input_tokens: 5, output_tokens: 6, model: 'openai.gpt-5.5' };
    expect(valueOf({ log, stream: 'stdout' }).usage).to.deep.equal(usage);
    expect(valueOf({ log: '{"input_tokens": ', stream: 'stdout' }).usage).to.equal(undefined);
  });

  it('counts attributes up to 16 KiB, those named after parts of objects too', () => {
    const counted = attributeBytesOf(Object.entries({ é: 'ü', n: null, f: false }));
    expect(counted).to.equal(2 + 2 + 6 + 'ffalse'.length + 6);
    expect(attributeBytesOf([['a', 'x'.repeat(20_000)]])).to.equal(16_384);
    const record = JSON.parse('{"message":"a","__proto__":{"message":"b"},"constructor":1,"toString":"t"}');
    expect(valueOf(record)).to.deep.equal({
      message: 'a',
      attributeBytes: '__proto__{"message":"b"}constructor1toStringt'.length + 3 * 6,
    });
  });
});

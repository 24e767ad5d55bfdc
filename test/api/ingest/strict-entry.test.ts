import { expect } from 'chai';
import { loadPriceBook } from '../../../shared/cost/price-book.ts';
import { fieldErrorsOf } from '../../../shared/ingest/reading/entry-list.ts';
import { readBody, refusalOf } from '../../support/read-body.ts';
import refused from './refused-entries.json' with { type: 'json' };

/** A description, a body, and the fields that the error must name. */
const bodies: [string, unknown, string[]][] = [
  ...refused.map(({ what, body, fields }): [string, unknown, string[]] => [what, body, fields]),
  ['a NUL character', '{"message":"a\\u0000b"}', ['message']],
  ['a lone surrogate', '{"message":"a\\udc00"}', ['message']],
  ['deeply nested values', `{"message":"\\u0041","attributes":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, ['body']],
  [
    'a hundred thousand fields',
    Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`f${index}`, 1])),
    ['body'],
  ],
  [
    'a hundred thousand attributes',
    { message: 'a', attributes: Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`a${index}`, []])) },
    ['body'],
  ],
  [
    'NUL characters together with other errors',
    '[{"message":"a\\u0000"},{"message":"","level":"\\u0000"}]',
    ['[0].message', '[1].level', '[1].message'],
  ],
  ['a hundred thousand items in a list', `{"message":"a","attributes":{"b":[${'1,'.repeat(100_000)}0]}}`, ['body']],
  [
    'nine hundred NUL characters, and names twenty',
    `{"message":"a","attributes":{"b":[${'"\\u0000",'.repeat(900)}0]}}`,
    Array.from({ length: 20 }, (_, index) => `attributes.b[${index}]`),
  ],
  ['a time more than a day ahead', { message: 'a', timestamp: Date.now() + 25 * 3_600_000 }, ['timestamp']],
  ['1,001 entries', Array.from({ length: 1001 }, () => ({ message: 'a' })), ['body']],
  ['invalid JSON', '{"message": "a"', ['body']],
  ['a number', '5', ['body']],
  ['a blank body', '   ', ['body']],
];

/** The errors of a body in JSON, by field. */
async function errorsOf(body: unknown): Promise<Record<string, string>> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const list = await readBody(text, 'values', { fields: 'strict' }).catch(() => undefined);
  const errors = list ? fieldErrorsOf(list) : (await refusalOf(readBody(text, 'values', { fields: 'strict' }))).errors;
  return Object.fromEntries(errors.map(({ field, error }) => [field, error]));
}

const valueOf = async (entry: object) =>
  (await readBody(JSON.stringify(entry), 'values', { fields: 'strict' })).valid[0];

describe('strict entries', () => {
  for (const [what, body, fields] of bodies) {
    it(`refuses ${what}`, async () => {
      expect(Object.keys(await errorsOf(body))).to.deep.equal(fields);
    });
  }

  it('says what is wrong with each field, and what is accepted', async () => {
    const known = 'is unknown; known are message, timestamp, source, level, usage, attributes';
    const usage = { function_memory_mb: 127, function_duration_ms: '5', input_tokens: 1.5 };
    const time = 'must be an ISO 8601 time or a Unix time, from 1990 to 24 h ahead of now, not "yesterday"';
    const scalar = 'must be a string, a number or a boolean, not';
    const usageErrors = {
      'usage.function_duration_ms': 'must be a number, not "5"',
      'usage.function_memory_mb': 'must be at least 128, not 127',
      'usage.input_tokens': 'must be an integer, not 1.5',
    };
    for (const [entry, errors] of [
      [{}, { message: 'is required' }],
      [
        { message: '', host: 1 },
        { host: known, message: 'is not allowed to be empty' },
      ],
      [{ message: 5 }, { message: 'must be a string, not a number' }],
      [{ message: 'é'.repeat(131_073) }, { message: 'must be at most 262144 bytes of UTF-8' }],
      [{ message: 'a', msg: 'b' }, { message: 'must be sent once, as message, log or msg' }],
      [{ message: 'a', source: '😀'.repeat(257) }, { source: 'must be at most 256 characters long' }],
      [{ message: 'a', timestamp: 'yesterday' }, { timestamp: time }],
      [{ message: 'a', attributes: { 'b\nc': null } }, { 'attributes.b\\u000ac': `${scalar} null` }],
      [{ message: 'a', attributes: { constructor: [] } }, { 'attributes.constructor': `${scalar} a list` }],
      [{ message: 'a', usage }, usageErrors],
      [[null], { '[0]': 'must be an object, not null' }],
    ] as const) {
      expect(await errorsOf(entry), JSON.stringify(entry)).to.deep.equal(errors);
    }
  });

  it('accepts a usage in any form, and says why one is not understood', async () => {
    const call = { input_tokens: 40, cache_read_input_tokens: 1000, cache_creation_input_tokens: 30, output_tokens: 7 };
    const counts = { input_tokens: 40, cache_read_tokens: 1000, cache_write_tokens: 30, output_tokens: 7 };
    const counted = { ...counts, model: 'anthropic.claude-sonnet-4-6', profile: 'geo' };
    const model = `us.${counted.model}`;
    expect((await valueOf({ message: 'a', usage: { ...call, model } }))?.usage).to.deep.equal(counted);
    const [own = ''] = loadPriceBook().modelIds;
    const usage = { function_memory_mb: 512, output_tokens: 7, model: own };
    expect((await valueOf({ message: 'a', usage }))?.usage).to.deep.equal(usage);
    const attributes = { 'gen_ai.usage.input_tokens': 5, 'gen_ai.usage.output_tokens': 6 };
    const both = { function_memory_mb: 512, input_tokens: 5, output_tokens: 6 };
    expect((await valueOf({ message: 'a', usage: { function_memory_mb: 512 }, attributes }))?.usage).to.deep.equal(
      both,
    );
    for (const [part, field, reason] of [
      [{ usage: { inputTokens: 1.5, outputTokens: 7 } }, 'usage', /Anthropic Messages, .*Gemini.*LangChain/],
      [{ usage: { tokens_in: 4 } }, 'usage', /names of no known form.*Bedrock Converse/],
      [{ usage: { ...call, model: 'claude-3-5-sonnet' } }, 'usage.model', /did you mean .*claude-3-5-sonnet/],
      [{ attributes: { 'gen_ai.usage.output_tokens': 5 } }, 'usage', /no number of input tokens/],
    ] as const) {
      const errors = await errorsOf({ message: 'a', ...part });
      expect(Object.keys(errors)).to.deep.equal([field]);
      expect(errors[field]).to.match(reason);
    }
  });

  it('converts aliases and times, and has the fields that are scanned', async () => {
    expect(await valueOf({ log: 'a', timestamp: '2026-05-01', level: 'x'.repeat(64) })).to.deep.equal({
      message: 'a',
      timestamp: Date.UTC(2026, 4, 1),
      level: 'x'.repeat(64),
    });
    const attributes = { ключ: 'é', ok: true, n: -1.5e21, long: 'x'.repeat(20_000) };
    const counted = 8 + 2 + 'oktrue'.length + 'n-1.5e+21'.length + 'long'.length + 20_000 + 4 * 6;
    expect(await valueOf({ message: 'a', attributes })).to.include({ attributeBytes: counted });
    const text = '{"message":"a","attributes":{"card_no":6222021234567890003}}';
    const list = await readBody(text, 'values', { fields: 'strict' });
    expect(list.valid[0]?.fields).to.equal('{"attributes":{"card_no":6222021234567890003}}');
  });

  it('names every entry at fault, and all errors of the first only', async () => {
    const list = Array.from({ length: 1000 }, () => ({ source: 1, level: 2 }));
    const fields = Object.keys(await errorsOf(list));
    expect(fields.slice(0, 3)).to.deep.equal(['[0].message', '[0].source', '[0].level']);
    expect(new Set(fields.map((field) => field.slice(0, field.indexOf(']')))).size).to.equal(1000);
    expect(fields.length).to.be.lessThan(1020);
  });

  it('refuses bytes that are not UTF-8, and names a line of NDJSON that is not JSON', async () => {
    const broken = Buffer.from('{"message":"\xff"}', 'latin1');
    expect((await refusalOf(readBody(broken, 'values', { fields: 'strict' }))).errors).to.deep.equal([
      { field: 'body', error: 'must be valid UTF-8' },
    ]);
    const lines = await readBody('{"message":"a"}\n{"message":\n{"message":"c"}\n', 'lines', { fields: 'strict' });
    expect(fieldErrorsOf(lines).map(({ field }) => field)).to.deep.equal(['[1]']);
  });
});

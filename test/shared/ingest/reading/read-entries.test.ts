import { expect } from 'chai';
import { readBody, refusalOf } from '../../../support/read-body.ts';

const call = { input_tokens: 40, cache_read_input_tokens: 1000, cache_creation_input_tokens: 30, output_tokens: 7 };

describe('the entries of a loose body', () => {
  it('loses no entry beside one that is broken', async () => {
    const broken: [string, string, number, number][] = [
      ['a line that is cut off', '{"log":"a"}\n{"log":"b\n{"log":"c"}\n', 2, 1],
      ['an object that is cut off', '{"log":"a"}\n{"log":{"b":1\n{"log":"c"}\n{"log":"d"}\n', 3, 1],
      ['a line that is no JSON', '{"log":"a"}\nstarted\n{"log":"c"}', 2, 1],
      ['a list that is cut off', '[{"log":"a"},{"log":"b"},{"log":', 2, 1],
      ['an item that is no JSON', '[{"log":"a"},started,{"log":"b"}]', 2, 1],
      ['too many brackets', `{"log":"a"}\n${'['.repeat(1000)}\n{"log":"c"}`, 2, 1],
      ['a level too deep', `{"log":"a"}{"b":${'['.repeat(1000)}${']'.repeat(1000)}}{"log":"c"}`, 2, 1],
      ['10,001 fields', `[{${Array.from({ length: 10_001 }, (_, n) => `"f${n}":1`).join()}},{"log":"a"}]`, 1, 1],
      ['10,000 fields', `[{${Array.from({ length: 10_000 }, (_, n) => `"f${n}":1`).join()}},{"log":"a"}]`, 2, 0],
      ['4 MB of one value', `{"log":"a"}\n{"x":"${'x'.repeat(4_000_000)}"}\n{"log":"b"}`, 2, 1],
      ['2.2 MB beside a message', `{"log":"a","x":"${'x'.repeat(2_200_000)}"}{"log":"b"}`, 1, 1],
      ['a prototype', '{"log":"a","__proto__":{"log":"b"}}{"constructor":{"prototype":1}}', 2, 0],
      ['halves of characters', '{"log":"a\\ud800\\u0000"}', 1, 0],
    ];
    for (const [what, body, accepted, rejected] of broken) {
      for (const form of ['values', 'lines'] as const) {
        // Only the form of a JSON body goes on after the end of a line.
        if (form === 'lines' && body.startsWith('[')) continue;
        const { valid, invalid } = await readBody(body, form);
        expect([what, valid.length, invalid.length]).to.deep.equal([what, accepted, rejected]);
      }
    }
    const latin1 = await readBody(Buffer.from('{"log":"caf\u00e9"}', 'latin1'), 'values');
    expect(latin1.valid).to.deep.equal([{ message: 'caf\ufffd', attributeBytes: 0 }]);
  });

  it('knows whether one entry was sent, and counts blank ones', async () => {
    expect(await readBody('{"log":"a"}', 'values')).to.include({ single: true });
    for (const body of ['[{"log":"a"}]', '{"log":"a"}{"log":"b"}']) {
      expect(await readBody(body, 'values')).to.include({ single: false });
    }
    expect(await readBody('{"log":"a"}\n', 'lines')).to.include({ single: false });
    expect(await readBody('[{"log":""},{"log":"\\n"},"b"]', 'values')).to.include({ blank: 2 });
    expect(await readBody('[]', 'values')).to.include({ count: 0, single: false });
    const record = '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"a"}}]}]}]}';
    expect(await readBody(record, 'values')).to.include({ count: 1, single: false });
  });

  it('refuses a body of which nothing can be read', async () => {
    for (const [body, error] of [
      ['', /is required/],
      [' \n', /is required/],
      ['started', /is text, not JSON/],
      ['started\n{"message":"a"}', /is text, not JSON/],
      ['{"log":"a', /must be valid JSON: line 1, column 10 has the end/],
    ] as const) {
      expect((await refusalOf(readBody(body, 'values'))).errors[0]?.error, body).to.match(error);
    }
    expect((await refusalOf(readBody('{}'.repeat(81_921), 'values'))).code).to.equal('PAYLOAD_TOO_LARGE');
  });

  it('reads the usage of a model call in JSON, NDJSON, text and a message in JSON', async () => {
    const record = { msg: 'llm call', usage: call, model: 'us.anthropic.claude-sonnet-4-6' };
    const line = JSON.stringify(record);
    for (const [body, form] of [
      [`[${line}]`, 'values'],
      [line, 'lines'],
      [line, 'text'],
      [JSON.stringify({ log: line, stream: 'stdout' }), 'values'],
    ] as const) {
      const list = await readBody(body, form);
      expect(list.valid[0]?.usage, form).to.deep.equal({
        input_tokens: 40,
        cache_read_tokens: 1000,
        cache_write_tokens: 30,
        output_tokens: 7,
        model: 'anthropic.claude-sonnet-4-6',
        profile: 'geo',
      });
    }
    const unread = await readBody('{"msg":"llm call","usage":{"input_tokens":-1}}', 'values');
    expect(unread).to.include({ usageUnread: 1 });
  });
});

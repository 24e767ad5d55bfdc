import { expect } from 'chai';
import { losslessJson } from '../../../../workers/notebooks/backends/jupyter-file.ts';

describe('losslessJson', () => {
  const json = losslessJson();

  it('preserves the spelling of every number, and all strings', () => {
    for (const text of [
      '{"big":12345678901234567890,"whole":1.0,"small":1e-07,"minus":-0.0,"list":[1,-2E+3,0.10]}',
      '{"not":NaN,"far":[Infinity,-Infinity]}',
      '["7.0","NaN","\\"8.0\\" and 9.0","\\\\",10,"a\\\\\\"b 11"]',
      '{"1":{"2.0":"x"},"true":true,"null":null}',
      '12',
    ]) {
      expect(json.stringify(json.parse(text))).to.equal(text);
    }
  });

  it('rejects malformed JSON', () => {
    for (const text of [
      '',
      '{"a":1',
      '{"a" 1}',
      '"a',
      'nothing',
      '[1 2]',
      '{"a":1}}',
      '[01]',
      '[1-2]',
      '[1.2.3]',
      '[1.]',
      '[+1]',
      '[1e]',
      '[-]',
    ]) {
      expect(() => json.parse(text), text).to.throw(SyntaxError);
    }
  });

  it('does not parse a number as a string', () => {
    expect(json.parse('[1.0, 12345678901234567890, "1.0"]')).to.satisfy(
      ([whole, big, text]: unknown[]) => typeof whole !== 'string' && typeof big !== 'string' && text === '1.0',
    );
  });

  it('parses long strings with many escaped quotes', () => {
    const text = JSON.stringify(['\\"'.repeat(1_000_000), 'x'.repeat(1_000_000)]);
    expect(json.stringify(json.parse(text))).to.equal(text);
  });
});

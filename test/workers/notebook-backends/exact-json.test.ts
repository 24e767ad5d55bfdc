import { expect } from 'chai';
import { exactJson } from '../../../workers/notebook-backends/exact-json.ts';

describe('exact JSON', () => {
  const json = exactJson();

  it('writes every number as it was spelled, and texts as they are', () => {
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

  it('reads no more than JSON has', () => {
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

  it('takes no number for a text', () => {
    expect(json.parse('[1.0, 12345678901234567890, "1.0"]')).to.satisfy(
      ([whole, big, text]: unknown[]) => typeof whole !== 'string' && typeof big !== 'string' && text === '1.0',
    );
  });

  it('reads long texts full of quotes', () => {
    const text = JSON.stringify(['\\"'.repeat(1_000_000), 'x'.repeat(1_000_000)]);
    expect(json.stringify(json.parse(text))).to.equal(text);
  });
});

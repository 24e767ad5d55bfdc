import { expect } from 'chai';
import { type CutLimits, JsonCutter } from '../../../shared/json/json-cutter.ts';

const wide: CutLimits = { level: 2, values: 100, partLevels: 10, partValues: 100 };

/**
 * The texts of the parts, or null, whatever the lengths of the pieces in which the text arrives.
 */
function cut(text: string, limits = wide) {
  const bytes = Buffer.from(text);
  const results = [1, 3, bytes.length].map((pieceLength) => {
    const cutter = new JsonCutter(limits);
    for (let start = 0; start < bytes.length; start += pieceLength) {
      cutter.push(bytes.subarray(start, start + pieceLength));
    }
    return cutter.finish()?.map(({ start, end, ...rest }) => ({ text: bytes.toString('utf8', start, end), ...rest }));
  });
  expect(results[1]).to.deep.equal(results[0]);
  expect(results[2]).to.deep.equal(results[0]);
  return results[0] ?? null;
}

const textsOf = (text: string) => cut(text)?.map((part) => part.text);

describe('JsonCutter', () => {
  it('finds the objects and lists of a level', () => {
    expect(textsOf('[{"a":1}, [2] ,3,"four",{"b":{"c":[{}]}}]')).to.deep.equal(['{"a":1}', '[2]', '{"b":{"c":[{}]}}']);
    expect(textsOf('{"a":{"b":1},"c":[]}')).to.deep.equal(['{"b":1}', '[]']);
    expect(textsOf('[]')).to.deep.equal([]);
    expect(textsOf('7')).to.deep.equal([]);
    expect(textsOf('')).to.deep.equal([]);
  });

  it('takes brackets in strings for text', () => {
    expect(textsOf('["]",{"}{":"[\\"]\\\\"},"{"]')).to.deep.equal(['{"}{":"[\\"]\\\\"}']);
    expect(textsOf('[{"ü":"😀}"}]')).to.deep.equal(['{"ü":"😀}"}']);
  });

  it('finds nothing in a text that ends too early', () => {
    for (const text of ['[', '[{', '[{}', '["', '["\\"]', '[]]', '{"a":{"b":"}}'])
      expect(cut(text), text).to.equal(null);
  });

  it('counts the values of parts, and names the first limit that a part exceeds', () => {
    const limits = { ...wide, partLevels: 2, partValues: 3 };
    expect(cut('[{},[1,2],[1,2,3,4],[[[]]],[[1]]]', limits)).to.deep.equal([
      { text: '{}', values: 1, excess: null },
      { text: '[1,2]', values: 2, excess: null },
      { text: '[1,2,3,4]', values: 4, excess: 'values' },
      { text: '[[[]]]', values: 3, excess: 'levels' },
      { text: '[[1]]', values: 2, excess: null },
    ]);
  });

  it('counts the values outside of the parts together with the parts', () => {
    const within = (text: string) => new JsonCutter({ ...wide, values: 4 }).push(Buffer.from(text));
    expect(within('[1,2,3,4]')).to.equal(true);
    expect(within('[1,2,3,4,5]')).to.equal(false);
    expect(within('[[1,2,3,4,5]]')).to.equal(true);
    expect(within('[{},{},{}]')).to.equal(false);
  });
});

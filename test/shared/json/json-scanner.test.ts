import { expect } from 'chai';
import { type JsonForm, type ScannedEntry, scanJson } from '../../../shared/json/json-scanner.ts';
import { seededRandom } from '../../../shared/seeded-random.ts';

function scan(text: string, form: JsonForm) {
  const scanned = scanJson(Buffer.from(text), form);
  const entries: ScannedEntry[] = [];
  for (;;) {
    const { done, value } = scanned.next();
    if (done) return { entries, single: form === 'values' && !value.hasList && entries.length <= 1, ...value };
    entries.push(value);
  }
}

/** The entries as a reader of bodies parses them; undefined for what is not JSON. */
function parse(text: string): unknown {
  const scanned = scan(text, 'values');
  if (!scanned.isClosed) return undefined;
  try {
    const values = textsOf(text, scanned).map((entry) => JSON.parse(entry) as unknown);
    return scanned.single ? values[0] : values;
  } catch {
    return undefined;
  }
}

function parseWhole(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const textsOf = (text: string, { entries }: ReturnType<typeof scan>) =>
  entries.map(({ start, end }) => Buffer.from(text).toString('utf8', start, end));

const valid = [
  '{"message":"a"}',
  ' \r\n\t{ "message" : "a" , "attributes" : { "b" : [ 1 , -2.5e+3 , true , null ] } } \n',
  '[]',
  ' [ ] ',
  '[{}]',
  '[{"a":"]}[{,\\""},\n{"b":"\\\\"},{"c":"\\u005c\\""}]',
  '[1,"two",null,false,[3,[4,[]]],{"five":{"six":{}}}]',
  '["é😀\u2028",{"ключ":"値"}]',
  '{"a":1,"a":2,"":{"":""}}',
  '"a string"',
  '-0.5E-7',
  'null',
];

const malformed = [
  ...'[ ] { } [1 [1]] [[1] [,] [1,] [,1] [1,,2] {] [} [{]} [{"a":1] {"a":1}} ["a] ["a\\"] "\\'.split(' '),
  ...`['a'] {"a"} {a:1} [01] [NaN] ["\\x"] ["\\u12"] tru [/**/1]`.split(' '),
].concat('', ' ', '[1 2]', '["a\nb"]', '[1]\u00a0', '\u00a0[1]', '[\v1]');

describe('the scanner of JSON bodies', () => {
  it('agrees with JSON.parse about texts, valid and malformed', () => {
    for (const text of [...valid, ...malformed]) expect(parse(text), text).to.deep.equal(parseWhole(text));
  });

  it('agrees with JSON.parse about generated texts, valid and damaged', () => {
    const random = seededRandom(7);
    const below = (limit: number) => Math.floor(random() * limit);
    const generate = (levels: number): unknown => {
      const kind = below(levels > 0 ? 7 : 5);
      if (kind === 0) return below(1e6) / 7;
      if (kind === 1) return [true, false, null][below(3)];
      if (kind < 5) return '"\\/[]{},:\n\té😀\u0000 a'.slice(below(8), 8 + below(9)).toWellFormed();
      const items = Array.from({ length: below(5) }, () => generate(levels - 1));
      return kind === 5
        ? items
        : Object.fromEntries(items.map((item, index) => [`k${'\\"]'.slice(below(4))}${index}`, item]));
    };
    const damage = '[]{},:"\\ \n1a';
    for (let round = 0; round < 3000; round += 1) {
      const text = JSON.stringify(generate(4), null, below(3));
      const at = below(text.length + 1);
      const inserted = damage[below(damage.length)] ?? '';
      const damaged = (text.slice(0, at) + inserted + text.slice(at + below(2))).toWellFormed();
      for (const tried of [text, damaged]) {
        const found = parse(tried);
        // Several values one after the other are entries, and not one JSON text.
        const whole = parseWhole(tried);
        if (whole !== undefined) expect(found, tried).to.deep.equal(whole);
      }
    }
  });

  it('finds a line per entry, whatever a line contains', () => {
    const text = '{"a":1}\n\r\n \t\n{"b":\r\n"unclosed\n[[[\n\v\f\n{"c":"\\u0041\\n"}\n]}\n"\\\nlast';
    const lines = ['{"a":1}', '{"b":\r', '"unclosed', '[[[', '\v\f', '{"c":"\\u0041\\n"}', ']}', '"\\', 'last'];
    const scanned = scan(text, 'lines');
    expect(textsOf(text, scanned)).to.deep.equal(lines);
    expect(scanned.single).to.equal(false);
    expect(scan('', 'lines').entries).to.deep.equal([]);
  });

  it('finds generated values one after the other, whatever is between them', () => {
    const random = seededRandom(11);
    const below = (limit: number) => Math.floor(random() * limit);
    const samples = [{}, { a: '}{"]\\' }, { b: [{ c: [] }, 1] }, { 'é"': null }, { d: '\n' }];
    const between = ['', ' ', '\n', '\r\n\r\n', ','];
    for (let round = 0; round < 500; round += 1) {
      const values = Array.from({ length: 1 + below(6) }, () => samples[below(samples.length)]);
      const texts = values.map((value) => JSON.stringify(value, null, below(2)) + between[below(between.length)]);
      const inList = below(3) === 0;
      const text = inList
        ? `[${values.map((value) => JSON.stringify(value)).join(' ,\n')}] {"last":1}`
        : texts.join('');
      const scanned = scan(text, 'values');
      const found = textsOf(text, scanned).map((entry) => JSON.parse(entry) as unknown);
      expect(found, text).to.deep.equal(inList ? [...values, { last: 1 }] : values);
      expect(scanned.single).to.equal(!inList && values.length === 1);
    }
  });

  it('ends a value at the end of the line in which its text does not end, and says whether a list does', () => {
    const entriesOf = (text: string) => {
      const scanned = scan(text, 'values');
      return { closed: scanned.isClosed, texts: textsOf(text, scanned) };
    };
    expect(entriesOf('{"a":"b\n{"c":1}')).to.deep.equal({ closed: true, texts: ['{"a":"b', '{"c":1}'] });
    expect(entriesOf('[{"a":1},{"b')).to.deep.equal({ closed: false, texts: ['{"a":1}', '{"b'] });
    expect(entriesOf('1 "two"\nthree,[4] []')).to.deep.equal({ closed: true, texts: ['1', '"two"', 'three', '4'] });
    expect(entriesOf(' \n')).to.deep.equal({ closed: true, texts: [] });
  });

  it('counts the levels and the values of an entry', () => {
    const counts = (text: string, form: JsonForm = 'values') =>
      scan(text, form).entries.map(({ levels, values }) => [levels, values]);
    expect(counts('{"a":[[[]]]}')).to.deep.equal([[4, 4]]);
    expect(counts('[{"b":1,"a":[[]]},{},"a,[",[1,2,3]]')).to.deep.equal([
      [3, 4],
      [1, 1],
      [0, 0],
      [1, 3],
    ]);
    expect(counts('[{"x":[[[[')).to.deep.equal([[5, 5]]);
    expect(counts('{"a":1,"b":2}\n[[{}],1]', 'lines')).to.deep.equal([
      [1, 2],
      [3, 4],
    ]);
  });
});

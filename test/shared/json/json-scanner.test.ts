import { expect } from 'chai';
import {
  type BodyFault,
  type JsonForm,
  type JsonLimits,
  JsonScanner,
  type ScannedBody,
} from '../../../shared/json/json-scanner.ts';
import { seededRandom } from '../../../shared/seeded-random.ts';

const wide: JsonLimits = { entries: 1000, levels: 100, fields: 1000, values: 100_000 };

function scan(text: string, form: JsonForm, limits = wide, pieceLength = text.length + 1): ScannedBody | BodyFault {
  const scanner = new JsonScanner(form, limits);
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += pieceLength) {
    const fault = scanner.push(bytes.subarray(start, start + pieceLength));
    if (fault) return fault;
  }
  return scanner.finish();
}

/** The entries as a reader of bodies parses them; undefined for what is not JSON. */
function parse(text: string, pieceLength?: number): unknown {
  const scanned = scan(text, 'values', wide, pieceLength);
  if (typeof scanned === 'string' || !scanned.closed) return undefined;
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

const textsOf = (text: string, { entries }: ScannedBody) =>
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
  '',
  ' ',
  '[',
  ']',
  '{',
  '}',
  '[1',
  '[1]]',
  '[[1]',
  '[,]',
  '[1,]',
  '[,1]',
  '[1,,2]',
  '[1 2]',
  '{]',
  '[}',
  '[{]}',
  '[{"a":1]',
  '{"a":1}}',
  '["a]',
  '["a\\"]',
  '["a\nb"]',
  '"\\',
  "['a']",
  '[1]\u00a0',
  '\u00a0[1]',
  '[\v1]',
  '{"a"}',
  '{a:1}',
  '[01]',
  '[NaN]',
  '["\\x"]',
  '["\\u12"]',
  'tru',
  '[/**/1]',
];

describe('the scanner of JSON bodies', () => {
  for (const text of [...valid, ...malformed]) {
    it(`agrees with JSON.parse about ${JSON.stringify(text)}, however it arrives`, () => {
      for (const length of [1, 2, 3, 5, 1000]) expect(parse(text, length)).to.deep.equal(parseWhole(text));
    });
  }

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
        const found = parse(tried, 1 + below(20));
        // Several values one after the other are entries, and not one JSON text.
        const whole = parseWhole(tried);
        if (whole !== undefined) expect(found, tried).to.deep.equal(whole);
      }
    }
  });

  it('finds a line per entry, whatever a line contains', () => {
    const text = '{"a":1}\n\r\n \t\n{"b":\r\n"unclosed\n[[[\n\v\f\n{"c":"\\u0041\\n"}\n]}\n"\\\nlast';
    const lines = ['{"a":1}', '{"b":\r', '"unclosed', '[[[', '\v\f', '{"c":"\\u0041\\n"}', ']}', '"\\', 'last'];
    for (const length of [1, 2, 3, 100]) {
      const scanned = scan(text, 'lines', wide, length) as ScannedBody;
      expect(textsOf(text, scanned)).to.deep.equal(lines);
      expect(scanned.single).to.equal(false);
    }
    expect(textsOf('', scan('', 'lines') as ScannedBody)).to.deep.equal([]);
  });

  it('finds generated values one after the other, whatever is between them and however they arrive', () => {
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
      const scanned = scan(text, 'values', wide, 1 + below(20));
      if (typeof scanned === 'string') throw new TypeError(`${text}: ${scanned}`);
      const found = textsOf(text, scanned).map((entry) => JSON.parse(entry) as unknown);
      expect(found, text).to.deep.equal(inList ? [...values, { last: 1 }] : values);
      expect(scanned.single).to.equal(!inList && values.length === 1);
    }
  });

  it('ends a value at the end of the line in which its text does not end, and says whether a list does', () => {
    const entriesOf = (text: string) => {
      const scanned = scan(text, 'values');
      return typeof scanned === 'string' ? scanned : { closed: scanned.closed, texts: textsOf(text, scanned) };
    };
    expect(entriesOf('{"a":"b\n{"c":1}')).to.deep.equal({ closed: true, texts: ['{"a":"b', '{"c":1}'] });
    expect(entriesOf('[{"a":1},{"b')).to.deep.equal({ closed: false, texts: ['{"a":1}', '{"b'] });
    expect(entriesOf('1 "two"\nthree,[4] []')).to.deep.equal({ closed: true, texts: ['1', '"two"', 'three', '4'] });
    expect(entriesOf(' \n')).to.deep.equal({ closed: true, texts: [] });
  });

  describe('limits', () => {
    const limits: JsonLimits = { entries: 3, levels: 4, fields: 5, values: 20 };
    /** The limit that each entry exceeds, with the name of the field. */
    const excesses = (text: string, form: JsonForm = 'values') => {
      const scanned = scan(text, form, limits);
      return typeof scanned === 'string'
        ? scanned
        : scanned.entries.map(({ excess }) =>
            excess
              ? [excess.limit, excess.name && Buffer.from(text).toString('utf8', excess.name.start, excess.name.end)]
              : null,
          );
    };

    it('the number of entries is limited as they arrive', () => {
      expect(excesses('[1,2,3]')).to.deep.equal([null, null, null]);
      expect(excesses('[1,2,3,4,')).to.equal('entries');
      expect(excesses('1\n2\n\n3\n4\n', 'lines')).to.equal('entries');
    });

    it('the levels of an entry are limited, and the error names the field', () => {
      expect(excesses('{"a":[[[]]]}')).to.deep.equal([null]);
      expect(excesses('[{"b":1,"a":[[[[]]]]},{}]')).to.deep.equal([['levels', '"a"'], null]);
      expect(excesses('[{"x":[[[[')).to.deep.equal([['levels', '"x"']]);
      expect(excesses('[[[[[1]]]]]')).to.deep.equal([null]);
      expect(excesses('[[[[[[1]]]]]]')).to.deep.equal([['levels', null]]);
    });

    it('the fields of an entry are limited', () => {
      expect(excesses('{"a":1,"b":1,"c":1,"d":1,"e":1}')).to.deep.equal([null]);
      expect(excesses('{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1}')).to.deep.equal([['fields', null]]);
    });

    it('the fields and items of one field are limited, and the error names it', () => {
      expect(excesses('{"a":[1,2,3,4,5]}')).to.deep.equal([null]);
      expect(excesses('{"z":1,"a":[1,2,3,4,5,6]}')).to.deep.equal([['fields', '"a"']]);
      expect(excesses('{"a":{"b":[1,2],"c":{"d":1,"e":2}}}')).to.deep.equal([['fields', '"a"']]);
    });

    it('the values of an entry are limited together', () => {
      expect(excesses('{"a":[1,2,3],"b":[1,2,3],"c":[1]}')).to.deep.equal([null]);
      expect(excesses('{"a":[1,2,3,4],"b":[1,2,3,4],"c":[1,2]}')).to.deep.equal([['fields', null]]);
    });

    it('the values of all entries are limited together, without what is not parsed', () => {
      const full = '{"a":[1,2,3,4],"b":[1,2,3]}';
      expect(excesses(`[${full},${full},[1]]`)).to.deep.equal([null, null, null]);
      expect(excesses(`[${full},${full},[1,2,3`)).to.equal('values');
      expect(excesses(`[{"a":[${'1,'.repeat(1000)}1]}]`)).to.deep.equal([['fields', '"a"']]);
    });
  });
});

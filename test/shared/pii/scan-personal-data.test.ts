import { expect } from 'chai';
import { createScanner } from '../../../shared/pii/scan-personal-data.ts';
import { seededRandom } from '../../../shared/seeded-random.ts';
import { scan } from './values.ts';

describe('createScanner', () => {
  it('A scanner returns findings in order, without overlaps, with offsets in the given text', () => {
    const text = 'joe@example.com paid with 4111 1111 1111 1111, ssn 123-45-6789';
    expect(scan(text).map(({ type, start, end }) => [type, text.slice(start, end)])).to.deep.equal([
      ['email', 'joe@example.com'],
      ['payment_card', '4111 1111 1111 1111'],
      ['national_id', '123-45-6789'],
    ]);
  });

  it('A finding reports its country, the rule that decided, and a confidence', () => {
    expect(scan('RSSMRA85T10A562S')[0]).to.include({ country: 'IT', rule: 'checksum', scheme: 'it_cf' });
    expect(scan('pesel 44051401359')[0]).to.include({ country: 'PL', rule: 'context', scheme: 'pl_pesel' });
    expect(scan('123-45-6789')[0]).to.include({ country: 'US', rule: 'format', scheme: 'us_ssn' });
    expect(scan('joe@example.com')[0]).to.not.have.property('country');
    for (const text of ['RSSMRA85T10A562S', 'pesel 44051401359', '123-45-6789', 'a@example.com'])
      expect(scan(text)[0]?.confidence).to.be.within(0.5, 1);
  });

  it('A scanner detects only the configured kinds and countries', () => {
    const text = 'joe@example.com 4111111111111111=25121011000012345678 123-45-6789 RSSMRA85T10A562S';
    const types = (scanner: ReturnType<typeof createScanner>): string[] => scanner(text).map(({ scheme }) => scheme);
    expect(types(createScanner({ kinds: ['email'] }))).to.deep.equal(['email']);
    expect(types(createScanner({ kinds: ['payment_card'] }))).to.deep.equal(['visa']);
    expect(types(createScanner({ kinds: ['national_id'], countries: ['it'] }))).to.deep.equal(['it_cf']);
  });

  it('A scanner returns the same findings for the same text, regardless of the texts before it', () => {
    const texts = ['order 123456782', 'sin 123456782', '123456782', '身份证 x', 'ssn: 123456789', 'x'.repeat(5000)];
    const alone = texts.map((text) => createScanner()(text));
    expect(texts.map((text) => scan(text))).to.deep.equal(alone);
    expect([...texts].reverse().map((text) => scan(text))).to.deep.equal(alone.reverse());
  });

  it('The scanner accepts unpaired surrogates, incomplete escapes and lone separators', () => {
    const parts = '\ud800|%|%4|\\u00|&#|4111| |-|.|@|a|\u200b|ssn|(|AB|１|/|+|:|"'.split('|');
    const random = seededRandom(3);
    for (let round = 0; round < 3000; round++) {
      const text = Array.from({ length: 24 }, () => parts[Math.floor(random() * parts.length)]).join('');
      let from = 0;
      for (const { start, end } of scan(text)) {
        expect(start, text).to.be.at.least(from);
        expect(end, text).to.be.above(start).and.at.most(text.length);
        from = end;
      }
    }
  });
});

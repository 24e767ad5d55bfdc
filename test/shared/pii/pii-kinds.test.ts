import { expect } from 'chai';
import { PII_KINDS } from '../../../shared/pii/pii-kinds.ts';

describe('PII_KINDS', () => {
  it('PII_KINDS have one row per scheme, with every field filled', () => {
    expect(new Set(PII_KINDS.map(({ scheme }) => scheme)).size).to.equal(PII_KINDS.length);
    for (const kind of PII_KINDS) {
      expect(kind.scheme).to.match(/^[a-z_]+$/u);
      for (const field of [kind.name, kind.pattern, kind.checksum, kind.context, kind.source])
        expect(field, kind.scheme).to.not.equal('');
    }
  });

  it('Only national ids have a country', () => {
    for (const { type, country, scheme } of PII_KINDS) {
      if (type === 'national_id') expect(country, scheme).to.match(/^[A-Z]{2}$/u);
      else expect(country, scheme).to.equal(undefined);
    }
  });

  it('Keywords are in lower case without repetitions, and every national id has one', () => {
    for (const { type, keywords, scheme } of PII_KINDS) {
      expect(keywords, scheme).to.deep.equal(keywords.map((word) => word.toLowerCase()));
      expect(new Set(keywords).size, scheme).to.equal(keywords.length);
      if (type === 'national_id') expect(keywords, scheme).to.not.be.empty;
    }
  });
});

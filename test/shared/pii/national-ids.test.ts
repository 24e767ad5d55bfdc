import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { COUNTRIES } from '../../../shared/pii/national-ids.ts';

const COUNTRY_FILES = new URL('../../../shared/pii/countries/', import.meta.url);

describe('COUNTRIES', () => {
  it('COUNTRIES contain the country of every file of shared/pii/countries/', () => {
    expect(COUNTRIES).to.have.length(readdirSync(COUNTRY_FILES).length);
    expect(COUNTRIES.map(({ code }) => code)).to.include.members(['DE', 'FI', 'US']);
  });

  it('COUNTRIES put Finland before Estonia, because the order decides between schemes of equal evidence', () => {
    const codes = COUNTRIES.map(({ code }) => code);
    expect(codes.indexOf('FI')).to.be.below(codes.indexOf('EE'));
  });

  it('Every country has a code of its own, and an English adjective in lower case', () => {
    expect(new Set(COUNTRIES.map(({ code }) => code)).size).to.equal(COUNTRIES.length);
    for (const { code, adjectives } of COUNTRIES) {
      expect(adjectives, code).to.not.be.empty;
      expect(adjectives, code).to.deep.equal(adjectives.map((word) => word.toLowerCase()));
    }
  });
});

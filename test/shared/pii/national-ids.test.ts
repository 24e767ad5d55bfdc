import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { COUNTRIES } from '../../../shared/pii/national-ids.ts';

const COUNTRY_FILES = new URL('../../../shared/pii/countries/', import.meta.url);

describe('COUNTRIES', () => {
  it('contain every file of shared/pii/countries/', async () => {
    const modules = await Promise.all(
      readdirSync(COUNTRY_FILES).map((file) => import(new URL(file, COUNTRY_FILES).href) as Promise<object>),
    );
    const missing = modules.filter((exports) => !COUNTRIES.some((country) => Object.values(exports).includes(country)));
    expect(missing).to.deep.equal([]);
    expect(COUNTRIES).to.have.length(modules.length);
  });

  it('have one code each, and an English adjective in lower case', () => {
    expect(new Set(COUNTRIES.map(({ code }) => code)).size).to.equal(COUNTRIES.length);
    for (const { code, adjectives } of COUNTRIES) {
      expect(adjectives, code).to.not.be.empty;
      expect(adjectives, code).to.deep.equal(adjectives.map((word) => word.toLowerCase()));
    }
  });
});

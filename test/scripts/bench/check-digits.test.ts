import { expect } from 'chai';
import { createRandom } from '../../../scripts/bench/generated-numbers.ts';
import * as checks from '../../../scripts/bench/labelled-set/check-digits.ts';
import { ID_SCHEMES, schemeOf } from '../../../scripts/bench/labelled-set/ids/id-schemes.ts';

/** Examples that authorities and textbooks publish, with the function for their check. */
const PUBLISHED: readonly (readonly [name: string, number: string, (body: string) => string | number])[] = [
  ['Luhn, ISO/IEC 7812-1', '79927398713', checks.luhnDigit],
  ['Luhn, test card', '4111111111111111', checks.luhnDigit],
  ['Verhoeff', '2363', checks.verhoeffDigit],
  ['ISO/IEC 7064 MOD 11,10, Steuer-ID', '86095742719', checks.hybridDigit],
  ['ISO/IEC 7064 MOD 11-2, GB 11643', '11010519491231002X', checks.pureCheck],
  ['EAN-13, AHV', '7569217076985', checks.eanDigit],
  ['isikukood', '37605030299', checks.balticDigit],
  ['codice fiscale', 'RSSMRA85T10A562S', checks.codiceFiscaleLetter],
  ['CURP', 'BOXW310820HNERXN09', checks.curpDigit],
  ['German pension insurance', '15070649C103', checks.pensionDigit],
  ['HKID', 'A1234563', checks.hkidCheck],
  ['Taiwan', 'A123456789', checks.taiwanDigit],
  ['NRIC', 'S1234567D', checks.nricLetter],
  ['Cartão de Cidadão', '000000000ZZ4', checks.citizenCardDigit],
];

describe('check digits of the labelled set', () => {
  for (const [name, number, check] of PUBLISHED) {
    it(`computes the last character of ${number}, a published example of ${name}`, () => {
      expect(String(check(number.slice(0, -1)))).to.equal(number.at(-1));
    });
  }

  const weighted: readonly (readonly [scheme: string, isValid: (number: string) => boolean])[] = [
    ['pl_pesel', (number) => checks.weightedSum(number, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0],
    ['nl_bsn', (number) => checks.weightedSum(number, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0],
    ['cz_rc', (number) => Number(number) % 11 === 0],
    ['au_tfn', (number) => checks.weightedSum(number, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0],
    ['fr_nir', (number) => (BigInt(number.slice(0, 13)) + BigInt(number.slice(13))) % 97n === 0n],
    ['no_fnr', (number) => checks.weightedSum(number, [3, 7, 6, 1, 8, 9, 4, 5, 2, 1, 0]) % 11 === 0],
    ['rs_jmbg', (number) => checks.weightedSum(number, [7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0],
    ['gb_nhs', (number) => checks.weightedSum(number, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0],
    ['ar_cuil', (number) => checks.weightedSum(number, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0],
  ];
  for (const [scheme, isValid] of weighted) {
    it(`generates numbers of ${scheme} whose whole weighted sum is divisible as its definition says`, () => {
      const random = createRandom(5);
      for (let i = 0; i < 50; i++) expect(schemeOf(scheme).make(random)).to.satisfy(isValid);
    });
  }

  it('has every scheme once, with labels, keys and a written form', () => {
    expect(new Set(ID_SCHEMES.map(({ scheme }) => scheme))).to.have.lengthOf(ID_SCHEMES.length);
    for (const { alone = [], labelled = [], labels, keys } of ID_SCHEMES) {
      expect([...alone, ...labelled]).to.not.be.empty;
      expect(labels).to.not.be.empty;
      expect(keys).to.not.be.empty;
    }
  });
});

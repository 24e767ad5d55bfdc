import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { compileCheck } from '../../../shared/pii/checks.ts';
import { COUNTRIES, NATIONAL_IDS } from '../../../shared/pii/national-ids.ts';
import paymentCards from '../../../shared/pii/payment-cards.json' with { type: 'json' };
import schema from '../../../shared/pii/personal-data.schema.json' with { type: 'json' };
import { PII_KINDS } from '../../../shared/pii/pii-kinds.ts';
import europe from '../../../shared/pii/schemes/europe.json' with { type: 'json' };
import { hasForm, NATIONAL_ID_VALUES, passesCheck } from './values.ts';

describe('NATIONAL_IDS', () => {
  it('The table of values has every scheme', () => {
    expect(Object.keys(NATIONAL_ID_VALUES)).to.have.members(NATIONAL_IDS.map(({ scheme }) => scheme));
  });

  for (const nationalId of NATIONAL_IDS) {
    const { valid, invalid } = NATIONAL_ID_VALUES[nationalId.scheme] ?? { valid: [], invalid: [] };

    it(`The valid numbers of ${nationalId.scheme} pass its check, and the invalid ones do not`, () => {
      expect(
        valid.filter((value) => !passesCheck(nationalId, value)),
        'valid',
      ).to.deep.equal([]);
      expect(
        invalid.filter((value) => passesCheck(nationalId, value)),
        'invalid',
      ).to.deep.equal([]);
      expect(
        [...valid, ...invalid].filter((value) => !hasForm(nationalId, value)),
        'in no form',
      ).to.deep.equal([]);
      expect([valid, invalid]).to.not.deep.include([]);
    });
  }

  it('No label of a scheme, or of payment cards, is repeated', () => {
    for (const { scheme, keywords } of PII_KINDS) expect(new Set(keywords).size, scheme).to.equal(keywords.length);
  });

  it('A number can need a keyword, or have no check digit', () => {
    const read = (scheme: string, name: 'isAmbiguous' | 'isUnchecked', ...values: string[]) => {
      const nationalId = NATIONAL_IDS.find((candidate) => candidate.scheme === scheme);
      return values.map((value) => passesCheck({ check: nationalId?.[name] ?? (() => false) }, value));
    };
    expect(read('se_pnr', 'isAmbiguous', '240115-1236', '190823-2359', '190823-2360', '640823-3234')).to.deep.equal([
      true,
      true,
      false,
      false,
    ]);
    expect(read('se_pnr', 'isAmbiguous', '20240115-1236', '19240115-1236')).to.deep.equal([true, false]);
    expect(read('fi_hetu', 'isAmbiguous', '231130-3211', '311223-321A', '231130A3211')).to.deep.equal([
      true,
      false,
      false,
    ]);
    expect(read('cz_rc', 'isAmbiguous', '735316/2025', '735316/2036')).to.deep.equal([true, false]);
    expect(read('es_nie', 'isAmbiguous', 'K1234567L', 'X1234567L')).to.deep.equal([true, false]);
    expect(read('us_ssn', 'isAmbiguous', '078-05-1120', '078-05-1121')).to.deep.equal([true, false]);
    expect(read('dk_cpr', 'isUnchecked', '070761-4285', '070761-4286')).to.deep.equal([false, true]);
    expect(read('lv_pk', 'isUnchecked', '311234-56789', '321234-56789')).to.deep.equal([false, true]);
  });
});

describe('COUNTRIES', () => {
  it('COUNTRIES put Finland before Estonia, because the order decides between schemes of equal evidence', () => {
    const codes = COUNTRIES.map(({ code }) => code);
    expect(codes.indexOf('FI')).to.be.below(codes.indexOf('EE'));
  });

  it('Every country has a code of its own', () => {
    expect(new Set(COUNTRIES.map(({ code }) => code)).size).to.equal(COUNTRIES.length);
  });
});

describe('the files of personal data', () => {
  const ajv = new Ajv2020({ allowUnionTypes: true });
  ajv.addSchema(schema);
  /** The first error of a definition of the schema, with the path of the field. */
  const errorOf = (definition: string, data: unknown) =>
    ajv.validate({ $ref: `personal-data#/$defs/${definition}` }, data)
      ? undefined
      : ajv.errorsText(undefined, { dataVar: '' });

  it('Files have the fields of their schema', () => {
    for (const file of readdirSync('shared/pii/schemes')) {
      const countries = JSON.parse(readFileSync(`shared/pii/schemes/${file}`, 'utf8')) as {
        schemes: { scheme: string }[];
      }[];
      for (const row of countries.flatMap(({ schemes }) => schemes))
        expect(errorOf('scheme', row), `${file}: ${row.scheme}`).to.equal(undefined);
      expect(errorOf('countries', countries), file).to.equal(undefined);
    }
    expect(errorOf('paymentCards', paymentCards)).to.equal(undefined);
  });

  it('A row is refused with an error that names its field', () => {
    const row = europe[0]?.schemes[0];
    const refused: readonly [change: object, error: RegExp][] = [
      [{ name: '' }, /^\/name must match/],
      [{ sources: 'a law' }, /^ must NOT have additional properties$/],
      [{ labels: { official: ['Number'] } }, /^\/labels\/official\/0 must match/],
      [{ shapes: { own: ['3_3'] } }, /^\/shapes\/own\/0 must match/],
      [{ check: [{ check: 'luhn', form: 3 }] }, /^\/check\/0 must NOT have additional properties$/],
      [{ isAmbiguous: { check: 'range', in: [[1]] } }, /^\/isAmbiguous\/in\/0 must NOT have fewer/],
    ];
    expect(errorOf('scheme', row)).to.equal(undefined);
    for (const [change, error] of refused) expect(errorOf('scheme', { ...row, ...change })).to.match(error);
  });

  it('No scheme is there twice, and every check has a name', () => {
    expect(new Set(NATIONAL_IDS.map(({ scheme }) => scheme)).size).to.equal(NATIONAL_IDS.length);
    expect(() => compileCheck({ check: 'none' }, () => () => true)).to.throw(
      /^There is no check "none": length, digits, /,
    );
  });
});

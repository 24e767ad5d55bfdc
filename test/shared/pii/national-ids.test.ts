import { expect } from 'chai';
import { COUNTRIES, NATIONAL_IDS, readNationalIds } from '../../../shared/pii/national-ids.ts';
import { PII_KINDS } from '../../../shared/pii/pii-kinds.ts';
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

describe('readNationalIds', () => {
  const scheme = {
    scheme: 'xx_id',
    name: 'Number',
    pattern: '3 digits',
    checksum: 'none',
    source: 'a law',
    check: { check: 'digits' },
    shapes: { own: ['3'] },
    labels: { official: ['number'] },
  };
  const read = (...schemes: unknown[]) =>
    readNationalIds({ 'x.json': [{ country: 'XX', adjectives: ['xx'], schemes }] }).nationalIds;
  const errors: readonly [row: Record<string, unknown>, error: RegExp][] = [
    [{ name: '' }, /^x\.json: xx_id: "name" has to be a text\.$/],
    [{ source: undefined }, /^x\.json: xx_id: "source" has to be a text\.$/],
    [{ sources: 'a law' }, /^x\.json: xx_id has no field "sources": scheme, /],
    [{ evidence: 'none' }, /^x\.json: xx_id: "evidence" has to be "format", or absent\.$/],
    [{ labels: { official: ['Number'] } }, /"labels" has to be .* a text in lower case\.$/],
    [{ labels: { official: [] } }, /"labels" has to be /],
    [{ shapes: { own: ['3_3'] } }, /"shapes" has to be .* a written form, such as "3-2-4" or "9x"\.$/],
    [{ shapes: { any: ['3'] } }, /^x\.json: xx_id: shapes has no field "any": free, keyword, own\.$/],
    [{ check: { check: 'none' } }, /^x\.json: xx_id: there is no check "none": length, digits, /],
    [{ check: [] }, /^x\.json: xx_id: a list of checks is empty\.$/],
    [{ check: {} }, /there is no check "undefined"/],
    [{ check: [{ check: 'luhn', of: 3 }] }, /^x\.json: xx_id: the check "luhn" has no field "of": at, from, to\.$/],
    [{ check: { check: 'weights', weights: [1] } }, /the check "weights" lacks the field "modulus"\.$/],
    [{ check: { check: 'date', format: 'YYDDD' } }, /"format" has to be a format of a date, such as YYMMDD\.$/],
    [
      { isAmbiguous: { check: 'range', in: [[1]] } },
      /the check "range": "in" has to be a list, .* a pair of integers\.$/,
    ],
    [{ check: 'yy_id' }, /^x\.json: xx_id: there is no scheme "yy_id"\.$/],
    [{ check: 'xx_id' }, /^x\.json: xx_id: the check of "xx_id" is that of another scheme\.$/],
  ];
  for (const [row, error] of errors)
    it(`A row is refused with ${JSON.stringify(row)}`, () => {
      expect(() => read({ ...scheme, ...row })).to.throw(error);
    });

  it('A row without a field is refused', () => {
    const { source: _source, ...others } = scheme;
    expect(() => read(others)).to.throw('x.json: xx_id lacks the field "source".');
  });

  it('A scheme can have the check of another one, and a keyword is needed unless the row says otherwise', () => {
    const [one, other] = read(scheme, { ...scheme, scheme: 'yy_id', check: 'xx_id', context: 'not needed' });
    expect([one, other].map((row) => [row?.country, row?.context])).to.deep.equal([
      ['XX', 'always needed'],
      ['XX', 'not needed'],
    ]);
    expect([one, other].map((row) => row && passesCheck(row, '12A'))).to.deep.equal([false, false]);
    expect(() => read(scheme, scheme)).to.throw('Two schemes have the same id.');
  });
});

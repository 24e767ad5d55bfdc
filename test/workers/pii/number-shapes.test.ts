import { expect } from 'chai';
import { NATIONAL_IDS } from '../../../shared/pii/national-ids.ts';
import { buildShapeTable, MAX_GROUPS } from '../../../workers/pii/number-shapes.ts';

describe('The shapes of national ids', () => {
  it('Bare digits need a keyword, except in two schemes with a date and check digits', () => {
    const free = NATIONAL_IDS.filter(({ shapes }) => shapes.free?.some((form) => /^\d+$/u.test(form)));
    expect(free.map(({ scheme }) => scheme).sort()).to.deep.equal(['cn_ric', 'fr_nir']);
  });

  it('Every shape of a national id can be represented in the shape table', () => {
    const table = buildShapeTable(
      NATIONAL_IDS.map((nationalId, target) => ({ nationalId, target })),
      true,
    );
    const inTable = new Set(
      table
        .flat()
        .flatMap((shapes) => shapes ?? [])
        .flatMap(({ rules }) => rules.map(({ scheme }) => scheme)),
    );
    expect(inTable.size).to.equal(NATIONAL_IDS.length);
    for (const { shapes } of NATIONAL_IDS) {
      for (const form of Object.values(shapes).flat()) {
        expect(form).to.match(/^\d+[xa]?(?:[-./+ ([]\d+[xa]?)*$/u);
        expect(form.split(/[-./+ ([]/u)).to.have.length.at.most(MAX_GROUPS);
      }
    }
  });
});

import { expect } from 'chai';
import { NATIONAL_ID_KINDS } from '../../../shared/pii/pii-kinds.ts';
import { NATIONAL_ID_RULES } from '../../../workers/pii/national-ids/national-id-rules.ts';
import { buildShapeTable, MAX_GROUPS } from '../../../workers/pii/number-shapes.ts';

describe('NATIONAL_ID_RULES', () => {
  it('have exactly one row each in NATIONAL_ID_KINDS', () => {
    const rules = NATIONAL_ID_RULES.map(({ scheme }) => scheme);
    expect([...rules].sort()).to.deep.equal(NATIONAL_ID_KINDS.map(({ scheme }) => scheme).sort());
  });

  it('need a keyword for bare digits, except for two schemes with a date and check digits', () => {
    const free = NATIONAL_ID_RULES.filter(({ shapes }) =>
      Object.entries(shapes).some(([form, need]) => need === 'free' && /^\d+$/u.test(form)),
    );
    expect(free.map(({ scheme }) => scheme).sort()).to.deep.equal(['cn_ric', 'fr_nir']);
  });

  it('have shapes that the shape table can represent', () => {
    const table = buildShapeTable(
      NATIONAL_ID_RULES.map((rule, target) => ({ rule, target })),
      true,
    );
    const inTable = new Set(
      table
        .flat()
        .flatMap((shapes) => shapes ?? [])
        .flatMap(({ rules }) => rules.map(({ scheme }) => scheme)),
    );
    expect(inTable.size).to.equal(NATIONAL_ID_RULES.length);
    for (const { shapes } of NATIONAL_ID_RULES) {
      for (const form of Object.keys(shapes)) {
        expect(form).to.match(/^\d+[xa]?(?:[-./+ ([]\d+[xa]?)*$/u);
        expect(form.split(/[-./+ ([]/u)).to.have.length.at.most(MAX_GROUPS);
      }
    }
  });
});

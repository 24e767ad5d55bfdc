import { expect } from 'chai';
import { NATIONAL_ID_KINDS } from '../../../shared/pii-kinds/pii-kinds.ts';
import { NATIONAL_ID_RULES } from '../../../workers/pii/national-ids/national-id-rules.ts';
import { buildShapeTable, MOST_GROUPS } from '../../../workers/pii/number-shapes.ts';

describe('NATIONAL_ID_RULES', () => {
  it('have a row in the table each, and the table has no other', () => {
    const rules = NATIONAL_ID_RULES.map(({ scheme }) => scheme);
    expect([...rules].sort()).to.deep.equal(NATIONAL_ID_KINDS.map(({ scheme }) => scheme).sort());
  });

  it('never let bare digits count without a key word, but for those with a date and two checks', () => {
    const free = NATIONAL_ID_RULES.filter(({ shapes }) =>
      Object.entries(shapes).some(([form, need]) => need === 'free' && /^\d+$/u.test(form)),
    );
    expect(free.map(({ scheme }) => scheme).sort()).to.deep.equal(['cn_ric', 'fr_nir']);
  });

  it('are written in forms that the table of shapes can hold', () => {
    const table = buildShapeTable(
      NATIONAL_ID_RULES.map((rule, target) => ({ rule, target })),
      true,
    );
    const held = new Set(
      table
        .flat()
        .flatMap((shapes) => shapes ?? [])
        .flatMap(({ rules }) => rules.map(({ scheme }) => scheme)),
    );
    expect(held.size).to.equal(NATIONAL_ID_RULES.length);
    for (const { shapes } of NATIONAL_ID_RULES) {
      for (const form of Object.keys(shapes)) {
        expect(form).to.match(/^\d+[xa]?(?:[-./+ ([]\d+[xa]?)*$/u);
        expect(form.split(/[-./+ ([]/u)).to.have.length.at.most(MOST_GROUPS);
      }
    }
  });
});

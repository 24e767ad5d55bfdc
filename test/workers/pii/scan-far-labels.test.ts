import { expect } from 'chai';
import { found } from './found.ts';

const PESEL = '44051401359';
/** Longer than the distance within which a keyword counts. */
const LONG = 'a street with a house in a town of some other country';
const MESSAGE = "String should match pattern '^\\d{3}-\\d{8}$' [type=string_pattern_mismatch, ";

describe('createScanner for a label far before its number', () => {
  const positives: [string, string][] = [
    [`1 validation error for Person\npesel\n  ${MESSAGE}input_value='${PESEL}', input_type=str]`, PESEL],
    [`1 validation error for Person\npesel\n  ${MESSAGE}input_value=${PESEL}, input_type=int]`, PESEL],
    [`1 validation error for Person\\npesel\\n  ${MESSAGE}input_value='${PESEL}'`, PESEL],
    [`1 validation error for Person\\\\npesel\\\\n  ${MESSAGE}input_value='${PESEL}'`, PESEL],
    [`2 validation errors\npeople.0.pesel\n  ${MESSAGE}input_value='${PESEL}'\nname\n  ${MESSAGE}`, PESEL],
    [`2 validation errors\nname\n  ${MESSAGE}input_value=''\nnationalId\n  ${MESSAGE}input_value='${PESEL}'`, PESEL],
    [`{"type":"int","loc":["body","people",0,"pesel"],"msg":"${MESSAGE}","input":"${PESEL}"}`, PESEL],
    [`{'type': 'int', 'loc': ('body', 'pesel'), 'msg': "${MESSAGE}", 'input': ${PESEL}}`, PESEL],
    [`{'type': 'int', 'loc': ('pesel',), 'msg': "${MESSAGE}", 'input': '${PESEL}'}`, PESEL],
    [
      `Violation of UNIQUE KEY constraint 'UQ_Person_Pesel'. Cannot insert duplicate key in object 'dbo.Person'. The duplicate key value is (${PESEL}).`,
      PESEL,
    ],
    [
      `Cannot insert duplicate key row in object 'dbo.Person' with unique index 'IX_PersonPesel'. The duplicate key value is (${'x'.repeat(60)}, ${PESEL}).`,
      PESEL,
    ],
    [`INSERT INTO person (id, name, pesel) VALUES (7, '${LONG}', '${PESEL}')`, PESEL],
    [`INSERT INTO person (id, name, pesel, at) VALUES (7, 'a,(b, ${LONG}', ${PESEL}, now())`, PESEL],
    [`insert into "person" ("id","pesel","at") values (coalesce(7, 8, '${LONG}'),'${PESEL}',NULL)`, PESEL],
    [`INSERT INTO person (pesel, name) VALUES ('x', '${LONG}'), ('${PESEL}', 'Anna')`, PESEL],
    [`INSERT INTO person ([Name], [PeselNo]) VALUES (N'O''Hara, ${LONG}', '${PESEL}')`, PESEL],
  ];
  for (const [text, value] of positives)
    it(`The scanner finds ${value} in: ${JSON.stringify(text)}`, () => {
      expect(found(text)).to.deep.equal([`pl_pesel:${value}`]);
    });

  const negatives = [
    `2 validation errors\npesel\n  ${MESSAGE}input_value=''\nname\n  ${MESSAGE}input_value='${PESEL}'`,
    `pesel ${MESSAGE}input_value='${PESEL}'`,
    `${MESSAGE}input_value='${PESEL}'`,
    `{"loc":["body","pesel","name"],"msg":"${MESSAGE}","input":"${PESEL}"}`,
    `{"pesel":["body","x"],"msg":"${MESSAGE}","input":"${PESEL}"}`,
    `constraint 'UQ_Person_Pesel' in object 'dbo.Person'. The duplicate key value is (7), line ${PESEL}`,
    `constraint 'UQ_Pesel' and index 'IX_Person_Name' in object 'dbo.Person'. The duplicate key value is (${PESEL})`,
    `in object 'dbo.Pesel' of the schema of persons. The duplicate key value is (${PESEL})`,
    `INSERT INTO person (id, pesel, name, phone) VALUES (7, 'x', '${LONG}', '${PESEL}')`,
    `INSERT INTO person (pesel, name) VALUES (7, '${LONG}', '${PESEL}')`,
    `constraint 'UQ_Person_Pesel, cut. The message is long. The duplicate key value is (${PESEL})`,
  ];
  for (const text of negatives)
    it(`The scanner finds nothing in: ${JSON.stringify(text)}`, () => expect(found(text)).to.deep.equal([]));

  it('The scanner finds every value of a list of national ids, and no number that only follows one', () => {
    const ids = ['66070113426', '61050753720', '44051401359', '66070113426', '61050753720'];
    const all = ids.map((id) => `pl_pesel:${id}`);
    for (const text of [
      `pesel: ${ids.join(', ')}`,
      `{"pesel":["${ids.join('","')}"]}`,
      String.raw`{"log":"{\"pesel\":[\"${ids.join(String.raw`\", \"`)}\"]}"}`,
      `WHERE pesel IN ('${ids.join("', '")}')`,
    ])
      expect(found(text), text).to.deep.equal(all);
    const far = 'a text of more than forty-eight characters before the next number';
    expect(found(`pesel: 66070113426 ${far} 61050753720`)).to.deep.equal(['pl_pesel:66070113426']);
    expect(found(`pesel: 66070113426; ${far}, 61050753720`)).to.deep.equal(['pl_pesel:66070113426']);
  });

  it('The scanner takes the column of a parameter of SQL for its label, and that of a row for one that is none', () => {
    const long = 'a condition that is longer than the distance of a keyword';
    for (const [text, ...findings] of [
      [`WHERE "a" = $1 AND "pesel" = $2 AND ${long} -- PARAMETERS: ["x", "44051401359"]`, 'pl_pesel:44051401359'],
      ['WHERE `trackingNumber` = ? params ["4111111111111111"]'],
      ['SET order_no = $1 WHERE "card" = $2 ["4111111111111111","4242424242424242"]', 'visa:4242424242424242'],
      ['WHERE `a` = ? params ["x,4111111111111111"]', 'visa:4111111111111111'],
      ['["x","4111111111111111"]', 'visa:4111111111111111'],
      ['order_no,name\n4111111111111111,Anna'],
      ['number,name\n4111111111111111,Anna', 'visa:4111111111111111'],
    ] as const)
      expect(found(text), text).to.deep.equal(findings);
  });
});

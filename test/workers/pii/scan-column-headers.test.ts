import { expect } from 'chai';
import { found } from './found.ts';

const PESEL = '44051401359';
/** Longer than the distance within which a keyword counts. */
const LONG = 'an address with a street, a town and a country'.replaceAll(',', ' and');

describe('createScanner for a row after its header', () => {
  for (const [name, separator] of [
    ['commas', ','],
    ['semicolons', ';'],
    ['tabs', '\t'],
    ['bars', '|'],
  ] as const)
    it(`The name of a column is a keyword of its value in the next line, with ${name}`, () => {
      const text = (header: string[], row: string[]) => `${header.join(separator)}\n${row.join(separator)}`;
      expect(found(text(['id', 'name', LONG, 'pesel'], ['7', 'Anna', LONG, PESEL]))).to.deep.equal([
        `pl_pesel:${PESEL}`,
      ]);
      expect(found(text(['pesel', LONG, LONG], [PESEL, 'Anna', LONG]))).to.deep.equal([`pl_pesel:${PESEL}`]);
      expect(found(text(['id', 'pesel', 'name', LONG], ['7', 'Anna', LONG, PESEL]))).to.deep.equal([]);
      expect(found(text(['pesel', LONG], ['7', LONG, PESEL]))).to.deep.equal([]);
    });

  it('The name of a column can have quotes and other words, and any label', () => {
    for (const [name, finding] of [
      ['"PESEL klienta"', `pl_pesel:${PESEL}`],
      ["'customerPesel'", `pl_pesel:${PESEL}`],
      ['National ID', `pl_pesel:${PESEL}`],
      ['run', 'cl_rut:12531909-2'],
      ['run_job', ''],
      ['card_number', 'maestro:5641820000000005'],
      ['cédula', 'co_cc:22751316'],
    ] as const)
      for (const end of ['\n', '\r\n']) {
        const value = finding.split(':')[1] ?? '12531909-2';
        const expected = finding === '' ? [] : [finding];
        expect(found(`id,${LONG},${name}${end}7,${LONG},${value}`), name).to.deep.equal(expected);
        expect(found(`id,${LONG},${name}${end}7,${LONG},"${value}"`), name).to.deep.equal(expected);
      }
  });

  it('Other rows can be between the header and the row', () => {
    const row = (pesel: string) => `7,Anna,${LONG},${pesel}`;
    expect(found(`id,name,${LONG},pesel\n${row(PESEL)}\n${row('66010412390')}`)).to.deep.equal([
      `pl_pesel:${PESEL}`,
      'pl_pesel:66010412390',
    ]);
    expect(found(`id,name,${LONG},sum\n${row(PESEL)}\n${row('66010412390')}`)).to.deep.equal([]);
  });

  it('A line before a number is no header if it has values, no columns, or is too long', () => {
    for (const text of [
      `id,name,${LONG},pesel\n7,Anna,${LONG},x\n8,Joe,${LONG},${PESEL}`,
      `4711,name,${LONG},pesel\n7,Anna,${LONG},${PESEL}`,
      `pesel ${LONG}\n${PESEL},x`,
      `pesel,${LONG}\n\n${PESEL},x`,
      `id;${LONG};pesel\n7,${LONG},${PESEL}`,
      `id,${LONG},pesel\n7,${LONG},x ${PESEL}`,
      `id,${`${LONG},`.repeat(4)}pesel\n7,${`${LONG},`.repeat(4)}${PESEL}`,
      `id,${LONG},x-pesel-sum\n7,${LONG},44051401358`,
    ])
      expect(found(text), text).to.deep.equal([]);
  });

  it('A separator in quotes is a part of its cell', () => {
    expect(found('name,sin,province\n"Nielsen, Noah",046454286,ON')).to.deep.equal(['ca_sin:046454286']);
    expect(found(`name,${LONG},pesel\n"Nielsen, Noah",${LONG},${PESEL}`)).to.deep.equal([`pl_pesel:${PESEL}`]);
  });

  it('The name of another column is no keyword, however near it is', () => {
    expect(found('cliente,dni,pais\n85934190,36020231,AR')).to.deep.equal(['ar_dni:36020231']);
    expect(found('poliza;cédula\n69894779;22751316')).to.deep.equal(['co_cc:22751316']);
    expect(found('<cliente>53254484</cliente><dni>10.482.616</dni>')).to.deep.equal(['ar_dni:10.482.616']);
    expect(found('<dni>10482616</dni><cliente>53254484</cliente>')).to.deep.equal(['ar_dni:10482616']);
  });

  it('Keywords near a number count although its column has no keyword', () => {
    expect(found(`id,name\n7,${PESEL} (PESEL)`)).to.deep.equal([`pl_pesel:${PESEL}`]);
    expect(found(`id,note\n${PESEL} (PESEL),Anna`)).to.deep.equal([`pl_pesel:${PESEL}`]);
  });
});

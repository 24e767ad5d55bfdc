import { expect } from 'chai';
import { fileNamesOf } from '../../../../workers/notebooks/backends/jupyter-file.ts';

const id = '1a2b3c4d-0000-4000-8000-000000000000';
const nameOf = (title: string) => fileNamesOf(title, id)[0];

describe('the name of a notebook file', () => {
  for (const [title, name] of [
    ['Field notes', 'Field notes.ipynb'],
    ['  Ünïcode / "quotes" 😀 ', 'Ünïcode - quotes 😀.ipynb'],
    ['2026/05: what? <draft> a|b\\c*', '2026-05- what draft a-b-c.ipynb'],
    ['../../etc/passwd', 'etc-passwd.ipynb'],
    ['...', 'Notebook.ipynb'],
    ['.hidden.', 'hidden.ipynb'],
    ['/', 'Notebook.ipynb'],
    ['?*', 'Notebook.ipynb'],
    ['a\u0000b\nc\td', 'a b c d.ipynb'],
    ['abc\u202egpj.exe', 'abc gpj.exe.ipynb'],
    ['lone \ud800 surrogate', 'lone surrogate.ipynb'],
    ['100 % of #1 & a+b; c', '100 % of #1 & a+b; c.ipynb'],
    ['report.ipynb', 'report.ipynb'],
    ['report.IPYNB.ipynb', 'report.ipynb'],
    ['.ipynb', 'Notebook.ipynb'],
    ['e\u0301te\u0301', 'été.ipynb'],
    ['مرحبا بالعالم', 'مرحبا بالعالم.ipynb'],
    ['👩‍👩‍👧‍👦', '👩‍👩‍👧‍👦.ipynb'],
    ['CON', '_CON.ipynb'],
    ['nul.tar', '_nul.tar.ipynb'],
    ['Lpt1 ', '_Lpt1.ipynb'],
    ['com¹', '_com¹.ipynb'],
    ['console', 'console.ipynb'],
  ] as const) {
    it(`the file of ${JSON.stringify(title)} is named ${name}`, () => {
      expect(nameOf(title)).to.equal(name);
    });
  }

  it('is short enough for file systems and is not cut within a character', () => {
    for (const character of ['x', 'é', '漢', '😀', '👩‍👩‍👧‍👦', 'e\u0301\u0302']) {
      const name = nameOf(character.repeat(200)).slice(0, -'.ipynb'.length);
      expect(Buffer.byteLength(name), character).to.be.within(80, 110);
      expect(name, character).to.equal(
        character.normalize('NFC').repeat(name.length / character.normalize('NFC').length),
      );
    }
    expect(nameOf(`${'x'.repeat(109)} y`)).to.equal(`${'x'.repeat(109)}.ipynb`);
    expect(nameOf(`a${'\u0301'.repeat(200)}`)).to.equal('Notebook.ipynb');
  });

  it('has a second form with a part of the id', () => {
    expect(fileNamesOf('Field notes', id)).to.deep.equal(['Field notes.ipynb', 'Field notes (1a2b3c4d).ipynb']);
  });
});

import { expect } from 'chai';
import { fileNamesOf } from '../../../../workers/notebooks/backends/jupyter-file.ts';
import names from './notebook-file-names.json' with { type: 'json' };

const id = '1a2b3c4d-0000-4000-8000-000000000000';
const nameOf = (title: string) => fileNamesOf(title, id)[0];

describe('the name of a notebook file', () => {
  for (const [title, name] of Object.entries(names)) {
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

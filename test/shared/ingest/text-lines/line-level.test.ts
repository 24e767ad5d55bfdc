import { expect } from 'chai';
import { readLevel } from '../../../../shared/ingest/text-lines/line-level.ts';
import { levelClassOf, levelWords } from '../../../../shared/scenarios/pipeline.ts';
import linesByForm from './line-levels.json' with { type: 'json' };

describe('the level of a line', () => {
  for (const [form, lines] of Object.entries(linesByForm)) {
    it(`the level is the word ${form}`, () => {
      for (const [line = '', level] of lines as string[][])
        expect([line, readLevel(line) ?? null]).to.deep.equal([line, level]);
    });
  }

  it('every word of a level class is a level', () => {
    for (const [level, words] of Object.entries(levelWords)) {
      for (const word of words) {
        const texts = /\d/.test(word) ? [`level=${word}`] : [word.toUpperCase(), `[${word}]`, `level=${word}`];
        for (const text of texts) expect([text, levelClassOf(readLevel(`a ${text} b`))]).to.deep.equal([text, level]);
      }
    }
  });

  it('an unknown level is told from a missing one', () => {
    for (const level of ['audit', '__proto__']) expect(levelClassOf(level)).to.equal('other');
    for (const level of ['', null, undefined]) expect(levelClassOf(level)).to.equal('none');
  });

  it('a level is searched in the first 120 characters', () => {
    expect(readLevel(`${'-'.repeat(115)}ERROR text`)).to.equal('ERROR');
    expect(readLevel(`${'-'.repeat(116)}ERROR text`)).to.equal(undefined);
    expect(readLevel(`${'-'.repeat(116)}INFOS text`)).to.equal(undefined);
    expect(readLevel(`${'-'.repeat(115)}ERRORS`)).to.equal(undefined);
  });
});

import { expect } from 'chai';
import { levelClassOf, levelWords } from '../../../shared/scenarios/pipeline.ts';

describe('levelClassOf', () => {
  it('maps every word of a severity to its class, whatever its case', () => {
    for (const [level, words] of Object.entries(levelWords)) {
      for (const word of words) {
        expect(levelClassOf(word)).to.equal(level);
        expect(levelClassOf(word.toUpperCase())).to.equal(level);
      }
    }
  });

  it('tells an unknown level from a missing one', () => {
    expect(levelClassOf('audit')).to.equal('other');
    expect(levelClassOf('__proto__')).to.equal('other');
    for (const level of ['', null, undefined]) expect(levelClassOf(level)).to.equal('none');
  });
});

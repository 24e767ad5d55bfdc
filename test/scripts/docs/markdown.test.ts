import { expect } from 'chai';
import { wrap } from '../../../scripts/docs/markdown.ts';

describe('a wrapped paragraph', () => {
  it('has lines of at most 100 columns, and of one word that is longer', () => {
    const word = 'x'.repeat(49);
    const longWord = 'y'.repeat(120);
    const lines = wrap(`${word} ${word} ${word} ${longWord} z`, { first: '- ', others: '  ' }).split('\n');
    expect(lines).to.deep.equal([`- ${word}`, `  ${word}`, `  ${word}`, `  ${longWord}`, '  z']);
    expect(wrap(`${word} ${word} ${word}`).split('\n')).to.deep.equal([`${word} ${word}`, word]);
    expect(wrap(longWord)).to.equal(longWord);
  });
});

import { expect } from 'chai';
import { keyFrom } from '../../page/notebooks/entered-key.ts';

describe('entered API key', () => {
  it('a key loses the white space around it', () => {
    expect(keyFrom(' mb_abc_def\n')).to.equal('mb_abc_def');
  });

  it('is refused when it is empty or cannot be in a header', () => {
    expect(() => keyFrom('  ')).to.throw('Enter an API key.');
    for (const text of ['mb_a b', 'mb_ключ', 'mb_a\nb', 'mb_a\u0000']) {
      expect(() => keyFrom(text), JSON.stringify(text)).to.throw('only letters');
    }
  });
});

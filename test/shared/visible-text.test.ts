import { expect } from 'chai';
import { isVisible, withoutInvisible } from '../../shared/visible-text.ts';

describe('visible text', () => {
  it('has a character that leaves a mark', () => {
    for (const text of ['a', ' a ', '\u200ba', '😀', 'é', '例', '-', '👨\u200d👩'])
      expect(isVisible(text), text).to.equal(true);
  });

  it('is not text of spaces, controls, formats and fillers', () => {
    const blank = ['\u00a0\u3000', '\u0000\u0007\n', '\u200b\u200c\u200d', '\u2060\ufeff', '\u202e\u2066'];
    const fillers = ['\u3164\u115f\uffa0', '\u2800', '\ufe0f', '\u{e0020}', '\u00ad'];
    for (const text of ['', ' ', ...blank, ...fillers]) expect(isVisible(text), JSON.stringify(text)).to.equal(false);
  });

  it('stays when what is invisible is removed', () => {
    expect(withoutInvisible('a\u200b b\u00adc\u{e0041}\u0001')).to.equal('a bc');
  });
});

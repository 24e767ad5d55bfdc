import { expect } from 'chai';
import { differenceText } from '../../../page/compare/difference-text.ts';

describe('the text of a difference', () => {
  for (const [amount, share, text] of [
    ['0.123400000000', '0.0340', '$0.12 more (+3.40\u00a0%)'],
    ['-1234.560000000000', '-0.5000', '$1,234.56 less (−50.00\u00a0%)'],
    // Two significant digits below a cent.
    ['0.000100000000', '0.2000', '$0.00010 more (+20.00\u00a0%)'],
    // The first amount is zero.
    ['2.000000000000', null, '$2.00 more'],
    ['0.000000000000', '0.0000', 'no difference'],
  ] as const) {
    it(`of ${amount} is ${text}`, () => expect(differenceText({ amount, share })).to.equal(text));
  }

  it('says that an amount is not known', () => expect(differenceText(null)).to.equal('difference not known'));
});

import { expect } from 'chai';
import { differenceText } from '../../page/compare/difference-text.ts';

describe('text of a difference', () => {
  it('names the direction, the amount and the share', () => {
    expect(differenceText({ amount: '0.123400000000', share: '0.0340' })).to.equal('$0.12 more (+3.40\u00a0%)');
    expect(differenceText({ amount: '-1234.560000000000', share: '-0.5000' })).to.equal(
      '$1,234.56 less (−50.00\u00a0%)',
    );
  });

  it('has two significant digits below a cent', () => {
    expect(differenceText({ amount: '0.000100000000', share: '0.2000' })).to.equal('$0.00010 more (+20.00\u00a0%)');
    expect(differenceText({ amount: '-0.002400000000', share: '-0.2000' })).to.equal('$0.0024 less (−20.00\u00a0%)');
  });

  it('has no share where the first amount is zero', () => {
    expect(differenceText({ amount: '2.000000000000', share: null })).to.equal('$2.00 more');
  });

  it('knows equal and unknown amounts', () => {
    expect(differenceText({ amount: '0.000000000000', share: '0.0000' })).to.equal('no difference');
    expect(differenceText(null)).to.equal('difference not known');
  });
});

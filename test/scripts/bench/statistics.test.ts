import { expect } from 'chai';
import { median, percentile } from '../../../scripts/bench/statistics.ts';

describe('statistics of the bench', () => {
  it('the median and percentiles are values of a list in any order, which stays as it is', () => {
    const values = [9, 10, 3, 1, 2];
    expect(median(values)).to.equal(3);
    expect([0, 0.2, 0.99, 1].map((share) => percentile(values, share))).to.deep.equal([1, 2, 10, 10]);
    expect(values).to.deep.equal([9, 10, 3, 1, 2]);
  });

  it('the median of two values is the greater one', () => {
    expect(median([4, 2])).to.equal(4);
  });

  it('a percentile without values is not a number', () => {
    expect(percentile([], 0.5)).to.be.NaN;
  });
});

import { expect } from 'chai';
import { jitteredPause, longestPause } from '../../../workers/notebooks/jittered-pause.ts';

describe('the pause between attempts at a notebook call', () => {
  it('doubles up to a second', () => {
    const pauses = [1, 2, 3, 4, 5, 6, 500].map((attempt) => longestPause(attempt, 0));
    expect(pauses).to.deep.equal([100, 200, 400, 800, 1000, 1000, 1000]);
  });

  it('differs from job to job, within its bounds', () => {
    const pauses = Array.from({ length: 200 }, () => jitteredPause(4, 0));
    expect(Math.min(...pauses)).to.be.at.least(400);
    expect(Math.max(...pauses)).to.be.at.most(800);
    expect(new Set(pauses).size).to.be.above(10);
  });

  it('is never shorter than the other side asks', () => {
    for (let count = 0; count < 100; count += 1) expect(jitteredPause(1, 3000)).to.equal(3000);
    expect(longestPause(1, 3000)).to.equal(3000);
  });
});

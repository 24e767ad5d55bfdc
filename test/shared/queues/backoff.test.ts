import { expect } from 'chai';
import { second } from '../../../shared/durations.ts';
import { AppError } from '../../../shared/errors.ts';
import { cappedBackoff, jitteredBackoff, longestPause } from '../../../shared/queues/define-queue.ts';
import { RetryableFailure } from '../../../shared/queues/job-failure.ts';

describe('the pause between two attempts of a job', () => {
  const limits = { first: 100, longest: 1 * second };
  const failure = new Error('it failed');
  const retryAfter = (ms: number) => new RetryableFailure(new AppError('UPSTREAM_ERROR', 'It is busy.'), undefined, ms);

  it('doubles up to the limit of the queue', () => {
    const pauses = [1, 2, 3, 4, 8, 20, 5000].map((attempt) => cappedBackoff(30 * second)(attempt, failure));
    expect(pauses).to.deep.equal([250, 500, 1000, 2000, 30_000, 30_000, 30_000]);
  });

  it('doubles up to the limit with jitter too', () => {
    const pauses = [1, 2, 3, 4, 5, 6, 500].map((attempt) => longestPause(limits, attempt, 0));
    expect(pauses).to.deep.equal([100, 200, 400, 800, 1000, 1000, 1000]);
  });

  it('differs from job to job with jitter, within its bounds', () => {
    const pauses = Array.from({ length: 200 }, () => jitteredBackoff(limits)(4, failure));
    expect(Math.min(...pauses)).to.be.at.least(400);
    expect(Math.max(...pauses)).to.be.at.most(longestPause(limits, 4, 0));
    expect(new Set(pauses).size).to.be.above(10);
  });

  it('is never shorter than Retry-After', () => {
    for (let count = 0; count < 100; count += 1) {
      expect(jitteredBackoff(limits)(1, retryAfter(3000))).to.equal(3000);
      expect(jitteredBackoff(limits)(4, retryAfter(500))).to.be.within(500, longestPause(limits, 4, 500));
    }
    expect(longestPause(limits, 1, 3000)).to.equal(3000);
  });
});

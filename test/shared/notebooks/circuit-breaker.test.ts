import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { createCircuitBreaker } from '../../../shared/notebooks/circuit-breaker.ts';
import { getTestServers } from '../../support/test-servers.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('the circuit breaker', () => {
  let redis: Redis;
  const fresh = (options: { minFailureTime?: number } = {}) => {
    const all = { redis, prefix: `${getTestServers().prefix}_${randomUUID()}`, ...options };
    return [createCircuitBreaker(all), createCircuitBreaker(all)] as const;
  };

  before(async () => {
    redis = new Redis(getTestServers().redisUrl);
  });
  after(() => {
    redis.disconnect();
  });

  it('is closed at first, and after a hundred concurrent failures', async () => {
    const [breaker, other] = fresh();
    expect(await other.state()).to.deep.equal({ open: false, failures: 0, reason: '' });
    await Promise.all(Array.from({ length: 100 }, () => breaker.recordFailure('reset')));
    expect(await breaker.state()).to.deep.equal({ open: false, failures: 100, reason: 'reset' });
    await waitUntil('the other process to see the failures', async () => (await other.state()).failures === 100);
  });

  it('opens for all processes when failures last, and closes after the first success', async () => {
    const [one, other] = fresh({ minFailureTime: 300 });
    await one.recordProbe('');
    expect(await one.claimProbe()).to.equal(false);
    await waitUntil('the circuit to open', () => one.recordFailure('refused'));
    expect(await other.state()).to.include({ open: true, reason: 'refused' });
    expect(await Promise.all([one, other, one, other].map((breaker) => breaker.claimProbe()))).to.have.members([
      true,
      false,
      false,
      false,
    ]);
    await other.recordSuccess();
    expect(await one.state()).to.deep.equal({ open: false, failures: 0, reason: '' });
  });

  it('has a problem until a probe finds none, and while the circuit is open', async () => {
    const [one, other] = fresh({ minFailureTime: 0 });
    expect(await one.problem()).to.equal('no worker has probed it yet');
    expect(await one.claimProbe()).to.equal(true);
    expect(await one.recordProbe('it refuses changes')).to.equal(true);
    expect(await other.recordProbe('it refuses changes')).to.equal(false);
    expect([await other.problem(), (await other.state()).open]).to.deep.equal(['it refuses changes', false]);
    expect(await other.recordProbe('')).to.equal(true);
    expect(await one.problem()).to.equal('');
    await waitUntil('the circuit to open', () => one.recordFailure('it is unreachable'));
    expect(await other.problem()).to.equal('it is unreachable');
    await one.recordSuccess();
    expect(await other.problem()).to.equal('');
  });

  it('does not open while some calls succeed', async () => {
    const options = { minFailureTime: 1000 };
    const [[breaker], [failing]] = [fresh(options), fresh(options)];
    const failTenTimes = () => Promise.all(Array.from({ length: 10 }, () => breaker.recordFailure('reset')));
    expect(await failTenTimes()).not.to.include(true);
    await breaker.recordSuccess();
    await waitUntil('a circuit without a success to open', () => failing.recordFailure('reset'));
    expect(await failTenTimes()).not.to.include(true);
  });
});

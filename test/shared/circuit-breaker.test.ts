import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { circuitBreaker } from '../../shared/circuit-breaker.ts';
import { testServers } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('the circuit breaker', () => {
  let redis: Redis;
  const fresh = (options: { openAfterMs?: number } = {}) => {
    const all = { redis, prefix: `${testServers().prefix}_${randomUUID()}`, ...options };
    return [circuitBreaker(all), circuitBreaker(all)] as const;
  };

  before(async () => {
    redis = new Redis(testServers().redisUrl);
  });
  after(() => {
    redis.disconnect();
  });

  it('is closed at first, and after a hundred failures of one moment', async () => {
    const [breaker, other] = fresh();
    expect(await other.state()).to.deep.equal({ open: false, failures: 0, reason: '' });
    await Promise.all(Array.from({ length: 100 }, () => breaker.failed('reset')));
    expect(await breaker.state()).to.deep.equal({ open: false, failures: 100, reason: 'reset' });
    await waitUntil('others to hear of it', async () => (await other.state()).failures === 100);
  });

  it('opens for everybody once failures have lasted, and closes with the first success', async () => {
    const [one, other] = fresh({ openAfterMs: 300 });
    expect(await one.takeProbe()).to.equal(false);
    await waitUntil('it to open', () => one.failed('refused'));
    expect(await other.state()).to.include({ open: true, reason: 'refused' });
    expect(await Promise.all([one, other, one, other].map((breaker) => breaker.takeProbe()))).to.have.members([
      true,
      false,
      false,
      false,
    ]);
    await other.succeeded();
    expect(await one.state()).to.deep.equal({ open: false, failures: 0, reason: '' });
  });

  it('does not open while there are successes between', async () => {
    const options = { openAfterMs: 1000 };
    const [[breaker], [failing]] = [fresh(options), fresh(options)];
    const failTenTimes = () => Promise.all(Array.from({ length: 10 }, () => breaker.failed('reset')));
    expect(await failTenTimes()).not.to.include(true);
    await breaker.succeeded();
    await waitUntil('a circuit without a success to open', () => failing.failed('reset'));
    expect(await failTenTimes()).not.to.include(true);
  });
});

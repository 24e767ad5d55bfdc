import { isLongForm } from '../support/long-form.ts';
import { type RedisWithSentinel, startRedisWithSentinel } from '../support/redis-sentinel.ts';
import { sendUntilEnd } from '../support/send-until-end.ts';
import { startTestService } from '../support/test-service.ts';

describe('with a Redis that Sentinel watches', () => {
  let redis: RedisWithSentinel;
  const service = startTestService({
    environment: async () => {
      redis = await startRedisWithSentinel();
      return { REDIS_URL: redis.url };
    },
  });
  after(() => redis.close());

  it('loses nothing that it acknowledged and counts nothing twice while masters are killed', () =>
    sendUntilEnd(service, { disturbances: isLongForm ? 3 : 1, disturb: () => redis.failOver() }));
});

import { hostname } from 'node:os';
import { readConfig } from '../shared/config/config.ts';
import { closeRedis, openRedis } from '../shared/connections/redis.ts';
import { readHeartbeats } from '../shared/process/heartbeat.ts';
import { createLog } from '../shared/process/log.ts';
import { runMain } from '../shared/start.ts';

/**
 * Health check of a container: exits with 0 if a worker of this host is running, makes progress and
 * reaches the database.
 */
await runMain(async () => {
  const config = readConfig(process.env);
  const redis = await openRedis(config.redisUrl, 'request', createLog({ level: 'error', process: 'worker' }));
  const heartbeats = await readHeartbeats(redis, config.redisPrefix);
  await closeRedis(redis);
  const isHealthy = heartbeats.some(
    ({ host, mongodb, state }) => host === hostname() && mongodb === 'up' && state === 'up',
  );
  process.exit(isHealthy ? 0 : 1);
});

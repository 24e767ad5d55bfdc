import type { Server } from 'node:http';
import type { Redis } from 'ioredis';
import type { Connection } from 'mongoose';
import { createApp } from '../../api/app.ts';
import { stopListening } from '../../api/listen.ts';
import { createModels } from '../../shared/models/index.ts';
import { openMongo } from '../../shared/mongo.ts';
import { openRedis } from '../../shared/redis.ts';
import { listenAnywhere, sendRequest, type TestService } from './test-service.ts';

/** The API once more, on the same database and Redis by connections of its own, as a second web process has them. */
export function secondWeb(service: TestService): Pick<TestService, 'request' | 'url'> {
  let opened: { server: Server; url: string; mongo: Connection; redis: Redis } | undefined;
  const url = () => {
    if (!opened) throw new Error('The second web runs inside tests and hooks only.');
    return opened.url;
  };
  before(async () => {
    const { config, log } = service.app;
    const mongo = await openMongo(config.mongodbUrl);
    const redis = await openRedis(config.redisUrl, 'request', log);
    const app = createApp({ ...service.app, mongo, models: createModels(mongo), redis });
    opened = { ...(await listenAnywhere(app)), mongo, redis };
  });
  after(async () => {
    if (!opened) return;
    await stopListening(opened.server, 0);
    await opened.mongo.close();
    opened.redis.disconnect();
  });
  return {
    get url() {
      return url();
    },
    request: (method, path, options) => sendRequest(url(), method, path, options),
  };
}

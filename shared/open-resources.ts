import type { Redis } from 'ioredis';
import type { Connection } from 'mongoose';
import { openQueues, type Queues } from './all-queues.ts';
import type { Config } from './config/config.ts';
import type { MongoRole } from './connections/mongo.ts';
import { closeRedis, type RedisRole } from './connections/redis.ts';
import { openPriceBooks, type PriceBooks } from './cost/price-books.ts';
import { createFileStore, type FileStore } from './files/file-store.ts';
import { type Backlog, createBacklog } from './ingest/backlog.ts';
import { createModels, type Models } from './models.ts';
import { type CircuitBreaker, createCircuitBreaker } from './notebooks/circuit-breaker.ts';
import type { Log } from './process/log.ts';
import type { ShutdownStep } from './process/shutdown.ts';
import { connectMongo, connectRedis, explainDatabaseErrors } from './start.ts';

/** Everything that each process needs, whatever it does. */
export interface Resources {
  config: Config;
  log: Log;
  mongo: Connection;
  models: Models;
  redis: Redis;
  queues: Queues;
  backlog: Backlog;
  priceBooks: PriceBooks;
  reportFiles: FileStore;
  notebookBreaker: CircuitBreaker;
}

/**
 * Opens the connections of a process and what is made of them.
 * @param options how long commands wait while a server is unreachable.
 * @returns them, and the steps that close them again, in order.
 * @throws StartError if the database or Redis is unreachable.
 */
export async function openResources(
  config: Config,
  log: Log,
  options: { mongo: MongoRole; redis: RedisRole },
): Promise<{ resources: Resources; closing: readonly ShutdownStep[] }> {
  const { redisPrefix: prefix } = config;
  const mongo = await connectMongo(config, options.mongo);
  const redis = await connectRedis(config, options.redis, log);
  const queues = openQueues({ redis, prefix, log });
  const models = createModels(mongo);
  const priceBooks = await explainDatabaseErrors(config, () => openPriceBooks({ models, log }));
  return {
    resources: {
      config,
      log,
      mongo,
      models,
      redis,
      queues,
      backlog: createBacklog(models, { maxBytes: config.ingest.maxBacklogBytes }),
      priceBooks,
      reportFiles: createFileStore(mongo, 'report_files'),
      notebookBreaker: createCircuitBreaker({ redis, prefix }),
    },
    closing: [
      { name: 'price books', run: async () => priceBooks.close() },
      { name: 'queues', run: () => queues.close() },
      { name: 'Redis', run: () => closeRedis(redis) },
      { name: 'MongoDB', run: () => mongo.close() },
    ],
  };
}

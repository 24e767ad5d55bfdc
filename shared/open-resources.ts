import type { Connection } from 'mongoose';
import { openQueues, type Queues } from './all-queues.ts';
import type { Config } from './config/config.ts';
import type { MongoRole } from './connections/mongo.ts';
import { closeRedis, type RedisRole } from './connections/redis.ts';
import { type RedisClient, taggedPrefix } from './connections/redis-client.ts';
import { openReplication, type Replication } from './connections/replication.ts';
import { openPriceBooks, type PriceBooks } from './cost/price-books.ts';
import type { FileStores } from './files/file-store.ts';
import { openFileStores } from './files/file-stores.ts';
import { createIngestOverflow, type IngestOverflow } from './ingest/ingest-overflow.ts';
import { createIngestSpool, type IngestSpool } from './ingest/ingest-spool.ts';
import { noteIngestStripes } from './ingest/ingest-stripes.ts';
import { createModels, type Models } from './models.ts';
import { type CircuitBreaker, createCircuitBreaker } from './notebooks/circuit-breaker.ts';
import type { Log } from './process/log.ts';
import type { ShutdownStep } from './process/shutdown.ts';
import { stripeName } from './queues/stripes.ts';
import { createReportFiles, type ReportFiles } from './reports/report-files.ts';
import { connectMongo, connectRedis, explainDatabaseErrors } from './start.ts';

/** Everything that each process needs, whatever it does. */
export interface Resources {
  config: Config;
  log: Log;
  mongo: Connection;
  models: Models;
  redis: RedisClient;
  replication: Replication;
  queues: Queues;
  spool: IngestSpool;
  overflow: IngestOverflow;
  priceBooks: PriceBooks;
  files: FileStores;
  reportFiles: ReportFiles;
  notebookBreaker: CircuitBreaker;
}

/**
 * Opens the connections of a process and what is made of them.
 * @param options how long commands wait while a server is unreachable; whether a store of files
 * without an owner gets this installation, which is the default.
 * @returns them, and the steps that close them again, in order.
 * @throws StartError if the database or Redis is unreachable.
 */
export async function openResources(
  config: Config,
  log: Log,
  options: { mongo: MongoRole; redis: RedisRole; claimsFiles?: boolean },
): Promise<{ resources: Resources; closing: readonly ShutdownStep[] }> {
  const { redisPrefix: prefix } = config;
  const mongo = await connectMongo(config, options.mongo);
  const redis = await connectRedis(config, options.redis, log);
  const stripes = await noteIngestStripes({ redis, prefix }, config.ingest.queues);
  const replication = await openReplication({
    redis,
    keyOf: (stripe) => `${taggedPrefix(prefix, stripeName('ingest-entries', stripe))}:replication`,
    stripes,
    replicas: config.redisReplicas,
  });
  const queues = openQueues({ redis, prefix, log, stripes });
  const models = createModels(mongo);
  const { installation } = models;
  const files = await explainDatabaseErrors(config, () =>
    openFileStores(config, { mongo, installation, role: options.mongo, log, claims: options.claimsFiles ?? true }),
  );
  const priceBooks = await explainDatabaseErrors(config, () => openPriceBooks({ models, log }));
  return {
    resources: {
      config,
      log,
      mongo,
      models,
      redis,
      replication,
      queues,
      spool: createIngestSpool({ redis, prefix, key: config.keys.spool, stripes }),
      overflow: createIngestOverflow({
        model: models.overflowedBatch,
        files,
        key: config.keys.spool,
        config,
      }),
      priceBooks,
      files,
      reportFiles: createReportFiles(files.reports),
      notebookBreaker: createCircuitBreaker({ redis, prefix }),
    },
    closing: [
      { name: 'price books', run: async () => priceBooks.close() },
      { name: 'queues', run: () => queues.close() },
      { name: 'replicas of Redis', run: async () => replication.close() },
      { name: 'Redis', run: () => closeRedis(redis) },
      { name: 'MongoDB', run: () => mongo.close() },
    ],
  };
}

import { Worker } from 'bullmq';
import { readConfig } from '../../shared/config.ts';
import { ingestSpool } from '../../shared/ingest-spool.ts';
import { createLog } from '../../shared/log.ts';
import { allQueues } from '../../shared/queues/index.ts';
import { openRedis } from '../../shared/redis.ts';

/** Baseline (a), the worker side: a processor that returns at once. Spooled entries are dropped, so that Redis stays small. */
const config = readConfig(process.env);
const redis = await openRedis(config.redisUrl, 'worker', createLog({ level: config.logLevel, process: 'worker' }));
const spool = ingestSpool({ redis, prefix: config.redisPrefix, key: config.spoolKey });
const worker = new Worker(
  'ingest-entries',
  async (job) => {
    const { batchId, count } = allQueues['ingest-entries'].parse(job.data);
    await spool.clear(batchId);
    return { accepted: count };
  },
  { connection: redis, prefix: config.redisPrefix, concurrency: config.ingest.concurrency },
);
worker.on('error', (error) => console.error(error.message));

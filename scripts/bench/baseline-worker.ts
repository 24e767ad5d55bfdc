import { Worker } from 'bullmq';
import { readConfig } from '../../shared/config/config.ts';
import { openRedis } from '../../shared/connections/redis.ts';
import { allQueues } from '../../shared/queues/index.ts';
import { startHeartbeat } from '../../shared/runtime/heartbeat.ts';
import { createLog } from '../../shared/runtime/log.ts';
import { createIngestSpool } from '../../shared/services/ingest-spool.ts';

/**
 * The worker of baseline (a), with a processor that returns at once. The processor writes nothing, so the web process
 * finds no batch, and answers 404 after all other work for a batch. The spool is cleared to limit the memory of Redis.
 */
const config = readConfig(process.env);
const log = createLog({ level: config.logLevel, process: 'worker' });
const redis = await openRedis(config.redisUrl, 'worker', log);
const spool = createIngestSpool({ redis, prefix: config.redisPrefix, key: config.spoolKey });
const worker = new Worker(
  'ingest-entries',
  async (job) => {
    const { batchId, count } = allQueues['ingest-entries'].parse(job.data);
    await spool.clear(batchId);
    return { accepted: count };
  },
  { connection: redis, prefix: config.redisPrefix, concurrency: config.concurrency['ingest-entries'] },
);
worker.on('error', (error) => log.warn(error.message));
await startHeartbeat(redis, config.redisPrefix, log);

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import Koa from 'koa';
import type { AppState } from '../../api/context.ts';
import { listen } from '../../api/listen.ts';
import { logEntrySchema } from '../../api/routes/ingest/ingest.schemas.ts';
import { readEntries } from '../../api/routes/ingest/read-entries.ts';
import { createWaitForJob } from '../../api/wait-for-job.ts';
import { readConfig } from '../../shared/config.ts';
import { ingestSpool } from '../../shared/ingest-spool.ts';
import { createLog } from '../../shared/log.ts';
import { loadPriceBook } from '../../shared/pricing/price-book.ts';
import { openQueues } from '../../shared/queues/index.ts';
import { openRedis } from '../../shared/redis.ts';

/**
 * Baseline (a), the web side: the same request, read and checked by the same code, through the same spool and queue;
 * but there is no database, and the answer is a count.
 */
const config = readConfig(process.env);
const log = createLog({ level: config.logLevel, process: 'web' });
const redis = await openRedis(config.redisUrl, 'request', log);
const events = await openRedis(config.redisUrl, 'worker', log);
const { redisPrefix: prefix } = config;
const queues = openQueues({ redis, prefix, log });
const waitForJob = await createWaitForJob({ names: ['ingest-entries'], redis: events, queues, prefix, log });
const spool = ingestSpool({ redis, prefix, key: config.spoolKey });
const schema = logEntrySchema(loadPriceBook());

const app = new Koa<AppState>();
app.use(async (ctx) => {
  if (ctx.method === 'GET') {
    ctx.body = { status: 'ok' };
    return;
  }
  const receivedAt = Date.now();
  const { valid } = await readEntries(ctx, schema, config.ingest.maxBytes);
  const batchId = randomUUID();
  const outcome = await waitForJob('ingest-entries', batchId, config.ingest.waitMs, async () => {
    const entries = valid.map(({ index, entry }) => ({ timestamp: receivedAt, ...entry, index }));
    await spool.write(batchId, { receivedAt, entries });
    await queues['ingest-entries'].add(
      { batchId, scenarioId: ctx.get('X-Scenario-ID'), requestId: randomUUID(), count: valid.length },
      { jobId: batchId },
    );
  });
  ctx.status = outcome.state === 'completed' ? 200 : 500;
  ctx.body = { accepted: valid.length };
});
const handle = app.callback();
await listen(
  createServer((request, response) => void handle(request, response)),
  config,
);

import Router from '@koa/router';
import { AppError } from '../../../shared/errors.ts';
import { findLogBatch, type LogBatch } from '../../../shared/models/log-batch.model.ts';
import { createEntryPricer } from '../../../shared/pricing/entry-cost.ts';
import type { IngestEntriesPayload } from '../../../shared/queues/ingest-entries.queue.ts';
import { decodeFailure } from '../../../shared/queues/job-failure.ts';
import { onRedis } from '../../../shared/redis.ts';
import type { AppDeps } from '../../app-deps.ts';
import { sendWithTag } from '../../middleware/entity-tag.ts';
import type { AppContext, AppState } from '../../request/context.ts';
import { validate } from '../../validation/validate.ts';
import { presentBatch } from '../ingest/ingest.presenter.ts';
import { ingestJobPath } from '../ingest/ingest.schemas.ts';

/** `GET /api/v1/ingest-jobs/{id}`: what became of accepted log entries. */
export function ingestJobRoutes({ models, queues, priceBook, config }: AppDeps): Router<AppState> {
  const router = new Router<AppState>({ prefix: '/api/v1/ingest-jobs' });

  router.get('/:id', async (ctx) => {
    const { id } = validate(ingestJobPath, ctx.params);
    const batch = await findCounted(id);
    if (batch) await sendCompleted(ctx, batch);
    else ctx.body = await presentUnderWay(id);
  });

  return router;

  /** The batch, once its usage is written too: then its entries can be looked up and count. */
  async function findCounted(id: string): Promise<LogBatch | null> {
    const [batch, counted] = await Promise.all([
      findLogBatch(models.logBatch, id),
      models.usageRecord.exists({ _id: id }),
    ]);
    return counted ? batch : null;
  }

  async function sendCompleted(ctx: AppContext, batch: LogBatch): Promise<void> {
    // What is done does not change any more; the prices might.
    sendWithTag(ctx, `"${priceBook.version}"`, await presentCompleted(batch));
  }

  async function presentCompleted(batch: LogBatch) {
    const scenario = await models.scenario.findOne({ _id: batch.scenarioId, deletedAt: null }, { region: 1 }).lean();
    if (!scenario) throw unknown(batch._id);
    const pricer = createEntryPricer({ region: scenario.region, book: priceBook, fallback: config.priceFallback });
    return {
      job_id: batch._id,
      scenario_id: batch.scenarioId,
      status: 'completed',
      accepted: batch.entries.length,
      ...presentBatch(batch, pricer),
      error: null,
    };
  }

  async function presentUnderWay(id: string) {
    const job = await onRedis(() => queues['ingest-entries'].queue.getJob(id));
    if (!job) throw unknown(id);
    const { scenarioId, count } = job.data as IngestEntriesPayload;
    if (job.finishedOn && !job.failedReason) {
      // Done since the look into the database; or its scenario is deleted.
      const batch = await findCounted(id);
      if (!batch) throw unknown(id);
      return presentCompleted(batch);
    }
    const failure = job.finishedOn && job.failedReason ? decodeFailure(job.failedReason) : null;
    return {
      job_id: id,
      scenario_id: scenarioId,
      status: failure ? 'failed' : (await onRedis(() => job.isActive())) ? 'processing' : 'queued',
      accepted: count,
      results: null,
      totals: null,
      error: failure && { code: failure.code, message: failure.message },
    };
  }
}

function unknown(id: string): AppError {
  return new AppError('NOT_FOUND', `Ingest job ${id} does not exist.`);
}

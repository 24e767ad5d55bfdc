import { randomUUID } from 'node:crypto';
import Router from '@koa/router';
import { AppError, type Fault, statusOfCode, unavailable, validationError } from '../../../shared/errors.ts';
import type { SpooledBatch } from '../../../shared/ingest-spool.ts';
import { findLogBatch, type LogBatch } from '../../../shared/models/log-batch.model.ts';
import type { Scenario } from '../../../shared/models/scenario.model.ts';
import { createEntryPricer, type EntryPricer } from '../../../shared/pricing/entry-cost.ts';
import { onRedis } from '../../../shared/redis.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { AppContext, AppState } from '../../request/context.ts';
import { validateQuery } from '../../validation/query.ts';
import { validate } from '../../validation/validate.ts';
import { findScenario } from '../scenarios/scenario-store.ts';
import { presentBatch } from './ingest.presenter.ts';
import { ingestQuery, logEntrySchema, scenarioHeader } from './ingest.schemas.ts';
import { faultsOf, type ReadEntries, readEntries } from './read-entries.ts';

/** `POST /ingest`: log entries of a running scenario, on their way to a worker and back as what it made of them. */
export function ingestRoutes(deps: AppDeps): Router<AppState> {
  const { config, models, queues, spool, waitForJob, priceBook } = deps;
  const router = new Router<AppState>();
  const schema = logEntrySchema(priceBook);

  router.post('/ingest', async (ctx) => {
    const { 'X-Scenario-ID': scenarioId } = validate(scenarioHeader, { 'X-Scenario-ID': ctx.get('X-Scenario-ID') });
    const { partial } = validateQuery(ingestQuery, ctx);
    const { operation } = ctx.state;
    // The batch is kept, and carries the operation's id.
    if (operation) operation.canAnswerAgain = true;
    const answered = operation?.answered ?? null;
    const receivedAt = Date.now();
    const entries = await readEntries(ctx, schema, config.ingest.maxBytes);
    if (entries.invalid.length > 0 && (entries.single || !partial)) throw validationError(faultsOf(entries));
    // Looked at once the whole body is there, however long it took to come: a stop refuses new entries at once.
    const [scenario, isFull] = await Promise.all([
      findScenario(models, scenarioId),
      answered === null && backlogIsFull(),
    ]);
    if (answered === null) refuseUnlessRunning(scenario);
    if (isFull) throw unavailable('Too many log entries are waiting to be processed; send these again later.', 5);
    if (entries.valid.length === 0) {
      answerNone(ctx, entries);
      return;
    }
    const batchId = operation?.id ?? randomUUID();
    const spooled = {
      receivedAt,
      entries: entries.valid.map(({ index, entry }) => ({ timestamp: receivedAt, ...entry, index })),
    };
    // What was answered with 202 is answered so again, whatever has become of it.
    const batch = answered === 202 ? null : await processed(ctx, scenarioId, batchId, spooled);
    if (!batch) {
      answerLater(ctx, batchId, entries);
      return;
    }
    const { region } = scenario;
    answer(ctx, batch, entries, createEntryPricer({ region, book: priceBook, fallback: config.priceFallback }));
  });

  return router;

  /** Has a worker process the entries. @returns the batch; null where it is not waited for, or takes longer. */
  async function processed(
    ctx: AppContext,
    scenarioId: string,
    batchId: string,
    spooled: SpooledBatch,
  ): Promise<LogBatch | null> {
    const { requestId, operation } = ctx.state;
    const before = operation?.attemptedBefore ? await findLogBatch(models.logBatch, batchId) : null;
    if (before) return before;
    const enqueue = () =>
      onRedis(async () => {
        await spool.write(batchId, spooled);
        await queues['ingest-entries'].add(
          { batchId, scenarioId, requestId, count: spooled.entries.length },
          { jobId: batchId },
        );
      });
    if (prefersAsync(ctx)) {
      await enqueue();
      ctx.set('Preference-Applied', 'respond-async');
      return null;
    }
    const outcome = await waitForJob('ingest-entries', batchId, config.ingest.waitMs, enqueue);
    if (outcome.state === 'failed') throw outcome.error;
    if (outcome.state === 'pending') return null;
    const batch = await findLogBatch(models.logBatch, batchId);
    if (!batch) throw new AppError('NOT_FOUND', `Scenario ${scenarioId} was deleted meanwhile.`);
    return batch;
  }

  async function backlogIsFull(): Promise<boolean> {
    const counts = await onRedis(() => queues['ingest-entries'].queue.getJobCounts('wait', 'delayed'));
    return Object.values(counts).reduce((sum, count) => sum + count, 0) > config.ingest.maxBacklog;
  }
}

function refuseUnlessRunning({ _id: id, status }: Scenario): void {
  if (status !== 'running') {
    throw new AppError('INVALID_STATE', `Scenario ${id} is ${status}; to take log entries, it must be running.`);
  }
}

function prefersAsync(ctx: AppContext): boolean {
  return ctx
    .get('Prefer')
    .split(',')
    .some((preference) => /^respond-async$/i.test((preference.split(';')[0] ?? '').trim()));
}

/** 207 of a partial batch without a good entry. */
function answerNone(ctx: AppContext, entries: ReadEntries): void {
  ctx.status = 207;
  ctx.body = { accepted: 0, rejected: entries.invalid.length, results: rejections(entries), totals: null };
}

/** 202: accepted for good, and where to ask what became of it. */
function answerLater(ctx: AppContext, batchId: string, entries: ReadEntries): void {
  const statusUrl = `/api/v1/ingest-jobs/${batchId}`;
  ctx.status = 202;
  ctx.set('Location', statusUrl);
  ctx.body = {
    job_id: batchId,
    status: 'queued',
    status_url: statusUrl,
    accepted: entries.valid.length,
    ...(entries.invalid.length > 0 ? { rejected: entries.invalid.length, results: rejections(entries) } : {}),
  };
}

function answer(ctx: AppContext, batch: LogBatch, entries: ReadEntries, pricer: EntryPricer): void {
  const { results, totals } = presentBatch(batch, pricer);
  if (entries.single) {
    ctx.body = results[0];
    return;
  }
  if (entries.invalid.length === 0) {
    ctx.body = { accepted: results.length, results, totals };
    return;
  }
  const inOrder: unknown[] = [];
  entries.valid.forEach(({ index }, position) => {
    inOrder[index] = results[position];
  });
  for (const rejection of rejections(entries)) inOrder[rejection.index] = rejection;
  ctx.status = 207;
  ctx.body = { accepted: results.length, rejected: entries.invalid.length, results: inOrder, totals };
}

interface Rejection {
  index: number;
  status: number;
  error: { code: 'VALIDATION_ERROR'; message: string; details: Fault[] };
}

function rejections({ invalid }: ReadEntries): Rejection[] {
  return invalid.map(({ index, faults }) => ({
    index,
    status: statusOfCode.VALIDATION_ERROR,
    error: { code: 'VALIDATION_ERROR', message: validationError(faults).message, details: faults },
  }));
}

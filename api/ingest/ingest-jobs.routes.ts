import { type Static, Type } from 'typebox';
import { withRedis } from '../../shared/connections/redis.ts';
import { AppError } from '../../shared/errors.ts';
import type { IngestEntriesPayload } from '../../shared/ingest/ingest-entries.queue.ts';
import { findLogBatch, type LogBatch } from '../../shared/ingest/log-batch.model.ts';
import { decodeFailure, endOf } from '../../shared/queues/job-failure.ts';
import type { RouteDeps } from '../app-deps.ts';
import { openAccess } from '../http/access/access-rules.ts';
import { isVisible, type OwnedScenarios } from '../http/access/ownership.ts';
import { contentTag } from '../http/entity-tag.ts';
import { Joi, uuid as uuidInput } from '../http/joi.ts';
import { JsonText } from '../http/json-text.ts';
import { json, reply } from '../http/response.ts';
import { count, nullable, oneOf, uuid } from '../http/response-types.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { batchTotals, logResponse } from './ingest.responses.ts';
import { ingestTag } from './ingest.routes.ts';

const ingestJobPath = Joi.object<{ id: string }>({ id: uuidInput().required() });

const ingestJobResponse = Type.Object(
  {
    job_id: uuid(),
    scenario_id: uuid(),
    status: oneOf(['queued', 'processing', 'completed', 'failed']),
    accepted: count(),
    results: nullable(Type.Array(logResponse)),
    totals: nullable(batchTotals),
    error: nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  },
  { $id: 'IngestJob' },
);
type IngestJob = Static<typeof ingestJobResponse>;

type Deps = Pick<RouteDeps, 'models' | 'queues' | 'presentBatch' | 'priceBooks'> & { scenarios: OwnedScenarios };

/** `GET /api/v1/ingest-jobs/{id}`: the state of accepted log entries. */
export function ingestJobRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/ingest-jobs/{id}',
      operationId: 'getIngestJob',
      tag: ingestTag,
      summary: 'Read the state of accepted log entries, with their results once they are processed',
      access: openAccess('ingest'),
      params: ingestJobPath,
      responses: { 200: json(ingestJobResponse, { optionalHeaders: ['ETag'] }) },
      errors: { NOT_FOUND: 'The job does not exist.', SERVICE_UNAVAILABLE: 'The queue is unreachable.' },
      handle: async ({ params: { id }, scenarios }, routeDeps) => {
        const deps = { ...routeDeps, scenarios };
        const batch = await findCounted(id, deps);
        if (!batch) return presentUnfinished(id, deps);
        return presentCompleted(batch, deps);
      },
    }),
  ];
}

/**
 * Finds the batch, but only if its usage record exists as well. Once the usage record exists, the
 * entries of the batch are part of the metrics.
 */
async function findCounted(id: string, { models }: Deps): Promise<LogBatch | null> {
  const [batch, counted] = await Promise.all([
    findLogBatch(models.logBatch, id),
    models.usageRecord.exists({ _id: id }),
  ]);
  return counted ? batch : null;
}

async function presentCompleted(batch: LogBatch, { scenarios, presentBatch, priceBooks }: Deps) {
  const { model, visible } = scenarios;
  const scenario = await model.findOne({ _id: batch.scenarioId, deletedAt: null, ...visible }).lean();
  if (!scenario) throw notFound(batch._id);
  const book = await priceBooks.ofScenario(scenario);
  const { count, results, totals } = presentBatch(batch, scenario, book);
  const job = JsonText.object<IngestJob>({
    job_id: JsonText.write(batch._id),
    scenario_id: JsonText.write(batch.scenarioId),
    status: JsonText.write('completed'),
    accepted: JsonText.write(count),
    results,
    totals,
    error: JsonText.write(null),
  });
  // The results of a completed job change only with the prices and the assumptions.
  return reply(200, job, { ETag: contentTag([book.version, scenario.assumptions]) });
}

async function presentUnfinished(id: string, deps: Deps) {
  const job = await withRedis(() => deps.queues['ingest-entries'].findJob(id));
  if (!job) return presentOverflowed(id, deps);
  const { scenarioId, count } = job.data as IngestEntriesPayload;
  if (!(await isVisible(deps.scenarios, scenarioId))) throw notFound(id);
  const end = endOf(job);
  if (end === 'completed') {
    // The job can have been completed after the first read of the batch, so the batch is read
    // again. If there is still none, the scenario has been deleted.
    const batch = await findCounted(id, deps);
    if (!batch) throw notFound(id);
    return presentCompleted(batch, deps);
  }
  const failure = end === 'failed' ? decodeFailure(job.failedReason) : null;
  const status = failure ? 'failed' : (await withRedis(() => job.isActive())) ? 'processing' : 'queued';
  const error = failure && { code: failure.code, message: failure.message };
  return reply(200, withoutResults(id, { scenarioId, count, status, error }));
}

/** A batch that has overflowed has no job until Redis has capacity. */
async function presentOverflowed(id: string, deps: Deps) {
  const batch = await deps.models.overflowedBatch.findById(id, { scenarioId: 1, count: 1 }).lean();
  if (!batch) {
    // It can have been processed since the first read.
    const counted = await findCounted(id, deps);
    if (!counted) throw notFound(id);
    return presentCompleted(counted, deps);
  }
  if (!(await isVisible(deps.scenarios, batch.scenarioId))) throw notFound(id);
  return reply(200, withoutResults(id, { ...batch, status: 'queued', error: null }));
}

function withoutResults(
  id: string,
  { scenarioId, count, status, error }: { scenarioId: string; count: number } & Pick<IngestJob, 'status' | 'error'>,
): IngestJob {
  return { job_id: id, scenario_id: scenarioId, status, accepted: count, results: null, totals: null, error };
}

function notFound(id: string): AppError {
  return new AppError('NOT_FOUND', `Ingest job ${id} does not exist.`);
}

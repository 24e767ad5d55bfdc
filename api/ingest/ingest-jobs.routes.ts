import { type Static, Type } from 'typebox';
import { AppError } from '../../shared/errors.ts';
import { findLogBatch, type ReadLogBatch, readRequestPartId } from '../../shared/ingest/log-batch.model.ts';
import type { Models } from '../../shared/models.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import { openAccess } from '../http/access/access-rules.ts';
import { contentTag } from '../http/entity-tag.ts';
import { Joi, uuid as uuidInput } from '../http/input.ts';
import { json, reply } from '../http/response.ts';
import { count, nullable, oneOf, uuid } from '../http/response-types.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { ingestTag } from './ingest.routes.ts';
import { batchTotals, logResponse, presentEntries } from './ingest.schema.ts';

const ingestJobPath = Joi.object<{ id: string }>({ id: uuidInput().required() });

const ingestJobResponse = Type.Object(
  {
    job_id: uuid(),
    scenario_id: uuid(),
    status: oneOf(['queued', 'completed', 'failed']),
    accepted: count(),
    results: nullable(Type.Array(logResponse)),
    totals: nullable(batchTotals),
    error: nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  },
  { $id: 'IngestJob' },
);
type IngestJob = Static<typeof ingestJobResponse>;

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
      errors: { NOT_FOUND: 'The job does not exist.' },
      handle: async ({ params: { id }, scenarios }, { models, config, priceBooks }) => {
        const found = await findPart(models, id);
        const batch = found?.batch;
        const { model, visible } = scenarios;
        const scenario =
          batch && (await model.findOne({ _id: batch.scenarioId, deletedAt: null, ...visible }).lean<Scenario>());
        if (!scenario) throw new AppError('NOT_FOUND', `Ingest job ${id} does not exist.`);
        const { state, failure } = batch;
        const job: IngestJob = {
          job_id: id,
          scenario_id: batch.scenarioId,
          status: state === 'stored' ? 'completed' : state,
          accepted: found.count,
          results: null,
          totals: null,
          error: failure ?? null,
        };
        if (state !== 'stored') return reply(200, job);
        const book = await priceBooks.ofScenario(scenario);
        const { results, totals } = presentEntries(batch, found, scenario, { book, fallback: config.priceFallback });
        // The results of a completed job change only with the prices and the assumptions.
        const headers = { ETag: contentTag([book.version, scenario.assumptions]) };
        return reply(200, { ...job, results, totals: totals() }, headers);
      },
    }),
  ];
}

/** Finds the entries of a request by the id in its response: a batch, or a part of one. */
async function findPart(
  { logBatch }: Pick<Models, 'logBatch'>,
  id: string,
): Promise<{ batch: ReadLogBatch; first: number; count: number } | null> {
  const part = readRequestPartId(id);
  const batch = await findLogBatch(logBatch, id);
  if (batch && !batch.requests) return { batch, first: 0, count: batch.count };
  const joined = batch ?? (await findLogBatch(logBatch, part.batchId));
  let first = 0;
  for (const { count } of joined?.requests ?? []) {
    if (joined && first === part.first) return { batch: joined, first, count };
    first += count;
  }
  return null;
}

import { type Static, Type } from 'typebox';
import { AppError } from '../../shared/errors.ts';
import { findLogBatch, type ReadLogBatch } from '../../shared/ingest/log-batch.model.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import { openAccess } from '../http/access/access-rules.ts';
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
      handle: async ({ params: { id }, scenarios }, { models, presentBatch, priceBooks }) => {
        const batch = await findLogBatch(models.logBatch, id);
        const { model, visible } = scenarios;
        const scenario =
          batch && (await model.findOne({ _id: batch.scenarioId, deletedAt: null, ...visible }).lean<Scenario>());
        if (!scenario) throw new AppError('NOT_FOUND', `Ingest job ${id} does not exist.`);
        if (batch.state !== 'stored') return reply(200, presentUnprocessed(batch));
        const book = await priceBooks.ofScenario(scenario);
        const { count, results, totals } = presentBatch(batch, scenario, book);
        const job = JsonText.object<IngestJob>({
          job_id: JsonText.write(id),
          scenario_id: JsonText.write(batch.scenarioId),
          status: JsonText.write('completed'),
          accepted: JsonText.write(count),
          results,
          totals: totals(),
          error: JsonText.write(null),
        });
        // The results of a completed job change only with the prices and the assumptions.
        return reply(200, job, { ETag: contentTag([book.version, scenario.assumptions]) });
      },
    }),
  ];
}

const presentUnprocessed = ({ _id, scenarioId, state, count, failure }: ReadLogBatch): IngestJob => ({
  job_id: _id,
  scenario_id: scenarioId,
  status: state === 'failed' ? 'failed' : 'queued',
  accepted: count,
  results: null,
  totals: null,
  error: failure ?? null,
});

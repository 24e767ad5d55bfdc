import { randomUUID } from 'node:crypto';
import { statusOfCode, validationError, validationMessage } from '../../../shared/errors.ts';
import type { LogBatch } from '../../../shared/models/log-batch.model.ts';
import { createEntryPricer, type EntryPricer } from '../../../shared/pricing/entry-cost.ts';
import { isSliceOver, nextSlice } from '../../../shared/runtime/time-slices.ts';
import { openAccess } from '../../routing/access.ts';
import { json, reply } from '../../routing/answer.ts';
import { jsonSchemaOf } from '../../routing/json-schema.ts';
import { defineRoute, type Route, type RouteSettings, type RouteTag } from '../../routing/route.ts';
import { findScenario } from '../scenarios/scenario-store.ts';
import {
  acceptedBatch,
  ingestAnswer,
  type LogResponse,
  partialBatchResult,
  type RejectedEntry,
} from './ingest.answers.ts';
import { acceptedExample, batchExample, entriesExample, partialExample } from './ingest.examples.ts';
import { presentBatch } from './ingest.presenter.ts';
import { bodyLimits, ingestHeaders, ingestQuery, logEntrySchema } from './ingest.schemas.ts';
import { processEntries, requireRoom, requireRunning } from './process-entries.ts';
import { fieldErrorsOf, formOfBody, type ReadEntries, readEntries } from './read-entries.ts';

export const ingestTag: RouteTag = {
  name: 'ingest',
  description: 'Log entries of running scenarios: how to send them, and how to read their usage and cost.',
};

/**
 * `POST /ingest`: takes log entries of a running scenario, and answers with the usage and cost that a worker computes.
 */
export function ingestRoutes({ priceBook }: RouteSettings): Route[] {
  const schema = logEntrySchema(priceBook);

  return [
    defineRoute({
      method: 'POST',
      path: '/ingest',
      operationId: 'ingestEntries',
      tag: ingestTag,
      summary: 'Send log entries to a running scenario',
      access: openAccess('ingest'),
      limit: { name: 'ingest' },
      headers: ingestHeaders,
      query: ingestQuery,
      body: {
        schemas: { LogEntry: withAliases(jsonSchemaOf(schema)) },
        streamed: {
          'application/json': {
            schema: {
              oneOf: [logEntryRef, { type: 'array', items: logEntryRef, minItems: 1, maxItems: bodyLimits.entries }],
            },
            example: entriesExample,
          },
          'application/x-ndjson': {
            schema: { type: 'string', description: 'One log entry per line.' },
            example: entriesExample.map((entry) => `${JSON.stringify(entry)}\n`).join(''),
          },
        },
      },
      answers: {
        200: json(ingestAnswer, { description: 'The entries are processed.', example: batchExample }),
        202: json(acceptedBatch, {
          description: 'The entries are accepted and not processed yet.',
          headers: ['Location'],
          optionalHeaders: ['Preference-Applied'],
          example: acceptedExample,
        }),
        207: json(partialBatchResult, {
          description: 'With `partial=true`: at least one entry is rejected.',
          example: partialExample,
        }),
      },
      errors: {
        NOT_FOUND: 'The scenario does not exist.',
        INVALID_STATE: 'The scenario is not running.',
        SERVICE_UNAVAILABLE: 'The queue is unreachable, or too many entries are waiting to be processed.',
      },
      handle: async ({ headers, query, operation, requestId, caller, scenarios, ctx }, deps) => {
        const { config, waitingRequests } = deps;
        const scenarioId = headers['X-Scenario-ID'];
        // The answer can be made again from the stored batch, because the batch has the operation's id.
        if (operation) operation.canAnswerAgain = true;
        const answeredStatus = operation?.firstAnswerStatus ?? null;
        const form = formOfBody(ctx);
        const findTarget = async () => {
          const scenario = await findScenario(scenarios, scenarioId);
          if (answeredStatus === null) requireRunning(scenario);
          return scenario;
        };
        // What can be refused without the body is refused before the body is read.
        await findTarget();
        if (answeredStatus === null) await requireRoom(deps);
        const receivedAt = Date.now();
        const entries = await readEntries(ctx, form, schema, config.ingest.maxBytes);
        if (entries.invalid.length > 0 && (entries.single || !query.partial)) {
          throw validationError(fieldErrorsOf(entries));
        }
        // The scenario is read again after the body, so that a stop during a slow upload refuses its entries.
        const scenario = await findTarget();
        if (entries.valid.length === 0) {
          return reply(207, { ...rejectionsOf(entries), accepted: 0, totals: null });
        }
        const job = { batchId: operation?.id ?? randomUUID(), scenarioId, requestId };
        const respondAsync = prefersAsync(headers.Prefer);
        // If the first answer was 202, the repeated answer is 202 too, even if the batch is processed by now.
        const endWait = respondAsync || answeredStatus === 202 ? null : waitingRequests.enter(caller);
        let batch: LogBatch | null = null;
        try {
          if (answeredStatus !== 202) {
            batch = await processEntries(
              job,
              {
                receivedAt,
                entries: entries.valid.map(({ index, entry }) => ({ timestamp: receivedAt, ...entry, index })),
              },
              { wait: endWait !== null, attemptedBefore: operation?.attemptedBefore ?? false },
              deps,
            );
          }
        } finally {
          endWait?.();
        }
        if (!batch) {
          const statusUrl = `/api/v1/ingest-jobs/${job.batchId}`;
          return reply(202, presentAcceptance(job.batchId, statusUrl, entries), {
            Location: statusUrl,
            ...(respondAsync ? { 'Preference-Applied': 'respond-async' } : {}),
          });
        }
        const { region } = scenario;
        const pricer = createEntryPricer({ region, book: deps.priceBook, fallback: config.priceFallback });
        if (isSliceOver()) await nextSlice();
        return answerProcessed(batch, entries, pricer);
      },
    }),
  ];
}

const logEntryRef = { $ref: '#/components/schemas/LogEntry' };

/** Adds the aliases of the message to the schema, which contains one of the three names only. */
function withAliases(schema: Record<string, unknown>): object {
  const { message, timestamp, ...properties } = schema['properties'] as Record<string, object>;
  const alias = { ...message, description: 'Alias of message.' };
  return {
    ...schema,
    properties: {
      message,
      log: alias,
      msg: alias,
      // The validation converts every form to a number, so it names no type.
      timestamp: { type: ['string', 'number'], ...timestamp, examples: ['2026-05-01T12:00:00Z', 1777636800] },
      ...properties,
    },
    required: undefined,
    oneOf: ['message', 'log', 'msg'].map((name) => ({ properties: { [name]: message }, required: [name] })),
  };
}

/** Whether the header `Prefer` contains `respond-async` (RFC 7240). */
function prefersAsync(prefer = ''): boolean {
  return prefer.split(',').some((preference) => /^respond-async$/i.test((preference.split(';')[0] ?? '').trim()));
}

function presentAcceptance(batchId: string, statusUrl: string, entries: ReadEntries) {
  return {
    job_id: batchId,
    status: 'queued' as const,
    status_url: statusUrl,
    accepted: entries.valid.length,
    ...(entries.invalid.length > 0 ? rejectionsOf(entries) : {}),
  };
}

function answerProcessed(batch: LogBatch, entries: ReadEntries, pricer: EntryPricer) {
  const { results, totals } = presentBatch(batch, pricer);
  const [first] = results;
  if (entries.single && first) return reply(200, first);
  if (entries.invalid.length === 0) return reply(200, { accepted: results.length, results, totals });
  const rejected = rejectionsOf(entries);
  const inOrder: (LogResponse | RejectedEntry)[] = [];
  for (const rejection of rejected.results) inOrder[rejection.index] = rejection;
  results.forEach((result, position) => {
    inOrder[entries.valid[position]?.index ?? position] = result;
  });
  return reply(207, { accepted: results.length, rejected: rejected.rejected, results: inOrder, totals });
}

function rejectionsOf({ invalid }: ReadEntries): { rejected: number; results: RejectedEntry[] } {
  return {
    rejected: invalid.length,
    results: invalid.map(({ index, errors }) => ({
      index,
      status: statusOfCode.VALIDATION_ERROR,
      error: { code: 'VALIDATION_ERROR', message: validationMessage(errors), details: errors },
    })),
  };
}

import { looseRules } from '../../shared/ingest/reading/loose-entry.ts';
import { openAccess } from '../http/access/access-rules.ts';
import { longRequestMs } from '../http/request-timeout.ts';
import { json } from '../http/response.ts';
import { defineRoute, type Route, type RouteSettings, type RouteTag } from '../http/route.ts';
import { handleEntries } from './handle-entries.ts';
import {
  acceptedExample,
  acceptedResponse,
  batchExample,
  entriesExample,
  type IngestResponse,
  ingestHeaders,
  ingestPath,
  ingestQuery,
  ingestResponse,
  looseExample,
  partialBatchResult,
  partialExample,
  preferHeader,
  summaryExample,
} from './ingest.schema.ts';
import { logEntry, strictRules } from './strict-entry.ts';

export const ingestTag: RouteTag = {
  name: 'ingest',
  description: 'Log entries of running scenarios: how to send them, and how to read their usage and cost.',
};

/** The routes that take log entries have this in common. */
export const entryRoute = {
  method: 'POST',
  tag: ingestTag,
  access: openAccess('ingest'),
  limit: { name: 'ingest' },
  idempotency: 'handler',
  errors: {
    NOT_FOUND: 'The scenario does not exist.',
    INVALID_STATE: 'The scenario is not running.',
    SERVICE_UNAVAILABLE: 'The database is unreachable, or too many entries are waiting to be processed.',
  },
} as const;

/** `POST /ingest` and `POST /ingest/{scenario_id}`: take log entries of a running scenario. */
export function ingestRoutes({ priceBooks, config }: RouteSettings): Route[] {
  const { maxBytes } = config.ingest;
  const rules = { strict: strictRules(priceBooks, maxBytes), loose: looseRules(priceBooks, maxBytes) };
  const streamed = (json: { schema: object; example: unknown }) => ({
    'application/json': json,
    'application/x-ndjson': {
      schema: { type: 'string', description: 'One log entry per line.' },
      example: entriesExample.map((entry) => `${JSON.stringify(entry)}\n`).join(''),
    },
    'text/plain': {
      schema: { type: 'string', description: 'One message per line.' },
      example: entriesExample.map(({ message }) => `${message}\n`).join(''),
    },
  });
  const strictJson = { oneOf: [logEntryRef, { type: 'array', items: logEntryRef, minItems: 1 }] };
  const looseJson = {
    description: 'An object, a list of objects, or `{"logs": […]}`. Objects can also follow each other.',
    oneOf: [{ type: 'object' }, { type: 'array', items: {} }],
  };
  const shared = { ...entryRoute, timeoutMs: longRequestMs + config.ingest.waitMs };

  return [
    defineRoute({
      ...shared,
      path: '/ingest',
      operationId: 'ingestEntries',
      summary: 'Send log entries to a running scenario',
      headers: ingestHeaders,
      query: ingestQuery({ fields: 'strict', answer: 'full' }),
      body: {
        schemas: { LogEntry: logEntryWithAliases() },
        streamed: streamed({ schema: strictJson, example: entriesExample }),
      },
      responses: respondsWith(batchExample),
      handle: ({ headers, ...request }, deps) =>
        handleEntries({ ...request, scenarioId: headers['X-Scenario-ID'], prefer: headers.Prefer }, rules, deps),
    }),
    defineRoute({
      ...shared,
      path: '/ingest/{scenario_id}',
      operationId: 'ingestStream',
      summary: 'Send log entries as a log shipper does',
      description:
        'Takes the records of log shippers and loggers as they are sent by default. Only bytes limit a request; what cannot be accepted is counted in the response, which has the status 200 nevertheless. OpenTelemetry requests in JSON are read as their log records; requests of other protocols (Loki, `_bulk`, CloudWatch Logs, Firehose, Azure) are refused with 400. By default, the response says as soon as they are in the database how many entries were accepted; `answer=full` waits for their usage and cost.',
      params: ingestPath,
      headers: preferHeader,
      query: ingestQuery({ fields: 'loose', answer: 'summary' }),
      body: { schemas: {}, streamed: streamed({ schema: looseJson, example: looseExample }) },
      responses: respondsWith(summaryExample),
      handle: ({ params, headers, ...request }, deps) =>
        handleEntries({ ...request, scenarioId: params.scenario_id, prefer: headers.Prefer }, rules, deps),
    }),
  ];
}

const respondsWith = (example: IngestResponse) => ({
  200: json(ingestResponse, {
    description: 'The entries are in the database. With `answer=full`, they are processed too.',
    example,
  }),
  202: json(acceptedResponse, {
    description:
      'The entries are in the database, and not processed yet. `answer=full` names the address of their state, also in `Location`.',
    optionalHeaders: ['Location', 'Preference-Applied'],
    example: acceptedExample,
  }),
  207: json(partialBatchResult, {
    description: 'With `partial=true` and `answer=full`: at least one entry is rejected.',
    example: partialExample,
  }),
});

const logEntryRef = { $ref: '#/components/schemas/LogEntry' };

/** The schema of a log entry, with the aliases of its message. */
function logEntryWithAliases(): object {
  const { message, timestamp, usage, ...properties } = logEntry.properties;
  const alias = { ...message, description: 'Alias of message.' };
  return {
    type: 'object',
    additionalProperties: false,
    properties: {
      message,
      log: alias,
      msg: alias,
      timestamp: { type: ['string', 'number'], ...timestamp, examples: ['2026-05-01T12:00:00Z', 1777636800] },
      ...properties,
      // The names of a form of a vendor are converted.
      usage: { ...usage, additionalProperties: true },
    },
    oneOf: ['message', 'log', 'msg'].map((name) => ({ properties: { [name]: message }, required: [name] })),
  };
}

import { type Static, Type } from 'typebox';
import { otlpType } from '../../../shared/ingest/otlp/otlp-schema.ts';
import { addLogRecords } from '../../../shared/ingest/otlp/read-log-records.ts';
import { EntryList } from '../../../shared/ingest/reading/entry-list.ts';
import { looseRules } from '../../../shared/ingest/reading/loose-entry.ts';
import { requireUtf8 } from '../../../shared/json/field-errors.ts';
import type { RouteDeps } from '../../app-deps.ts';
import { readBody } from '../../http/body/request-body.ts';
import { Joi } from '../../http/input.ts';
import { longRequestMs } from '../../http/request-timeout.ts';
import { jsonOr, reply } from '../../http/response.ts';
import { defineRoute, type Route, type RouteRequest, type RouteSettings, type StreamedBody } from '../../http/route.ts';
import { acceptSummarized, admitRequest } from '../handle-entries.ts';
import { entryRoute } from '../ingest.routes.ts';
import { ingestPath, scenarioId } from '../ingest.schema.ts';
import { encodingOf, otlpErrors, otlpMediaTypes } from './otlp-http.ts';

const otlpHeaders = Joi.object<{ 'X-Scenario-ID': string }>({ 'X-Scenario-ID': scenarioId.required() });

const example = {
  resourceLogs: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'checkout' } }] },
      scopeLogs: [
        {
          scope: { name: 'cart' },
          logRecords: [
            {
              timeUnixNano: '1777636800000000000',
              severityNumber: 9,
              severityText: 'INFO',
              body: { stringValue: 'GET /cart 200' },
              attributes: [{ key: 'http.response.status_code', value: { intValue: '200' } }],
            },
          ],
        },
      ],
    },
  ],
};

/** The body in both encodings, for the OpenAPI document. */
const otlpBody: StreamedBody = {
  schemas: {},
  streamed: {
    [otlpMediaTypes.json]: {
      schema: { type: 'object', description: 'An ExportLogsServiceRequest of OTLP in JSON.' },
      example,
    },
    [otlpMediaTypes.protobuf]: {
      schema: { type: 'string', contentMediaType: otlpMediaTypes.protobuf, description: 'ExportLogsServiceRequest.' },
      example: '',
    },
  },
};

const exportLogsResponse = Type.Object(
  {
    partialSuccess: Type.Optional(
      Type.Object(
        {
          rejectedLogRecords: Type.String({ pattern: '^\\d+$', description: 'A 64-bit integer, in JSON as text.' }),
          errorMessage: Type.String({
            description:
              'The reasons of the first rejected log records, and the numbers of accepted ones with an implausible time, or a usage that is not understood.',
          }),
        },
        { description: 'Absent if all log records are accepted as they are.' },
      ),
    ),
  },
  { $id: 'ExportLogsServiceResponse' },
);
type ExportLogsResponse = Static<typeof exportLogsResponse>;

const maxReasons = 3;

/** Remarks on accepted log records are warnings: no log record is rejected for them. */
export function presentExport({ invalid, refusedTimes, usageUnread }: EntryList): ExportLogsResponse {
  const count = (number: number, sentence: string) => (number > 0 ? [sentence] : []);
  const remarks = [
    ...invalid.slice(0, maxReasons).flatMap(({ errors }) => errors.map(({ field, error }) => `${field} ${error}`)),
    ...count(invalid.length - maxReasons, `and ${invalid.length - maxReasons} more`),
    ...count(
      refusedTimes,
      `log records that count at their arrival, since they have an implausible time: ${refusedTimes}`,
    ),
    ...count(usageUnread, `log records with a usage that is not understood: ${usageUnread}`),
  ];
  if (remarks.length === 0) return {};
  return { partialSuccess: { rejectedLogRecords: String(invalid.length), errorMessage: `${remarks.join('; ')}.` } };
}

/** `POST /v1/logs`: takes log records as OpenTelemetry sends them (OTLP over HTTP). */
export function otlpRoutes({ priceBooks, config }: RouteSettings): Route[] {
  const { maxBytes } = config.ingest;
  const rules = looseRules(priceBooks, maxBytes);
  const common = {
    ...entryRoute,
    description:
      'OTLP over HTTP, in protobuf or JSON. The response has the encoding of the request. Rejected log records are counted in `partialSuccess`; log records without a message are skipped. `errorMessage` also says, with no rejected log records, how many have an implausible time, or a usage that is not understood.',
    timeoutMs: longRequestMs,
    body: otlpBody,
    responses: {
      200: jsonOr(otlpMediaTypes.protobuf, exportLogsResponse, {
        description: 'The log records are in the database. They are counted as soon as a worker has processed them.',
        example: {},
      }),
    },
    errorFormat: otlpErrors,
  } as const;

  const handle = (request: RouteRequest<unknown, unknown, unknown, unknown>, id: string, deps: RouteDeps) =>
    deps.withIngestBudget(request.caller, async (countRead) => {
      const encoding = encodingOf(request.ctx);
      const sent = { ...request, scenarioId: id };
      const identity = await admitRequest(sent, deps);
      const receivedAt = Date.now();
      const onPiece = ({ length }: Buffer) => countRead(length);
      const bytes = await readBody(request.ctx, maxBytes, { onPiece });
      if (encoding === 'json') requireUtf8(bytes);
      const entries = new EntryList(rules);
      await addLogRecords(entries, bytes, encoding, { now: receivedAt, maxBytes });
      countRead(0, entries.count);
      await acceptSummarized(sent, { identity, receivedAt, entries }, deps);
      const result = presentExport(entries);
      const type = otlpType('ExportLogsServiceResponse');
      const response = encoding === 'json' ? result : Buffer.from(type.encode(type.fromObject(result)).finish());
      return reply(200, response, { 'Content-Type': otlpMediaTypes[encoding] });
    });

  return [
    defineRoute({
      ...common,
      path: '/v1/logs',
      operationId: 'exportLogs',
      summary: 'Send OpenTelemetry log records to a running scenario',
      headers: otlpHeaders,
      handle: (request, deps) => handle(request, request.headers['X-Scenario-ID'], deps),
    }),
    defineRoute({
      ...common,
      path: '/ingest/{scenario_id}/v1/logs',
      operationId: 'exportLogsTo',
      summary: 'Send OpenTelemetry log records to a running scenario in the address',
      params: ingestPath,
      handle: (request, deps) => handle(request, request.params.scenario_id, deps),
    }),
  ];
}

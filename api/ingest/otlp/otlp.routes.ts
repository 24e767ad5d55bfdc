import { addLogRecords } from '../../../shared/ingest/otlp/read-log-records.ts';
import { EntryList } from '../../../shared/ingest/reading/entry-list.ts';
import { looseRules } from '../../../shared/ingest/reading/loose-entry.ts';
import type { RouteDeps } from '../../app-deps.ts';
import { readBody } from '../../http/body/request-body.ts';
import { longRequestMs } from '../../http/request-timeout.ts';
import { jsonOr, reply } from '../../http/response.ts';
import { defineRoute, type Route, type RouteRequest, type RouteSettings } from '../../http/route.ts';
import { acceptSummarized, admitRequest } from '../handle-entries.ts';
import { entryRoute } from '../ingest.routes.ts';
import { ingestPath } from '../ingest.schema.ts';
import { type ReadCounter, withBudget } from '../ingest-budget.ts';
import { encodeExport, exportLogsResponse, otlpBody, otlpHeaders, presentExport } from './otlp.schema.ts';
import { encodingOf, otlpErrors, otlpMediaTypes } from './otlp-http.ts';

type LogsRequest = RouteRequest<unknown, unknown, unknown, unknown>;

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

  const handle = (request: LogsRequest, scenarioId: string, deps: RouteDeps) =>
    withBudget(deps, request.caller, (counter) => exportLogs(request, scenarioId, counter, deps));
  const exportLogs = async (request: LogsRequest, scenarioId: string, counter: ReadCounter, deps: RouteDeps) => {
    const { ctx } = request;
    const encoding = encodingOf(ctx);
    const ofScenario = { ...request, scenarioId };
    const admitted = await admitRequest(ofScenario, deps);
    const receivedAt = Date.now();
    const onPiece = ({ length }: Buffer) => counter.add(length, 0);
    const bytes = await readBody(ctx, maxBytes, { onPiece, isUtf8Required: encoding === 'json' });
    const entries = new EntryList(rules);
    await addLogRecords(entries, bytes, encoding, { now: receivedAt, maxBytes });
    counter.add(0, entries.count);
    await acceptSummarized(ofScenario, { ...admitted, receivedAt, entries }, deps);
    const response = encodeExport(presentExport(entries), encoding);
    return reply(200, response, { 'Content-Type': otlpMediaTypes[encoding] });
  };

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

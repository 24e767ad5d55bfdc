import type { RouteDeps } from '../../app-deps.ts';
import { openAccess } from '../../http/access/access-rules.ts';
import { jsonOr, reply } from '../../http/response.ts';
import { defineRoute, type Route, type RouteRequest } from '../../http/route.ts';
import { findScenario } from '../../scenarios/scenario-store.ts';
import { countEntries } from '../entry-limit.ts';
import { unseenBytes } from '../handle-entries.ts';
import { ingestTag } from '../ingest.routes.ts';
import { type IngestCost, withCost } from '../ingest-budget.ts';
import { requireRunning } from '../process-entries.ts';
import { encodeExport, exportLogsResponse, presentExport } from './otlp.presenter.ts';
import { otlpBody, otlpHeaders, otlpPath } from './otlp.schemas.ts';
import { encodingOf, otlpMediaTypes } from './otlp-encoding.ts';
import { loadOtlpSchema } from './otlp-schema.ts';
import { otlpErrors } from './otlp-status.ts';
import { readLogRecords } from './read-log-records.ts';

type LogsRequest = RouteRequest<unknown, unknown, unknown, unknown>;

/** `POST /v1/logs`: takes log records as OpenTelemetry sends them (OTLP over HTTP). */
export function otlpRoutes(): Route[] {
  const schema = loadOtlpSchema();
  const common = {
    method: 'POST',
    tag: ingestTag,
    description:
      'OTLP over HTTP, in protobuf or JSON. The response has the encoding of the request. Rejected log records are counted in `partialSuccess`; log records without a message are skipped.',
    access: openAccess('ingest'),
    limit: { name: 'ingest' },
    body: otlpBody(schema),
    responses: {
      200: jsonOr(otlpMediaTypes.protobuf, exportLogsResponse, {
        description:
          'The log records are in the queue, and as safe as Redis. They are counted as soon as a worker has processed them.',
        example: {},
      }),
    },
    errors: {
      NOT_FOUND: 'The scenario does not exist.',
      INVALID_STATE: 'The scenario is not running.',
      SERVICE_UNAVAILABLE: 'The queue is unreachable, or too many entries are waiting to be processed.',
    },
    errorFormat: otlpErrors(schema),
  } as const;

  const handle = (request: LogsRequest, scenarioId: string, deps: RouteDeps) =>
    withCost(deps.ingestBudget, request.caller, (cost) => exportLogs(request, scenarioId, cost, deps));
  const exportLogs = async (
    { ctx, operation, requestId, caller, scenarios }: LogsRequest,
    scenarioId: string,
    cost: IngestCost,
    deps: RouteDeps,
  ) => {
    const encoding = encodingOf(ctx);
    // The response depends on the body only.
    if (operation) operation.canRebuildResponse = true;
    const hasResponse = operation !== undefined && operation.firstResponseStatus !== null;
    // A request that can be refused without its body is refused before a large body is read.
    if (!hasResponse && (ctx.request.length ?? Number.POSITIVE_INFINITY) > unseenBytes) {
      requireRunning(await findScenario(scenarios, scenarioId));
      await deps.requireCapacity(ctx.state.caller.limitKey);
    }
    const records = await readLogRecords(ctx, schema, deps.config.ingest.maxBytes, cost);
    if (!hasResponse) {
      await cost.waitForDays(records.entries);
      await countEntries(records.entries.length, caller, deps);
    }
    await deps.entryBatcher.enqueue({ scenarioId, scenarios, requestId, operation, caller }, records.entries);
    if (!hasResponse) {
      deps.metrics.ingestRejected.inc(records.rejected);
      deps.metrics.ingestSkipped.inc(records.skipped);
    }
    const response = encodeExport(presentExport(records), encoding, schema);
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
      params: otlpPath,
      handle: (request, deps) => handle(request, request.params.scenario_id, deps),
    }),
  ];
}

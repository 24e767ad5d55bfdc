import { Type } from 'typebox';
import { AppError } from '../../shared/errors.ts';
import type { WorkerReport } from '../../shared/process/heartbeat.ts';
import { publicAccess } from '../http/access/access-rules.ts';
import { envelopeFields, presentError } from '../http/error-envelope.ts';
import { Joi } from '../http/joi.ts';
import { json, reply } from '../http/response.ts';
import { count, nullable, oneOf, timestamp, uuid } from '../http/response-types.ts';
import { defineRoute, type Route, type RouteTag } from '../http/route.ts';
import { checkReadiness, type ReadinessPurpose, readinessPurposes } from './readiness.ts';

export const serviceTag: RouteTag = { name: 'service', description: 'The state and the description of the service.' };

const health = Type.Object({ status: Type.Literal('ok') }, { $id: 'Health' });
const upOrDown = () => oneOf(['up', 'down']);
const checks = Type.Object({
  mongodb: upOrDown(),
  indexes: upOrDown(),
  backlog: upOrDown(),
  redis: upOrDown(),
  worker: upOrDown(),
  queues: upOrDown(),
  notebook_backend: upOrDown(),
});
const worker = Type.Object(
  {
    id: uuid(),
    state: oneOf(['up', 'stuck', 'silent']),
    mongodb: upOrDown(),
    queues: Type.Array(
      Type.Object({
        name: Type.String(),
        last_progress: nullable(timestamp(), {
          description: 'When the worker last completed a job of the queue; null if it has not yet.',
        }),
        stalled_ms: count({ description: 'How long the queue has had jobs without progress of this worker.' }),
        stuck_ms: count({ description: 'How long the jobs that the worker runs have made no progress.' }),
      }),
    ),
  },
  { $id: 'Worker' },
);
const states = { checks, workers: Type.Array(worker) };
export const readyResponse = Type.Object({ status: Type.Literal('ready'), ...states }, { $id: 'Readiness' });
const notReady = Type.Object({ ...envelopeFields, status: Type.Literal('not_ready'), ...states }, { $id: 'NotReady' });

const readinessQuery = Joi.object<{ for?: ReadinessPurpose }>({
  for: Joi.string()
    .valid(...readinessPurposes)
    .description(
      '`ingest`: also room in the backlog of log entries. `notebooks`: also Redis, a worker, progress of the calls, and the notebook backend. `all`: all parts. Without it: MongoDB.',
    ),
});

/** `/health`: the process is up. `/health/ready`: it can serve, with the state of all parts. */
export function healthRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/health',
      operationId: 'getHealth',
      tag: serviceTag,
      summary: 'Report whether the process is up',
      access: publicAccess,
      limit: null,
      responses: { 200: json(health) },
      handle: async () => reply(200, { status: 'ok' }),
    }),
    defineRoute({
      method: 'GET',
      path: '/health/ready',
      operationId: 'getReadiness',
      tag: serviceTag,
      summary: 'Report whether the process can serve, and the state of all parts',
      description:
        'MongoDB decides. The other parts are listed with their state, and decide only if `for` names what needs them, so that an unavailable part takes nothing else down.',
      access: publicAccess,
      limit: null,
      query: readinessQuery,
      responses: {
        200: json(readyResponse, { description: 'Everything that `for` needs is up.' }),
        503: json(notReady, { description: 'A part is down; `details` names it.', headers: ['Retry-After'] }),
      },
      handle: async ({ requestId, query }, deps) => {
        const { checks, workers: heartbeats, problems } = await checkReadiness(deps, query.for ?? 'serve');
        const workers = heartbeats.map(presentWorker);
        if (problems.length === 0) return reply(200, { status: 'ready', checks, workers });
        const names = problems.map(({ field }) => field).join(', ');
        const error = new AppError('SERVICE_UNAVAILABLE', `Not ready: ${names}.`, { details: problems });
        const body = { ...presentError(error, requestId), status: 'not_ready' as const, checks, workers };
        return reply(503, body, { 'Retry-After': '1' });
      },
    }),
  ];
}

function presentWorker({ id, state, mongodb, queues }: WorkerReport) {
  return {
    id,
    state,
    mongodb,
    queues: queues.map(({ name, lastProgress, stalledMs, stuckMs }) => ({
      name,
      last_progress: lastProgress,
      stalled_ms: stalledMs,
      stuck_ms: stuckMs,
    })),
  };
}

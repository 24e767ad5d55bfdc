import { Type } from 'typebox';
import { second } from '../../../shared/durations.ts';
import { AppError } from '../../../shared/errors.ts';
import { isWorkerAlive } from '../../../shared/runtime/heartbeat.ts';
import type { RouteDeps } from '../../app-deps.ts';
import { envelopeFields, presentError } from '../../request/error-body.ts';
import { publicAccess } from '../../routing/access.ts';
import { json, reply } from '../../routing/answer.ts';
import { mapOf, oneOf } from '../../routing/answer-types.ts';
import { defineRoute, type Route, type RouteTag } from '../../routing/route.ts';

export const serviceTag: RouteTag = { name: 'service', description: 'The state and the description of the service.' };

const checkLimit = 2 * second;

const health = Type.Object({ status: Type.Literal('ok') }, { $id: 'Health' });
const checkStates = mapOf<'up' | 'down'>(oneOf(['up', 'down']));
const ready = Type.Object({ status: Type.Literal('ready'), checks: checkStates }, { $id: 'Readiness' });
const notReady = Type.Object(
  { ...envelopeFields, status: Type.Literal('not_ready'), checks: checkStates },
  { $id: 'NotReady' },
);

/** `/health`: the process is up. `/health/ready`: everything that it needs is up, each part by name. */
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
      answers: { 200: json(health) },
      handle: async () => reply(200, { status: 'ok' }),
    }),
    defineRoute({
      method: 'GET',
      path: '/health/ready',
      operationId: 'getReadiness',
      tag: serviceTag,
      summary: 'Report whether everything that the service needs is up',
      access: publicAccess,
      limit: null,
      answers: {
        200: json(ready, { description: 'Everything is up.' }),
        503: json(notReady, { description: 'A part is down.', headers: ['Retry-After'] }),
      },
      handle: async ({ requestId }, deps) => {
        const states = await checkAll(deps);
        const down = Object.keys(states).filter((name) => states[name] === 'down');
        if (down.length === 0) return reply(200, { status: 'ready', checks: states });
        const error = new AppError('SERVICE_UNAVAILABLE', `Not ready: ${down.join(', ')} down.`, {
          details: down.map((field) => ({ field, error: 'is down' })),
        });
        const body = { ...presentError(error, requestId), status: 'not_ready' as const, checks: states };
        return reply(503, body, { 'Retry-After': '1' });
      },
    }),
  ];
}

type Deps = Pick<RouteDeps, 'mongo' | 'redis' | 'config' | 'notebookBreaker'>;

async function checkAll({ mongo, redis, config, notebookBreaker }: Deps): Promise<Record<string, 'up' | 'down'>> {
  const checks: Record<string, () => Promise<boolean>> = {
    mongodb: async () => (await mongo.db?.command({ ping: 1 })) !== undefined,
    redis: async () => (await redis.ping()) === 'PONG',
    worker: () => isWorkerAlive(redis, config.redisPrefix),
    notebook_backend: async () => !(await notebookBreaker.state()).open,
  };
  const names = Object.keys(checks);
  const results = await Promise.all(Object.values(checks).map((check) => withinLimit(check())));
  return Object.fromEntries(names.map((name, index) => [name, results[index] ? 'up' : 'down']));
}

/** Whether a check succeeds; one that fails, or takes too long, does not. */
async function withinLimit(check: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), checkLimit);
  });
  try {
    return await Promise.race([check, limit]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

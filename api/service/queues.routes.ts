import { Type } from 'typebox';
import { withRedis } from '../../shared/connections/redis.ts';
import { adminAccess } from '../http/access/access-rules.ts';
import { json, reply } from '../http/response.ts';
import { count, nullable, timestamp } from '../http/response-types.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { serviceTag } from './health.routes.ts';
import { readQueueStates } from './queue-states.ts';

export const queueListResponse = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        name: Type.String(),
        waiting: count(),
        active: count(),
        delayed: count({ description: 'Jobs that wait for a retry or for their time.' }),
        failed: count({ description: 'Jobs that failed permanently and are retained.' }),
        completed: count({ description: 'Completed jobs that are retained.' }),
        oldest_added_at: nullable(timestamp(), {
          description: 'When the oldest job that waits or runs was added; null without one.',
        }),
      }),
    ),
  },
  { $id: 'QueueList' },
);

/** `GET /api/v1/queues`: the state of every queue, for admins. */
export function queueRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/queues',
      operationId: 'listQueues',
      tag: serviceTag,
      summary: 'List the queues, with the numbers of their jobs by state',
      access: adminAccess,
      responses: { 200: json(queueListResponse) },
      errors: { SERVICE_UNAVAILABLE: 'Redis is unreachable.' },
      handle: async (_request, { queues }) => {
        const states = await withRedis(() => readQueueStates(queues));
        const items = states.map(({ name, counts, oldestAddedAt }) => ({
          name,
          waiting: counts.wait + counts.prioritized,
          active: counts.active,
          delayed: counts.delayed,
          failed: counts.failed,
          completed: counts.completed,
          oldest_added_at: oldestAddedAt === null ? null : new Date(oldestAddedAt).toISOString(),
        }));
        return reply(200, { items });
      },
    }),
  ];
}

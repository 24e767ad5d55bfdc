import { withRedis } from '../../shared/connections/redis.ts';
import { metricsTokenAccess } from '../http/access/access-rules.ts';
import { content, reply } from '../http/response.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { serviceTag } from './health.routes.ts';

/** `GET /metrics`: the state of the service for Prometheus. */
export function prometheusRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/metrics',
      operationId: 'getServiceMetrics',
      tag: serviceTag,
      summary: "Report the service's metrics to Prometheus",
      description:
        'Totals of all `web` and `worker` processes, whichever process responds. Requires `METRICS_TOKEN` as a bearer token; without that variable, the metrics are open in development and unavailable in production.',
      access: metricsTokenAccess,
      limit: null,
      responses: { 200: content('text/plain', { headers: ['Content-Type'] }) },
      errors: { SERVICE_UNAVAILABLE: 'Redis is unreachable.' },
      handle: async (_request, { readMetrics }) =>
        reply(200, await withRedis(readMetrics), {
          'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
        }),
    }),
  ];
}

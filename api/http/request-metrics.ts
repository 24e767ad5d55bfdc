import type { Middleware } from 'koa';
import { second } from '../../shared/durations.ts';
import type { Metrics } from '../../shared/process/metrics/metrics.ts';
import type { AppContext, AppState } from './context.ts';

/** Counts responses by method, route pattern and status. */
export function requestMetrics({ httpRequests, httpDuration }: Metrics): Middleware<AppState> {
  return async (ctx, next) => {
    const started = performance.now();
    await next();
    const labels = { method: methodOf(ctx), route: patternOf(ctx) };
    httpRequests.inc({ ...labels, status: ctx.status });
    httpDuration.observe(labels, (performance.now() - started) / second);
  };
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const methodOf = ({ method }: AppContext) => (methods.has(method) ? method : 'other');

/** `/api/v1/scenarios/{id}`, or `unmatched`. */
const patternOf = ({ state: { route } }: AppContext) => route?.slice(route.indexOf(' ') + 1) ?? 'unmatched';

import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import { isUuid } from '../../shared/crypto/sha256.ts';
import { second } from '../../shared/durations.ts';
import { errorFields, type Log } from '../../shared/process/log.ts';
import type { Metrics } from '../../shared/process/metrics.ts';
import type { AppContext, AppState } from './context.ts';

/**
 * Sets the id of every request, the UUID in `X-Request-ID` or a new one, and its log, whose lines
 * have the id.
 */
export function requestId(log: Log): Middleware<AppState> {
  return (ctx, next) => {
    const sent = ctx.get('X-Request-ID');
    const id = isUuid(sent) ? sent.toLowerCase() : randomUUID();
    ctx.state.requestId = id;
    ctx.set('X-Request-ID', id);
    ctx.state.log = log.child({ request_id: id });
    return next();
  };
}

/** Logs one line per response, without the query, which can hold personal data. */
export function requestLog(): Middleware<AppState> {
  return async (ctx, next) => {
    const started = performance.now();
    await next();
    ctx.state.log.info('request', {
      method: ctx.method,
      path: ctx.path,
      status: ctx.status,
      duration_ms: Math.round((performance.now() - started) * 10) / 10,
    });
  };
}

const connectionLost = new Set(['ECONNRESET', 'EPIPE', 'ECANCELED', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Logs responses that could not be sent. */
export function logUnsentResponse(error: Error, { method, path, state }: AppContext): void {
  const isLost = 'code' in error && connectionLost.has(String(error.code));
  state.log.log(isLost ? 'info' : 'error', isLost ? 'client disconnected' : 'response not sent', {
    method,
    path,
    ...errorFields(error),
  });
}

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

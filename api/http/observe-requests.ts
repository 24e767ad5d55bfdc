import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import { isUuid } from '../../shared/crypto/sha256.ts';
import { second } from '../../shared/durations.ts';
import { errorFields, type Log } from '../../shared/process/log.ts';
import type { Metrics } from '../../shared/process/metrics.ts';
import type { AppContext, AppState } from './context.ts';

/**
 * Sets the id of every request, the UUID in `X-Request-ID` or a new one, and its log, whose lines
 * have the id. Counts its response by method, route pattern and status, and logs it by one line,
 * without the query, which can hold personal data.
 */
export function observeRequests(log: Log, { httpRequests, httpDuration }: Metrics): Middleware<AppState> {
  return async (ctx, next) => {
    const started = performance.now();
    const sent = ctx.get('X-Request-ID');
    const id = isUuid(sent) ? sent.toLowerCase() : randomUUID();
    ctx.state.requestId = id;
    ctx.set('X-Request-ID', id);
    ctx.state.log = log.child({ request_id: id });
    await next();
    const { method, path, status, state } = ctx;
    const duration = performance.now() - started;
    const labels = {
      method: methods.has(method) ? method : 'other',
      // `/api/v1/scenarios/{id}`, or `unmatched`.
      route: state.route?.slice(state.route.indexOf(' ') + 1) ?? 'unmatched',
    };
    httpRequests.inc({ ...labels, status });
    httpDuration.observe(labels, duration / second);
    state.log.info('request', { method, path, status, duration_ms: Math.round(duration * 10) / 10 });
  };
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

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

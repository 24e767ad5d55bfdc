import type { Middleware } from 'koa';
import { errorFields, type Log } from '../../shared/process/log.ts';
import type { AppContext, AppState } from './context.ts';

/** Logs one line per response, without the query, which can hold personal data. */
export function requestLog(log: Log): Middleware<AppState> {
  return async (ctx, next) => {
    const started = performance.now();
    await next();
    log.info('request', {
      method: ctx.method,
      path: ctx.path,
      status: ctx.status,
      duration_ms: Math.round((performance.now() - started) * 10) / 10,
    });
  };
}

const connectionLost = new Set(['ECONNRESET', 'EPIPE', 'ECANCELED', 'ERR_STREAM_PREMATURE_CLOSE']);

/**
 * Logs responses that could not be sent. Koa reports them outside the request's log context, so the
 * id is added here.
 */
export function logUnsentResponse(log: Log): (error: Error, ctx: AppContext) => void {
  return (error, ctx) => {
    const isLost = 'code' in error && connectionLost.has(String(error.code));
    log.log(isLost ? 'info' : 'error', isLost ? 'client disconnected' : 'response not sent', {
      request_id: ctx.state.requestId,
      method: ctx.method,
      path: ctx.path,
      ...errorFields(error),
    });
  };
}

import type { Middleware } from 'koa';
import { errorFields, type Log } from '../../shared/log.ts';
import type { AppContext, AppState } from '../request/context.ts';

/** One line per answered request. The query stays out: searches are the callers' own. */
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

const connectionLost = new Set(['ECONNRESET', 'EPIPE', 'ECANCELED']);

/** Takes what Koa could not send. It comes from outside the request's own context, so the line gets its id here. */
export function unsentLog(log: Log): (error: Error, ctx: AppContext) => void {
  return (error, ctx) => {
    const isLost = 'code' in error && connectionLost.has(String(error.code));
    log.log(isLost ? 'info' : 'error', isLost ? 'the caller has gone away' : 'answer not sent', {
      request_id: ctx.state.requestId,
      method: ctx.method,
      path: ctx.path,
      ...errorFields(error),
    });
  };
}

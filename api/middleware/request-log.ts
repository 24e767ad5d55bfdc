import type { Middleware } from 'koa';
import type { Log } from '../../shared/log.ts';
import type { AppState } from '../context.ts';

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

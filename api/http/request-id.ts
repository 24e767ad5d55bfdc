import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import { withLogContext } from '../../shared/process/log.ts';
import type { AppState } from './context.ts';
import { isUuid } from './uuid.ts';

/** Sets the id of every request: the UUID in `X-Request-ID`, or a new one. */
export function requestId(): Middleware<AppState> {
  return (ctx, next) => {
    const sent = ctx.get('X-Request-ID');
    const id = isUuid(sent) ? sent.toLowerCase() : randomUUID();
    ctx.state.requestId = id;
    ctx.set('X-Request-ID', id);
    return withLogContext({ request_id: id }, next);
  };
}

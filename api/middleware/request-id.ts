import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import { withLogContext } from '../../shared/log.ts';
import type { AppState } from '../request/context.ts';
import { isUuid } from '../validation/uuid.ts';

/** Gives every request its id: the caller's `X-Request-ID` where it is a UUID, a new one otherwise. */
export function requestId(): Middleware<AppState> {
  return (ctx, next) => {
    const sent = ctx.get('X-Request-ID');
    const id = isUuid(sent) ? sent.toLowerCase() : randomUUID();
    ctx.state.requestId = id;
    ctx.set('X-Request-ID', id);
    return withLogContext({ request_id: id }, next);
  };
}

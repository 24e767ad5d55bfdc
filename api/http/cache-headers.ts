import type { Middleware } from 'koa';

/** Request headers that can hold the credentials of a caller. */
const credentials = ['Authorization', 'X-API-Key', 'Cookie'];

/**
 * Sets `Cache-Control` where the route has not. A response with an `ETag` can be stored by its
 * caller and is revalidated by `If-None-Match`. No cache stores any other response. `Vary` is for
 * shared caches that ignore `private`.
 */
export const setCacheHeaders: Middleware = async (ctx, next) => {
  await next();
  const hasTag = ctx.res.hasHeader('ETag');
  if (hasTag) ctx.vary(credentials);
  if (!ctx.res.hasHeader('Cache-Control')) ctx.set('Cache-Control', hasTag ? 'private, no-cache' : 'no-store');
};

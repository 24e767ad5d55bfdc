import cors from '@koa/cors';
import type { Middleware } from 'koa';
import { day, minute, second } from '../../shared/durations.ts';
import { responseHeaders } from './response.ts';

/**
 * Headers of every response. With them, browsers do not guess its media type, and do not frame,
 * embed, control or run it.
 */
export const securityHeaders = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const;

const transportSecurity = `max-age=${(365 * day) / second}`;

/** Request headers that can hold the credentials of a caller. */
const credentials = ['Authorization', 'X-API-Key', 'Cookie'];

/**
 * Sets the security headers before the response is made, so that a page can replace its policy, and
 * `Cache-Control` where the route has not. A response with an `ETag` can be stored by its caller
 * and is revalidated by `If-None-Match`. No cache stores any other response. `Vary` is for shared
 * caches that ignore `private`.
 */
export const setDefaultHeaders: Middleware = async (ctx, next) => {
  ctx.set(securityHeaders);
  if (ctx.secure) ctx.set('Strict-Transport-Security', transportSecurity);
  await next();
  const hasTag = ctx.res.hasHeader('ETag');
  if (hasTag) ctx.vary(credentials);
  if (!ctx.res.hasHeader('Cache-Control')) ctx.set('Cache-Control', hasTag ? 'private, no-cache' : 'no-store');
};

/** Browsers show it to no script. */
const hiddenHeader = 'Set-Cookie';

/**
 * Lets pages of the given origins call the service. A preflight ends here, before
 * credentials and limits. Browsers send no cookies and no Basic credentials with these calls.
 * @param ownPagesOnly addresses that only pages of the service itself call, because browsers add
 * credentials to the requests.
 */
export function crossOrigin(origins: readonly string[], ownPagesOnly: readonly string[]): Middleware {
  const allowed = new Set(origins);
  return cors({
    // A falsy origin leaves the response without the headers of CORS.
    origin: (ctx) => {
      // The router does not distinguish upper and lower case.
      const path = ctx.path.toLowerCase();
      const isAllowed = allowed.has(ctx.get('Origin')) && !ownPagesOnly.some((ownPath) => path.startsWith(ownPath));
      return isAllowed ? ctx.get('Origin') : '';
    },
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposeHeaders: Object.keys(responseHeaders).filter((name) => name !== hiddenHeader),
    maxAge: (10 * minute) / second,
  });
}

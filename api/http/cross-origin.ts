import cors from '@koa/cors';
import type { Middleware } from 'koa';
import { minute, second } from '../../shared/durations.ts';
import { responseHeaders } from './response-headers.ts';

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

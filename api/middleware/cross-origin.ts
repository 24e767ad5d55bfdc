import cors from '@koa/cors';
import type { Middleware } from 'koa';
import { minute, second } from '../../shared/durations.ts';
import { dashboardPath } from '../dashboard.ts';
import { answerHeaders } from '../routing/answer-headers.ts';

/**
 * Lets pages of the given origins call the service. A preflight is answered here, before credentials and limits. Browsers
 * send no cookies and no Basic credentials with these calls.
 */
export function crossOrigin(origins: readonly string[]): Middleware {
  const allowed = new Set(origins);
  return cors({
    // A falsy origin leaves the answer without the headers of CORS.
    origin: (ctx) => (allowed.has(ctx.get('Origin')) && !ctx.path.startsWith(dashboardPath) ? ctx.get('Origin') : ''),
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposeHeaders: Object.keys(answerHeaders),
    maxAge: (10 * minute) / second,
  });
}

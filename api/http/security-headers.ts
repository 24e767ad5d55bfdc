import type { Middleware } from 'koa';
import { day, second } from '../../shared/durations.ts';

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

/**
 * Sets the headers before the response is made, so that a page can replace its content security
 * policy.
 */
export const setSecurityHeaders: Middleware = (ctx, next) => {
  ctx.set(securityHeaders);
  if (ctx.secure) ctx.set('Strict-Transport-Security', transportSecurity);
  return next();
};

import { parseCookie, stringifySetCookie } from 'cookie';
import type { AppContext } from '../http/context.ts';
import type { SignedToken } from './tokens.ts';

/**
 * The cookie with the refresh token of a page in a browser. Scripts cannot read it, and browsers
 * send it only with requests from pages of the same site.
 */

/** The value of `Set-Cookie` that stores a refresh token for its lifetime. */
export function sessionCookie(ctx: AppContext, { token, lifetime }: SignedToken): string {
  return stringifySetCookie({ ...attributesOf(ctx), value: token, maxAge: lifetime });
}

/** The value of `Set-Cookie` that removes the cookie. */
export function expiredSessionCookie(ctx: AppContext): string {
  return stringifySetCookie({ ...attributesOf(ctx), value: '', maxAge: 0 });
}

/** The refresh token that the browser sent, not yet verified; null without the cookie. */
export function readSessionCookie(ctx: AppContext): string | null {
  return parseCookie(ctx.get('Cookie'))[nameOf(ctx)] ?? null;
}

/**
 * The cookie is sent to all paths, because a proxy can serve the routes under a prefix that the
 * service does not know.
 */
function attributesOf(ctx: AppContext) {
  return { name: nameOf(ctx), path: '/', httpOnly: true, sameSite: 'strict', secure: ctx.secure } as const;
}

/**
 * Browsers share cookies among the ports of a host, so the port is part of the name. Browsers
 * accept a name that begins with `__Host-` only over HTTPS, and from no other host of the domain.
 */
function nameOf({ secure, host }: AppContext): string {
  const port = /:(\d{1,5})$/.exec(host)?.[1];
  return `${secure ? '__Host-' : ''}meterbook-session${port === undefined ? '' : `-${port}`}`;
}

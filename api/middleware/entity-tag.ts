import { createHash } from 'node:crypto';
import { AppError } from '../../shared/errors.ts';
import type { AppContext } from '../request/context.ts';

export const entityTag = (revision: number) => `"${revision}"`;

/** Of what is shown, where that changes without a revision. */
export function contentTag(shown: object): string {
  return `"${createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 22)}"`;
}

/** Sends a resource with its ETag, or 304 where the caller has it already. */
export function sendWithTag(ctx: AppContext, tag: string, body: unknown): void {
  ctx.set('ETag', tag);
  // Not Koa's `fresh`: it takes `Cache-Control: no-cache`, which fetch adds by itself, for a wish to have it all again.
  if (names(ctx.get('If-None-Match'), tag)) ctx.status = 304;
  else ctx.body = body;
}

/**
 * Compares `If-Match`, where it was sent, with the resource as it is. Returns whether the header was sent: then the
 * write must hold the revision too.
 * @throws AppError PRECONDITION_FAILED
 */
export function checkIfMatch(ctx: AppContext, tag: string): boolean {
  const header = ctx.get('If-Match').trim();
  if (header === '') return false;
  if (names(header, tag)) return header !== '*';
  throw preconditionFailed();
}

/** Does a header with a list of tags name this one? Our tags stand for a revision, so a weak one (`W/`) is as good. */
function names(header: string, tag: string): boolean {
  return header.split(',').some((sent) => sent.trim() === '*' || sent.trim().replace(/^W\//, '') === tag);
}

export function preconditionFailed(): AppError {
  return new AppError('PRECONDITION_FAILED', 'The resource has changed since the version that If-Match names.');
}

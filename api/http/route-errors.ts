import type { AuthMode } from '../../shared/config/config.ts';
import { type ErrorCode, statusOfCode } from '../../shared/errors.ts';
import type { Route } from './route.ts';

/** An error that a route can respond with, and its cause. */
export interface RouteError {
  readonly status: number;
  readonly code: ErrorCode;
  readonly cause: string;
}

/**
 * Lists the errors of a route: first those of its credentials, schemas and limits, then those of
 * its handler.
 */
export function errorsOf(route: Route, mode: AuthMode): RouteError[] {
  const { params, query, headers, body, limit, access, queryErrorStatus } = route;
  const errors: RouteError[] = [];
  const add = (code: ErrorCode, cause: string, status: number = statusOfCode[code]) =>
    errors.push({ status, code, cause });
  const isPost = route.method === 'POST';

  if (params || headers || body || isPost || (query && queryErrorStatus === undefined)) {
    add('VALIDATION_ERROR', 'The request is not valid; `details` names each field.');
  }
  if (query && queryErrorStatus !== undefined) {
    add('VALIDATION_ERROR', 'The query is not valid; `details` names each field.', queryErrorStatus);
  }
  if (access.auth[mode] !== 'none') {
    add('AUTH_ERROR', 'The credentials are missing or not valid.');
    add('FORBIDDEN', 'The credentials do not permit this operation.');
    add('SERVICE_UNAVAILABLE', 'The database is unreachable.');
  }
  if (body || isPost) add('PAYLOAD_TOO_LARGE', 'The body is too large.');
  if (body) add('UNSUPPORTED_MEDIA_TYPE', 'The media type, encoding or character set of the body is not supported.');
  if (isPost) {
    add('CONFLICT', 'A request with this `Idempotency-Key` is in progress.');
    add('IDEMPOTENCY_MISMATCH', 'This `Idempotency-Key` was sent with another request.');
  }
  if (limit) add('RATE_LIMITED', 'Too many requests; `Retry-After` is the time to wait.');
  for (const [code, cause] of Object.entries(route.errors ?? {})) add(code as ErrorCode, cause);
  return errors;
}

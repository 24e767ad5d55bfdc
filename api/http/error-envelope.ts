import type { Context, Middleware } from 'koa';
import { type Static, Type } from 'typebox';
import { isMongoUnavailable } from '../../shared/connections/mongo.ts';
import { AppError, type ErrorCode, unavailable } from '../../shared/errors.ts';
import { errorFields } from '../../shared/process/log.ts';
import { shortened } from '../../shared/quoted.ts';
import type { AppContext, AppState } from './context.ts';
import { nullable, timestamp, uuid } from './response-types.ts';
import type { Route } from './route.ts';

/** Codes of the errors of Koa, its router and Bull Board, by status. */
export const codeOfStatus: Readonly<Record<number, ErrorCode>> = {
  400: 'VALIDATION_ERROR',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  409: 'CONFLICT',
};

/**
 * Converts every thrown error to its status and body: the error envelope, or the format of the
 * route.
 * @param routes which the error of an unknown address names.
 */
export function handleErrors(routes: readonly Address[] = []): Middleware<AppState> {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.body === undefined && ctx.status >= 400) throw createUnmatchedError(ctx, routes);
    } catch (error) {
      const shown = toShownError(error);
      logFailure(ctx, shown, error);
      ctx.status = shown.status;
      ctx.set(shown.headers);
      const { errorFormat, requestId } = ctx.state;
      if (errorFormat) {
        const { type, body, headers } = errorFormat.present(shown, ctx);
        ctx.set(headers);
        ctx.type = type;
        ctx.body = body;
      } else ctx.body = presentError(shown, requestId);
    }
  };
}

/**
 * Creates the error of a request without a matching route. For a 405 the router has set `Allow`.
 */
function createUnmatchedError(ctx: Context, routes: readonly Address[]): AppError {
  const path = shortened(ctx.path, maxPathLength);
  if (ctx.status === 404) {
    const meant = findMisplaced(ctx.method, ctx.path, routes);
    const hint = meant
      ? `use ${meant.method} ${shortened(meant.path, maxPathLength)}`
      : 'GET /openapi.json lists the addresses';
    return new AppError('NOT_FOUND', `There is nothing at ${path}; ${hint}.`);
  }
  const allowed = ctx.response.get('Allow');
  return new AppError(
    'METHOD_NOT_ALLOWED',
    `${path} does not support ${ctx.method}; use ${allowed}.${uploadHint(ctx)}`,
  );
}

/** Characters of an address with a UUID, and some more. */
const maxPathLength = 120;

const uploadHint = ({ method, path }: Context) =>
  method === 'PUT' && /^\/ingest\b/i.test(path)
    ? ' Send log entries by POST: with curl, --data-binary @FILE instead of -T.'
    : '';

/** Logs server errors. A 502 or a 503 is logged as a warning. */
function logFailure(
  { method, path, state: { log } }: AppContext,
  { status, code, message }: AppError,
  error: unknown,
): void {
  const fields = { method, path };
  if (code === 'SERVICE_UNAVAILABLE' || code === 'UPSTREAM_ERROR')
    log.warn('request refused', { ...fields, reason: message });
  else if (status >= 500) log.error('request failed', { ...fields, ...errorFields(error) });
}

/** The error that a caller sees: its message contains no internals. */
export function toShownError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isMongoUnavailable(error)) return unavailable('The database is unreachable.', 2, error);
  if (error instanceof Error && 'status' in error && typeof error.status === 'number') {
    const code = codeOfStatus[error.status];
    const message = code === 'NOT_FOUND' ? 'There is nothing at this address.' : 'The request is not valid.';
    if (code) return new AppError(code, message, { cause: error });
  }
  return new AppError('INTERNAL_ERROR', 'An internal error occurred.', { cause: error });
}

const fieldError = Type.Object({ field: Type.String(), error: Type.String() });
const wait = Type.Object({ retry_after: Type.Integer({ minimum: 1, description: 'Seconds.' }) });

export const envelopeFields = {
  success: Type.Literal(false),
  error: Type.Object({
    code: Type.String(),
    message: Type.String(),
    details: nullable(Type.Array(Type.Union([fieldError, wait]))),
  }),
  meta: Type.Object({ timestamp: timestamp(), request_id: uuid() }),
};

/** The body of every error, except those of routes with another `ErrorFormat`. */
export const errorEnvelope = Type.Object(envelopeFields, {
  $id: 'ErrorEnvelope',
  examples: [
    {
      success: false,
      error: {
        code: 'VALIDATION_ERROR',
        message: 'The request is not valid: name is not allowed to be empty.',
        details: [{ field: 'name', error: 'is not allowed to be empty' }],
      },
      meta: { timestamp: '2026-05-01T12:00:00.000Z', request_id: '86343d4d-bee3-4355-84f8-372c3f9cc8e7' },
    },
  ],
});

export function presentError(
  error: Pick<AppError, 'code' | 'message' | 'details'>,
  requestId: string,
): Static<typeof errorEnvelope> {
  const { code, message, details } = error;
  return {
    success: false,
    error: { code, message, details: details && [...details] },
    meta: { timestamp: new Date().toISOString(), request_id: requestId },
  };
}

type Address = Pick<Route, 'method' | 'path' | 'isDocumented'>;

const segmentsOf = (path: string) => path.split('/').filter((segment) => segment !== '');

const isParameter = (segment: string) => segment.startsWith('{');

/**
 * Finds the route that a request without a route means: `/api/v1/ingest` is `/ingest`, and
 * `/api/v2/scenarios/{id}/start` is that of version 1.
 * @returns its method and its path with the parameters of the request.
 */
function findMisplaced(
  method: string,
  path: string,
  routes: readonly Address[],
): { method: string; path: string } | undefined {
  const sent = segmentsOf(path.replace(/^\/(?:api\/?)?(?:v\d+\/)?/i, '/'));
  if (sent.length === 0) return undefined;
  const found = routes.filter((route) => route.isDocumented !== false && endsWith(segmentsOf(route.path), sent));
  const route = found.find((one) => one.method === method) ?? found[0];
  if (!route) return undefined;
  const segments = segmentsOf(route.path);
  return { method: route.method, path: `/${[...segments.slice(0, segments.length - sent.length), ...sent].join('/')}` };
}

/** Whether a path ends with these segments, the first of which is not the value of a parameter. */
function endsWith(segments: readonly string[], sent: readonly string[]): boolean {
  const last = segments.slice(-sent.length);
  return (
    last.length === sent.length &&
    last[0] === sent[0] &&
    last.every((segment, index) => segment === sent[index] || isParameter(segment)) &&
    !segments.slice(0, -sent.length).some(isParameter)
  );
}

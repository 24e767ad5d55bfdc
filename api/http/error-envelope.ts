import type { Context, Middleware } from 'koa';
import { isMongoUnavailable } from '../../shared/connections/mongo.ts';
import { AppError, type ErrorCode, unavailable } from '../../shared/errors.ts';
import { errorFields, type Log } from '../../shared/process/log.ts';
import type { AppState } from './context.ts';
import { presentError } from './error-body.ts';

/** Codes of the errors that Koa and its body parsers throw, by status. */
const codeOfStatus: Readonly<Record<number, ErrorCode>> = {
  400: 'VALIDATION_ERROR',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
};

/**
 * Converts every thrown error to its status and body: the error envelope, or the format of the
 * route.
 */
export function errorEnvelope(log: Log): Middleware<AppState> {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.body === undefined && ctx.status >= 400) throw createUnmatchedError(ctx);
    } catch (error) {
      const shown = toShownError(error);
      logFailure(log, ctx, shown, error);
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
function createUnmatchedError(ctx: Context): AppError {
  return ctx.status === 404
    ? new AppError('NOT_FOUND', `There is nothing at ${ctx.path}.`)
    : new AppError('METHOD_NOT_ALLOWED', `${ctx.path} does not support ${ctx.method}.${uploadHint(ctx)}`);
}

const uploadHint = ({ method, path }: Context) =>
  method === 'PUT' && /^\/ingest\b/i.test(path)
    ? ' Send log entries by POST: with curl, --data-binary @FILE instead of -T.'
    : '';

/** Logs server errors. A 502 or a 503 is logged as a warning. */
function logFailure(log: Log, ctx: Context, { status, code, message }: AppError, error: unknown): void {
  const fields = { method: ctx.method, path: ctx.path };
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
    if (code) return new AppError(code, publicMessages[code] ?? 'The request is not valid.', { cause: error });
  }
  return new AppError('INTERNAL_ERROR', 'An internal error occurred.', { cause: error });
}

const publicMessages: Partial<Record<ErrorCode, string>> = {
  NOT_FOUND: 'There is nothing at this address.',
  METHOD_NOT_ALLOWED: 'This address does not support the method.',
  PAYLOAD_TOO_LARGE: 'The body is too large.',
  UNSUPPORTED_MEDIA_TYPE: 'The media type or encoding of the body is not supported.',
};

import type { Context, Middleware } from 'koa';
import { AppError, type ErrorCode, unavailable } from '../../shared/errors.ts';
import { errorFields, type Log } from '../../shared/log.ts';
import { isMongoAway } from '../../shared/mongo.ts';
import type { AppState } from '../request/context.ts';
import { presentError } from '../request/error-body.ts';

/** Codes of errors that Koa and its body parsers raise themselves, by the status they carry. */
const codeOfStatus: Readonly<Record<number, ErrorCode>> = {
  400: 'VALIDATION_ERROR',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
};

/** Turns whatever is thrown below into status and envelope; the only place that decides either. */
export function errorEnvelope(log: Log): Middleware<AppState> {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.body === undefined && ctx.status >= 400) throw unanswered(ctx);
    } catch (error) {
      const shown = shownError(error);
      logFailure(log, ctx, shown, error);
      ctx.status = shown.status;
      ctx.set(shown.headers);
      ctx.body = presentError(shown, ctx.state.requestId);
    }
  };
}

/** No route took the request. Where others would have, by other methods, the router has named them in `Allow`. */
function unanswered(ctx: Context): AppError {
  return ctx.status === 404
    ? new AppError('NOT_FOUND', `There is nothing at ${ctx.path}.`)
    : new AppError('METHOD_NOT_ALLOWED', `${ctx.path} does not take ${ctx.method}.`);
}

/** What is our fault is an error; a part that is away for the moment is expected to happen. */
function logFailure(log: Log, ctx: Context, { status, code, message }: AppError, error: unknown): void {
  const fields = { method: ctx.method, path: ctx.path };
  if (code === 'SERVICE_UNAVAILABLE' || code === 'UPSTREAM_ERROR')
    log.warn('request refused', { ...fields, reason: message });
  else if (status >= 500) log.error('request failed', { ...fields, ...errorFields(error) });
}

function shownError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isMongoAway(error)) return unavailable('The database is not reachable at the moment.', 2, error);
  if (error instanceof Error && 'status' in error && typeof error.status === 'number') {
    const code = codeOfStatus[error.status];
    if (code) return new AppError(code, publicMessages[code] ?? 'The request is not valid.', { cause: error });
  }
  return new AppError('INTERNAL_ERROR', 'Something went wrong on our side.', { cause: error });
}

const publicMessages: Partial<Record<ErrorCode, string>> = {
  NOT_FOUND: 'There is nothing at this address.',
  METHOD_NOT_ALLOWED: 'This address does not take that method.',
  PAYLOAD_TOO_LARGE: 'The body is too large.',
  UNSUPPORTED_MEDIA_TYPE: 'The body has a type or encoding that is not taken here.',
};

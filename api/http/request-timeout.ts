import type { Middleware } from 'koa';
import { second } from '../../shared/durations.ts';
import { AppError, unavailable } from '../../shared/errors.ts';
import type { AppContext, AppState } from './context.ts';

/** The time of requests with long bodies, and of those that price a year of hours. */
export const longRequestMs = 60 * second;

/**
 * Bounds the time until a request has its response, in milliseconds. The work of a request that has
 * exceeded it goes on until its own limits end it, and counts as in progress until then. So a write
 * that got 503 can still be stored.
 * @throws AppError SERVICE_UNAVAILABLE, or VALIDATION_ERROR if the body has not arrived.
 */
export function requestTimeout(timeoutMs: number): Middleware<AppState> {
  return async (ctx, next) => {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        ctx.state.timedOut = true;
        reject(timeoutError(ctx, timeoutMs));
      }, timeoutMs);
    });
    try {
      await Promise.race([next(), limit]);
    } finally {
      clearTimeout(timer);
    }
  };
}

function timeoutError({ req }: AppContext, timeoutMs: number): AppError {
  if (req.complete) return unavailable(`The request was not carried out within ${timeoutMs} ms.`, 2);
  const options = { status: 408, headers: { Connection: 'close' } };
  return new AppError('VALIDATION_ERROR', `The body did not arrive within ${timeoutMs} ms.`, options);
}

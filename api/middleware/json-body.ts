import type { Middleware } from 'koa';
import { HttpMethodEnum, koaBody } from 'koa-body';
import { AppError, validationError } from '../../shared/errors.ts';
import type { AppState } from '../context.ts';
import { forbiddenParts, parseJson } from '../validation/json-text.ts';

const maxBytes = 100 * 1024;

const parse = koaBody({
  json: true,
  text: false,
  urlencoded: false,
  multipart: false,
  jsonLimit: maxBytes,
  jsonStrict: false,
  parsedMethods: [HttpMethodEnum.POST, HttpMethodEnum.PUT, HttpMethodEnum.PATCH],
});

/** Reads the JSON body of an ordinary route into `ctx.request.body`; undefined where an optional one was not sent. */
export function jsonBody({ optional = false } = {}): Middleware<AppState> {
  return async (ctx, next) => {
    if (!ctx.is('json', '+json')) {
      const none = ctx.request.length === 0 || ctx.is() === null;
      if (none && optional) return next();
      throw none
        ? validationError([{ field: 'body', error: 'is required' }])
        : new AppError('UNSUPPORTED_MEDIA_TYPE', 'The body must be sent as application/json.');
    }
    await readBody(ctx);
    const faults = forbiddenParts(ctx.request.body);
    if (faults.length > 0) throw validationError(faults);
    return next();
  };

  async function readBody(ctx: Parameters<typeof parse>[0]) {
    try {
      await parse(ctx, async () => undefined);
    } catch (error) {
      // The parser refuses text that is no JSON and prototypes alike; reading the text again tells what it was.
      if (!(error instanceof Error && 'body' in error && typeof error.body === 'string')) throw error;
      const parsed = parseJson(error.body);
      throw 'faults' in parsed ? validationError(parsed.faults) : error;
    }
  }
}

import type { Middleware } from 'koa';
import { HttpMethodEnum, koaBody } from 'koa-body';
import { AppError, validationError } from '../../shared/errors.ts';
import type { AppContext, AppState } from '../request/context.ts';
import { bodyError, bodyFault, decodeUtf8, encodingOf, requireUtf8 } from '../request/request-body.ts';
import { parseJson } from '../validation/json-text.ts';

const maxBytes = 100 * 1024;

/** Reads the body byte by byte (latin1 keeps each) and unpacks it; what it parses is read again, more strictly. */
const read = koaBody({
  json: true,
  text: false,
  urlencoded: false,
  multipart: false,
  jsonLimit: maxBytes,
  encoding: 'latin1',
  includeUnparsed: true,
  parsedMethods: [HttpMethodEnum.POST, HttpMethodEnum.PUT, HttpMethodEnum.PATCH],
});

/** Reads the JSON body of an ordinary route into `ctx.request.body`; undefined where an optional one was not sent. */
export function jsonBody({ optional = false } = {}): Middleware<AppState> {
  return async (ctx, next) => {
    if (!ctx.is('json')) {
      const none = ctx.request.length === 0 || ctx.is() === null;
      if (none && optional) return next();
      throw none
        ? bodyFault('is required')
        : new AppError('UNSUPPORTED_MEDIA_TYPE', 'The body must be sent as application/json.');
    }
    requireUtf8(ctx);
    // The library knows encodings by one name only.
    ctx.req.headers['content-encoding'] = encodingOf(ctx);
    const text = decodeUtf8(Buffer.from(await bytesOf(ctx), 'latin1'));
    const parsed = parseJson(text);
    if ('faults' in parsed) throw validationError(parsed.faults);
    Object.assign(ctx.request, { body: parsed.value });
    return next();
  };
}

/** The body's bytes, a character each. */
async function bytesOf(ctx: AppContext): Promise<string> {
  try {
    await read(ctx, async () => undefined);
    return String(ctx.request['rawBody']);
  } catch (error) {
    // What the library could not parse comes back in its error.
    if (error instanceof Error && 'body' in error && typeof error.body === 'string') return error.body;
    throw await bodyError(error, ctx, maxBytes);
  }
}

import { HttpMethodEnum, koaBody } from 'koa-body';
import { AppError, validationError } from '../../shared/errors.ts';
import { parseJson } from '../validation/json-text.ts';
import type { AppContext } from './context.ts';
import { bodyError, decodeUtf8, encodingOf, readError, requireUtf8 } from './request-body.ts';

const maxBytes = 100 * 1024;

/** Decodes the body as latin1, which keeps every byte. koa-body's parsed JSON is not used. */
const readBody = koaBody({
  json: true,
  text: false,
  urlencoded: false,
  multipart: false,
  jsonLimit: maxBytes,
  encoding: 'latin1',
  includeUnparsed: true,
  parsedMethods: [HttpMethodEnum.POST, HttpMethodEnum.PUT, HttpMethodEnum.PATCH],
});

/**
 * Reads the JSON body of a request, at most 100 KiB unpacked.
 * @returns the parsed value; an empty object if an optional body was not sent.
 * @throws AppError VALIDATION_ERROR, PAYLOAD_TOO_LARGE or UNSUPPORTED_MEDIA_TYPE.
 */
export async function readJsonBody(ctx: AppContext, { optional = false }): Promise<unknown> {
  if (!ctx.is('json')) {
    const none = ctx.request.length === 0 || ctx.is() === null;
    if (none && optional) return {};
    throw none
      ? bodyError('is required')
      : new AppError('UNSUPPORTED_MEDIA_TYPE', 'The body must be sent as application/json.');
  }
  requireUtf8(ctx);
  ctx.state.bodyMemory.grow(maxBytes);
  // koa-body accepts each encoding under one name only.
  ctx.req.headers['content-encoding'] = encodingOf(ctx);
  const parsed = parseJson(decodeUtf8(Buffer.from(await readBytes(ctx), 'latin1')));
  if ('errors' in parsed) throw validationError(parsed.errors);
  return parsed.value;
}

/** The bytes of the body, one character each. */
async function readBytes(ctx: AppContext): Promise<string> {
  try {
    await readBody(ctx, async () => undefined);
    return String(ctx.request['rawBody']);
  } catch (error) {
    // koa-body puts a body that it cannot parse into its error.
    if (error instanceof Error && 'body' in error && typeof error.body === 'string') return error.body;
    throw await readError(error, ctx, maxBytes);
  }
}

import { isUtf8 } from 'node:buffer';
import { HttpMethodEnum, koaBody } from 'koa-body';
import { AppError, validationError } from '../../shared/errors.ts';
import { isSliceOver, nextSlice } from '../../shared/runtime/time-slices.ts';
import { excessError } from '../validation/excess-error.ts';
import { type BodyFault, type JsonLimits, JsonScanner } from '../validation/json-scanner.ts';
import { parseJson } from '../validation/json-text.ts';
import type { AppContext } from './context.ts';
import { bodyError, encodingOf, readFailure, requireUtf8, tooLarge } from './request-body.ts';

const maxBytes = 100 * 1024;

/** Far more than any route takes: the errors of ten thousand fields or items would take longer than everything else. */
const limits: JsonLimits = { entries: 1000, levels: 32, fields: 1000, values: 1000 };

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
  const bytes = await readBytes(ctx);
  if (isSliceOver()) await nextSlice();
  const scanner = new JsonScanner('json', limits);
  const scanned = scanner.push(bytes) ?? scanner.finish();
  if (typeof scanned === 'string') throw faultError(scanned);
  const excess = scanned.entries.find((entry) => entry.excess !== null)?.excess;
  if (excess) throw validationError([excessError(bytes, excess, limits)]);
  const text = bytes.toString('utf8');
  // Parsing and what follows, validation, are one slice.
  if (isSliceOver()) await nextSlice();
  const value = parseJson(text);
  if (value === undefined) throw bodyError(text.trim() === '' ? 'is required' : 'must be valid JSON');
  return value;
}

async function readBytes(ctx: AppContext): Promise<Buffer> {
  requireUtf8(ctx);
  ctx.state.bodyMemory.grow(maxBytes);
  // koa-body accepts each encoding under one name only.
  ctx.req.headers['content-encoding'] = encodingOf(ctx);
  const bytes = Buffer.from(await readLatin1(ctx), 'latin1');
  if (!isUtf8(bytes)) throw bodyError('must be valid UTF-8');
  return bytes;
}

async function readLatin1(ctx: AppContext): Promise<string> {
  try {
    // koa-body counts what is unpacked: a gzip body can have any number of empty members.
    if ((ctx.request.length ?? 0) > maxBytes) throw tooLarge(maxBytes);
    await readBody(ctx, async () => undefined);
    return String(ctx.request['rawBody']);
  } catch (error) {
    // koa-body puts a body that it cannot parse into its error.
    if (error instanceof Error && 'body' in error && typeof error.body === 'string') return error.body;
    throw await readFailure(error, ctx, maxBytes);
  }
}

const faultError = (fault: BodyFault) =>
  bodyError(fault === 'malformed' ? 'must be valid JSON' : `must have at most ${limits.values} fields and items`);

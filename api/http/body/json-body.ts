import { validationError } from '../../../shared/errors.ts';
import { bodyError, excessError } from '../../../shared/json/field-errors.ts';
import { jsonFault } from '../../../shared/json/json-fault.ts';
import { type JsonLimits, JsonScanner } from '../../../shared/json/json-scanner.ts';
import { parseJson } from '../../../shared/json/parse-json.ts';
import { isSliceOver, nextSlice } from '../../../shared/process/time-slices.ts';
import type { AppContext } from '../context.ts';
import { readBody, unsupportedType } from './request-body.ts';

/** The largest body of an ordinary route, unpacked. */
export const maxJsonBytes = 100 * 1024;

/**
 * Far more than any route takes: the errors of ten thousand fields or items would take longer than
 * everything else.
 */
const limits: JsonLimits = { entries: 1000, levels: 32, fields: 1000, values: 1000 };

/**
 * Reads the JSON body of a request, at most 100 KiB unpacked.
 * @returns the parsed value; an empty object if an optional body was not sent.
 * @throws AppError VALIDATION_ERROR, PAYLOAD_TOO_LARGE or UNSUPPORTED_MEDIA_TYPE.
 */
export async function readJsonBody(ctx: AppContext, { optional = false }): Promise<unknown> {
  const none = ctx.request.length === 0 || ctx.is() === null;
  if (none && optional) return {};
  if (!ctx.is('json')) {
    throw none ? bodyError('is required') : unsupportedType(ctx, ['application/json']);
  }
  const scanner = new JsonScanner('values', limits);
  const onPiece = (piece: Buffer) => {
    if (scanner.push(piece) !== null) throw tooManyValues();
  };
  const bytes = await readBody(ctx, maxJsonBytes, { onPiece });
  const scanned = scanner.finish();
  if (typeof scanned === 'string') throw tooManyValues();
  const excess = scanned.entries.find((entry) => entry.excess !== null)?.excess;
  if (excess) throw validationError([excessError(bytes, excess, limits)]);
  const text = utf8.decode(bytes);
  if (!scanned.closed) throw bodyError(jsonFault(text));
  // Parsing and what follows, validation, are one slice.
  if (isSliceOver()) await nextSlice();
  const value = parseJson(text);
  if (value === undefined) throw text.trim() === '' ? bodyError('is required') : bodyError(jsonFault(text));
  return value;
}

const utf8 = new TextDecoder();

const tooManyValues = () => bodyError(`must have at most ${limits.values} fields and items`);

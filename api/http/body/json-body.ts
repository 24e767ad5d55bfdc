import { bodyError } from '../../../shared/json/field-errors.ts';
import { jsonFault } from '../../../shared/json/json-fault.ts';
import { parseJson } from '../../../shared/json/parse-json.ts';
import type { AppContext } from '../context.ts';
import { readPlainBody, unsupportedType } from './request-body.ts';

/** The largest body of an ordinary route. */
export const maxJsonBytes = 100 * 1024;

/**
 * Far more than any route takes: the errors of ten thousand fields or items would take longer than
 * everything else.
 */
const maxValues = 1000;

/** Validation refuses what is nested more deeply. */
const maxCountedLevels = 32;

/**
 * Reads the JSON body of a request, at most 100 KiB.
 * @returns the parsed value; an empty object if an optional body was not sent.
 * @throws AppError VALIDATION_ERROR, PAYLOAD_TOO_LARGE or UNSUPPORTED_MEDIA_TYPE.
 */
export async function readJsonBody(ctx: AppContext, { optional = false }): Promise<unknown> {
  const none = ctx.request.length === 0 || ctx.is() === null;
  if (none && optional) return {};
  if (!ctx.is('json')) {
    throw none ? bodyError('is required') : unsupportedType(ctx, ['application/json']);
  }
  const text = utf8.decode(await readPlainBody(ctx, maxJsonBytes));
  const value = parseJson(text);
  if (value === undefined) throw bodyError(text.trim() === '' ? 'is required' : jsonFault(text));
  if (countValues(value) > maxValues) throw bodyError(`must have at most ${maxValues} fields and items`);
  return value;
}

const utf8 = new TextDecoder();

function countValues(value: unknown, level = 0): number {
  if (typeof value !== 'object' || value === null || level === maxCountedLevels) return 0;
  const parts: unknown[] = Object.values(value);
  return parts.reduce<number>((count, part) => count + countValues(part, level + 1), parts.length);
}

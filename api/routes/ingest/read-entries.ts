import { createUnzip } from 'node:zlib';
import type { ObjectSchema } from 'joi';
import getRawBody from 'raw-body';
import { AppError, type FieldError, validationError } from '../../../shared/errors.ts';
import type { AppContext } from '../../request/context.ts';
import { bodyError, decodeUtf8, encodingOf, readError, requireUtf8 } from '../../request/request-body.ts';
import { parseJson } from '../../validation/json-text.ts';
import { check } from '../../validation/validate.ts';
import { type LogEntryInput, maxEntries } from './ingest.schemas.ts';

/** The entries of a request body, each valid or with its errors. */
export interface ReadEntries {
  /** Whether one entry was sent, not a list. */
  single: boolean;
  valid: { index: number; entry: LogEntryInput }[];
  invalid: { index: number; errors: FieldError[] }[];
}

/**
 * Reads a body of JSON or NDJSON, plain or compressed, and checks every entry. The bytes are read here and not by the
 * parser of ordinary bodies: a message's hash covers its exact bytes, so none may be replaced.
 * @throws AppError when the body as a whole is not valid.
 */
export async function readEntries(
  ctx: AppContext,
  schema: ObjectSchema<LogEntryInput>,
  maxBytes: number,
): Promise<ReadEntries> {
  const type = ctx.is('application/json', 'application/x-ndjson');
  if (type === null || ctx.request.length === 0) throw bodyError('is required');
  if (type === false) {
    throw new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      'Log entries must be sent as application/json or application/x-ndjson.',
    );
  }
  requireUtf8(ctx);
  const text = decodeUtf8(await readBytes(ctx, maxBytes));
  const { single, values } = type === 'application/json' ? parseWhole(text) : parseLines(text);
  if (values.length === 0) throw bodyError('must hold at least one log entry');
  if (values.length > maxEntries) throw bodyError(`must hold at most ${maxEntries} log entries`);
  const entries: ReadEntries = { single, valid: [], invalid: [] };
  values.forEach((parsed, index) => {
    const result = checkEntry(schema, parsed);
    if ('errors' in result) entries.invalid.push({ index, errors: result.errors });
    else entries.valid.push({ index, entry: result.value });
  });
  return entries;
}

type Parsed = ReturnType<typeof parseJson>;

function checkEntry(
  schema: ObjectSchema<LogEntryInput>,
  parsed: Parsed,
): { value: LogEntryInput } | { errors: FieldError[] } {
  if ('errors' in parsed) return parsed;
  const crowded = crowdedParts(parsed.value);
  if (crowded.length > 0) return { errors: crowded };
  // Nearly all entries have no forbidden parts, which their text shows without a walk.
  return parsed.isSuspicious ? check(schema, parsed.value) : check(schema, parsed.value, 'body', []);
}

/** An object with more fields is one error, not one per field. */
const maxFields = 1000;

function crowdedParts(value: unknown): FieldError[] {
  if (typeof value !== 'object' || value === null) return [];
  const parts = { body: value, ...('attributes' in value ? { attributes: value.attributes } : {}) };
  return Object.entries(parts)
    .filter(([, part]) => typeof part === 'object' && part !== null && Object.keys(part).length > maxFields)
    .map(([field]) => ({ field, error: `must have at most ${maxFields} fields` }));
}

/** The errors of all entries as one list: `message` of a single entry, `[3].message` of the fourth in a list. */
export function fieldErrorsOf({ single, invalid }: ReadEntries): FieldError[] {
  return invalid.flatMap(({ index, errors }) =>
    errors.map(({ field, error }) => ({ field: single ? field : fieldInList(index, field), error })),
  );
}

function fieldInList(index: number, field: string): string {
  return field === 'body' ? `[${index}]` : `[${index}].${field}`;
}

async function readBytes(ctx: AppContext, maxBytes: number): Promise<Buffer> {
  const plain = encodingOf(ctx) === 'identity';
  try {
    if (plain) return await getRawBody(ctx.req, { limit: maxBytes, length: ctx.request.length ?? null });
    const unzip = createUnzip();
    // A disconnect ends the request, not the pipe.
    ctx.req.once('aborted', () => unzip.destroy(bodyError('must be complete')));
    return await getRawBody(ctx.req.pipe(unzip), { limit: maxBytes });
  } catch (error) {
    throw await readError(error, ctx, maxBytes);
  }
}

function parseWhole(text: string): { single: boolean; values: Parsed[] } {
  const parsed = parseJson(text);
  if ('errors' in parsed) throw validationError(parsed.errors);
  const { value, isSuspicious } = parsed;
  if (!Array.isArray(value)) return { single: true, values: [parsed] };
  return { single: false, values: value.map((entry: unknown) => ({ value: entry, isSuspicious })) };
}

function parseLines(text: string): { single: boolean; values: Parsed[] } {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  // Too many lines are counted, not parsed.
  const parse = lines.length > maxEntries ? () => ({ value: null, isSuspicious: false }) : parseJson;
  return { single: false, values: lines.map(parse) };
}

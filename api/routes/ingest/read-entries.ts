import { createUnzip } from 'node:zlib';
import type { ObjectSchema } from 'joi';
import getRawBody from 'raw-body';
import { AppError, type Fault, validationError } from '../../../shared/errors.ts';
import type { AppContext } from '../../context.ts';
import { parseJson } from '../../validation/json-text.ts';
import { check } from '../../validation/validate.ts';
import { type LogEntryInput, maxEntries } from './ingest.schemas.ts';

/** The entries of a request body, each valid or with its faults. */
export interface ReadEntries {
  /** Was one entry sent, rather than a list? */
  single: boolean;
  valid: { index: number; entry: LogEntryInput }[];
  invalid: { index: number; faults: Fault[] }[];
}

/**
 * Reads a body of JSON or NDJSON, plain or compressed, and checks every entry. The bytes are read here rather than by
 * the ordinary body parser: a message's hash is over its exact bytes, so nothing may be replaced on the way.
 * @throws AppError when the body as a whole is at fault.
 */
export async function readEntries(
  ctx: AppContext,
  schema: ObjectSchema<LogEntryInput>,
  maxBytes: number,
): Promise<ReadEntries> {
  const type = ctx.is('application/json', 'application/x-ndjson');
  if (type === null || ctx.request.length === 0) throw bodyFault('is required');
  if (type === false) {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Log entries are taken as application/json or application/x-ndjson.');
  }
  const text = decode(await readBytes(ctx, maxBytes));
  const sent = type === 'application/json' ? parseWhole(text) : parseLines(text);
  if (sent.values.length === 0) throw bodyFault('must hold at least one log entry');
  if (sent.values.length > maxEntries) throw bodyFault(`must hold at most ${maxEntries} log entries`);
  const entries: ReadEntries = { single: sent.single, valid: [], invalid: [] };
  sent.values.forEach((value, index) => {
    const result = 'faults' in value ? value : check(schema, value.value);
    if ('faults' in result) entries.invalid.push({ index, faults: result.faults });
    else entries.valid.push({ index, entry: result.value });
  });
  return entries;
}

/** Faults of all entries, as one list: `message` of a single entry, `[3].message` of a list's fourth. */
export function faultsOf({ single, invalid }: ReadEntries): Fault[] {
  return invalid.flatMap(({ index, faults }) =>
    faults.map(({ field, error }) => ({ field: single ? field : fieldInList(index, field), error })),
  );
}

function fieldInList(index: number, field: string): string {
  return field === 'body' ? `[${index}]` : `[${index}].${field}`;
}

function bodyFault(error: string): AppError {
  return validationError([{ field: 'body', error }]);
}

async function readBytes(ctx: AppContext, maxBytes: number): Promise<Buffer> {
  const encoding = ctx.get('Content-Encoding').toLowerCase() || 'identity';
  const plain = encoding === 'identity';
  if (!plain && encoding !== 'gzip' && encoding !== 'deflate') {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'The body may be sent plain, or compressed by gzip or deflate.');
  }
  try {
    if (plain) return await getRawBody(ctx.req, { limit: maxBytes, length: ctx.request.length ?? null });
    const unzip = createUnzip();
    // A sender that goes away in the middle ends the request, not the pipe.
    ctx.req.once('aborted', () => unzip.destroy());
    return await getRawBody(ctx.req.pipe(unzip), { limit: maxBytes });
  } catch (error) {
    throw bodyError(error, ctx, maxBytes);
  }
}

function bodyError(error: unknown, ctx: AppContext, maxBytes: number): unknown {
  if (!(error instanceof Error)) return error;
  if ('type' in error && error.type === 'entity.too.large') {
    // What is left of the body is not read any more.
    return new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes} bytes.`, {
      headers: { Connection: 'close' },
    });
  }
  if ('code' in error && typeof error.code === 'string' && error.code.startsWith('Z_')) {
    return bodyFault(`must be complete ${ctx.get('Content-Encoding')} data`);
  }
  // The request was cut off, or is shorter than it says; whoever sent it is gone.
  if ('status' in error && error.status === 400) return bodyFault('must be complete');
  return error;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw bodyFault('must be valid UTF-8');
  }
}

type Parsed = ReturnType<typeof parseJson>;

function parseWhole(text: string): { single: boolean; values: Parsed[] } {
  if (text.trim() === '') throw bodyFault('is required');
  const parsed = parseJson(text);
  if ('faults' in parsed) throw validationError(parsed.faults);
  if (!Array.isArray(parsed.value)) return { single: true, values: [parsed] };
  return { single: false, values: parsed.value.map((value: unknown) => ({ value })) };
}

function parseLines(text: string): { single: boolean; values: Parsed[] } {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  // More lines than may be sent are counted, not parsed.
  return {
    single: false,
    values: lines.length > maxEntries ? lines.map(() => ({ value: null })) : lines.map(parseJson),
  };
}

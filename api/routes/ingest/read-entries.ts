import type { ObjectSchema } from 'joi';
import { AppError, type FieldError } from '../../../shared/errors.ts';
import { isSliceOver, nextSlice } from '../../../shared/runtime/time-slices.ts';
import type { AppContext } from '../../request/context.ts';
import { bodyError, readBody } from '../../request/request-body.ts';
import { excessError } from '../../validation/excess-error.ts';
import { forbiddenParts, maxFieldErrors } from '../../validation/forbidden-parts.ts';
import { type BodyFault, type JsonForm, JsonScanner, type ScannedEntry } from '../../validation/json-scanner.ts';
import { parseJson } from '../../validation/json-text.ts';
import { check } from '../../validation/validate.ts';
import { bodyLimits, type LogEntryInput } from './ingest.schemas.ts';

/** The entries of a request body, each valid or with its errors. */
export interface ReadEntries {
  /** Whether one entry was sent, not a list. */
  single: boolean;
  valid: { index: number; entry: LogEntryInput }[];
  invalid: { index: number; errors: FieldError[] }[];
}

const bodyErrors: Record<BodyFault, string> = {
  malformed: 'must be valid JSON',
  entries: `must hold at most ${bodyLimits.entries} log entries`,
  values: `must have at most ${bodyLimits.values} fields in all log entries together`,
};

/** An entry of more bytes has a slice of its own: to decode and parse 5 MiB takes 30 ms. */
const sliceBytes = 256 * 1024;

/**
 * The form of the body, by its media type.
 * @throws AppError VALIDATION_ERROR when there is no body, UNSUPPORTED_MEDIA_TYPE.
 */
export function formOfBody(ctx: AppContext): JsonForm {
  const type = ctx.is('application/json', 'application/x-ndjson');
  if (type === null || ctx.request.length === 0) throw bodyError('is required');
  if (type === false) {
    throw new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      'Log entries must be sent as application/json or application/x-ndjson.',
    );
  }
  return type === 'application/json' ? 'json' : 'lines';
}

/**
 * Reads a body, plain or compressed, and checks every entry. The limits of the whole body apply while it arrives; entries
 * are then parsed one by one, in slices. They are cut from the body as bytes, because a message's hash covers its exact
 * bytes.
 * @throws AppError when the body as a whole is not valid.
 */
export async function readEntries(
  ctx: AppContext,
  form: JsonForm,
  schema: ObjectSchema<LogEntryInput>,
  maxBytes: number,
): Promise<ReadEntries> {
  const scanner = new JsonScanner(form, bodyLimits);
  const look = (piece: Buffer) => {
    const fault = scanner.push(piece);
    if (fault !== null) throw bodyError(bodyErrors[fault]);
  };
  const bytes = await readBody(ctx, maxBytes, { look });
  const scanned = scanner.finish();
  if (typeof scanned === 'string') throw bodyError(bodyErrors[scanned]);

  const { single } = scanned;
  const entries: ReadEntries = { single, valid: [], invalid: [] };
  let errorCount = 0;
  let index = 0;
  for (const scannedEntry of scanned.entries) {
    if (isSliceOver() || scannedEntry.end - scannedEntry.start > sliceBytes) await nextSlice();
    const parsed = parseEntry(bytes, scannedEntry);
    if (parsed.state === 'notJson') {
      // A line is one entry of many; a list that is not JSON has no entries.
      if (form === 'json') throw bodyError(single && parsed.isBlank ? 'is required' : bodyErrors.malformed);
      if (parsed.isBlank) continue;
    }
    // A body of nothing but errors takes no longer than one without: every entry at fault is named, the first few in full.
    const result = checkEntry(schema, parsed, errorCount >= maxFieldErrors);
    if ('errors' in result) {
      errorCount += result.errors.length;
      entries.invalid.push({ index, errors: result.errors });
    } else {
      entries.valid.push({ index, entry: result.value });
    }
    index += 1;
  }
  if (index === 0) throw bodyError('must hold at least one log entry');
  return entries;
}

type ParsedEntry =
  | { state: 'parsed'; value: unknown; isSuspicious: boolean }
  | { state: 'notJson'; isBlank: boolean }
  | { state: 'excessive'; error: FieldError };

function parseEntry(bytes: Buffer, { start, end, hasUnicodeEscape, excess }: ScannedEntry): ParsedEntry {
  if (excess) return { state: 'excessive', error: excessError(bytes, excess, bodyLimits) };
  const text = bytes.toString('utf8', start, end);
  const value = parseJson(text);
  return value === undefined
    ? { state: 'notJson', isBlank: text.trim() === '' }
    : { state: 'parsed', value, isSuspicious: hasUnicodeEscape || text.includes('__proto__') };
}

/** @param onlyFirst whether the first error of the entry is enough. */
function checkEntry(
  schema: ObjectSchema<LogEntryInput>,
  parsed: ParsedEntry,
  onlyFirst: boolean,
): { value: LogEntryInput } | { errors: FieldError[] } {
  if (parsed.state === 'notJson') return { errors: [{ field: 'body', error: bodyErrors.malformed }] };
  if (parsed.state === 'excessive') return { errors: [parsed.error] };
  // Nearly all entries have no forbidden parts, which their text shows without a walk.
  const forbidden = parsed.isSuspicious ? forbiddenParts(parsed.value) : [];
  return check(schema, parsed.value, { forbidden, onlyFirst });
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

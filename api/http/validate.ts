import type { Schema } from 'joi';
import { type FieldError, validationError } from '../../shared/errors.ts';
import { fieldPath, forbiddenParts, maxFieldErrors } from '../../shared/json/field-errors.ts';
import { fieldMessage } from './field-messages.ts';

/**
 * Preferences given with each value would be merged again for each value, which takes longer than
 * validating an entry.
 */
const prepared = { all: new WeakMap<Schema, Schema>(), first: new WeakMap<Schema, Schema>() };

function withPreferences<T>(schema: Schema<T>, errors: keyof typeof prepared): Schema<T> {
  let known = prepared[errors].get(schema);
  if (!known) {
    known = schema.prefs({ abortEarly: errors === 'first', errors: { label: false } });
    prepared[errors].set(schema, known);
  }
  return known;
}

interface CheckOptions {
  /** Names the input in an error that is not of one of its fields. */
  whole?: string;
  /** The errors that no schema covers, if the caller already knows them. */
  forbidden?: readonly FieldError[];
  /** Whether the first error is enough. */
  onlyFirst?: boolean;
}

/** The value as the schema converts it (trimmed, with defaults), or its field errors. */
export function check<T>(
  schema: Schema<T>,
  value: unknown,
  { whole = 'body', forbidden = forbiddenParts(value), onlyFirst = false }: CheckOptions = {},
): { value: T } | { errors: FieldError[] } {
  if (onlyFirst && forbidden.length > 0) return { errors: forbidden.slice(0, 1) };
  // One error per field: a value that is not a string is not reported as an unknown option too.
  const errors = new Map(forbidden.map((error) => [error.field, error]));
  const result = withPreferences(schema, onlyFirst ? 'first' : 'all').validate(value);
  for (const detail of result.error?.details ?? []) {
    const { path, type, context } = detail;
    if (errors.size >= maxFieldErrors) break;
    // Joi reports a conflict of aliases as an error of the object; the field is the target of the
    // aliases.
    const renamed = type.startsWith('object.rename.') ? [String(context?.['to'])] : [];
    const field = fieldPath([...path, ...renamed], whole);
    if (errors.has(field)) continue;
    // To find the nearest names for each of a thousand entries would take longer than the rest.
    const isShort = onlyFirst && type === 'name.unknown';
    errors.set(field, { field, error: isShort ? detail.message : fieldMessage(detail, schema, whole) });
  }
  return errors.size > 0 ? { errors: [...errors.values()] } : { value: result.value as T };
}

/**
 * The value as the schema converts it.
 * @throws AppError VALIDATION_ERROR that lists all field errors.
 */
export function validate<T>(schema: Schema<T>, value: unknown): T {
  const result = check(schema, value);
  if ('errors' in result) throw validationError(result.errors);
  return result.value;
}

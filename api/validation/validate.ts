import type { Schema } from 'joi';
import { type FieldError, validationError } from '../../shared/errors.ts';
import { fieldPath } from './field-path.ts';
import { forbiddenParts, maxFieldErrors } from './forbidden-parts.ts';

const prepared = new WeakMap<Schema, Schema>();

/** Preferences given with each value would be merged again for each value, which takes longer than validating an entry. */
function withPreferences<T>(schema: Schema<T>): Schema<T> {
  let known = prepared.get(schema);
  if (!known) {
    known = schema.prefs({ abortEarly: false, errors: { label: false } });
    prepared.set(schema, known);
  }
  return known;
}

/**
 * The value as the schema converts it (trimmed, with defaults), or all field errors.
 * @param whole names the input in an error that is not of one of its fields.
 * @param forbidden the errors that no schema covers, if the caller already knows them.
 */
export function check<T>(
  schema: Schema<T>,
  value: unknown,
  whole = 'body',
  forbidden: readonly FieldError[] = forbiddenParts(value),
): { value: T } | { errors: FieldError[] } {
  // One error per field: a value that is not a string is not reported as an unknown option too.
  const errors = new Map(forbidden.map((error) => [error.field, error]));
  const result = withPreferences(schema).validate(value);
  for (const { path, message, type, context } of result.error?.details ?? []) {
    if (errors.size >= maxFieldErrors) break;
    // Joi reports a conflict of aliases as an error of the object; the field is the target of the aliases.
    const renamed = type.startsWith('object.rename.') ? [String(context?.['to'])] : [];
    const field = fieldPath([...path, ...renamed], whole);
    if (!errors.has(field)) errors.set(field, { field, error: message });
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

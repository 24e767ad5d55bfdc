import type { Schema } from 'joi';
import { type Fault, validationError } from '../../shared/errors.ts';
import { fieldPath } from './field-path.ts';
import { forbiddenParts, mostFaults } from './forbidden-parts.ts';

const prepared = new WeakMap<Schema, Schema>();

/** Joi merges preferences that are given with a value again for every value, which costs more than a log entry does. */
function withPreferences<T>(schema: Schema<T>): Schema<T> {
  let known = prepared.get(schema);
  if (!known) {
    known = schema.prefs({ abortEarly: false, errors: { label: false } });
    prepared.set(schema, known);
  }
  return known;
}

/**
 * The value as the schema sees it (trimmed, defaults filled in), or all of its faults.
 * @param forbidden those that have nothing to do with a schema, where the caller knows them.
 */
export function check<T>(
  schema: Schema<T>,
  value: unknown,
  whole = 'body',
  forbidden: readonly Fault[] = forbiddenParts(value),
): { value: T } | { faults: Fault[] } {
  // One fault a field: what is no string is not one of the allowed strings either.
  const faults = new Map(forbidden.map((fault) => [fault.field, fault]));
  const result = withPreferences(schema).validate(value);
  for (const { path, message, type, context } of result.error?.details ?? []) {
    if (faults.size >= mostFaults) break;
    // A fault of an alias lies on the object; the field is what it stands for.
    const renamed = type.startsWith('object.rename.') ? [String(context?.['to'])] : [];
    const field = fieldPath([...path, ...renamed], whole);
    if (!faults.has(field)) faults.set(field, { field, error: message });
  }
  return faults.size > 0 ? { faults: [...faults.values()] } : { value: result.value as T };
}

/**
 * Checks input of a request at its border.
 * @param whole names the input where the fault is not in one of its fields.
 * @throws AppError VALIDATION_ERROR that lists every fault.
 */
export function validate<T>(schema: Schema<T>, value: unknown, whole = 'body'): T {
  const result = check(schema, value, whole);
  if ('faults' in result) throw validationError(result.faults);
  return result.value;
}

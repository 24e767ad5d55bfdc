import type { Schema } from 'joi';
import { type Fault, validationError } from '../../shared/errors.ts';

/** `['assumptions', 'function', 'memory_mb']` becomes `assumptions.function.memory_mb`, `[3, 'message']` `[3].message`. */
export function fieldPath(path: readonly (string | number)[], whole = 'body'): string {
  if (path.length === 0) return whole;
  return path.map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`)).join('');
}

/** Nobody reads more, and a body of nothing but faults would bring an answer many times its size. */
const mostFaults = 20;

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

/** The value as the schema sees it (trimmed, defaults filled in), or all of its faults. */
export function check<T>(schema: Schema<T>, value: unknown, whole = 'body'): { value: T } | { faults: Fault[] } {
  const result = withPreferences(schema).validate(value);
  if (!result.error) return { value: result.value };
  // One fault a field: what is no string is not one of the allowed strings either.
  const faults = new Map<string, Fault>();
  for (const { path, message, type, context } of result.error.details) {
    if (faults.size === mostFaults) break;
    // A fault of an alias lies on the object; the field is what it stands for.
    const renamed = type.startsWith('object.rename.') ? [String(context?.['to'])] : [];
    const field = fieldPath([...path, ...renamed], whole);
    if (!faults.has(field)) faults.set(field, { field, error: message });
  }
  return { faults: [...faults.values()] };
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

import type { FieldError } from '../../shared/errors.ts';
import { parseJson } from './body/json-bytes.ts';
import type { EntryExcess, JsonLimits } from './body/json-scanner.ts';
import { fieldPath } from './field-path.ts';

/** The error of an entry that exceeds a limit, in the body with these bytes. */
export function excessError(bytes: Buffer, { limit, name }: EntryExcess, { fields }: JsonLimits): FieldError {
  const field = name && parseJson(bytes.toString('utf8', name.start, name.end));
  return {
    field: typeof field === 'string' ? fieldPath([field]) : 'body',
    error: limit === 'levels' ? 'is nested too deeply' : `must have at most ${fields} fields`,
  };
}

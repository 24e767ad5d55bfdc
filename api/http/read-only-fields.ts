// Schemas of PATCH declare read-only fields, and their handlers compare them with the resource.
import { isDeepStrictEqual } from 'node:util';
import type { TObject, TProperties } from 'typebox';
import { validationError } from '../../shared/errors.ts';
import { parseTimestamp } from '../../shared/timestamp.ts';
import { Joi } from './input.ts';

/**
 * Fields that a client can repeat as it has read them, and cannot change. Their values are compared
 * with those of the resource (`requireUnchanged`), not validated.
 */
export const readOnlyFields = <Fields extends TProperties>(
  { properties }: TObject<Fields>,
  names: readonly (keyof Fields & string)[],
) => Object.fromEntries(names.map((name) => [name, Joi.readOnly().meta(properties[name] as object)]));

/** How read-only fields change otherwise, by their names. */
type Hints = Readonly<Record<string, string>>;

/** Separates the fields that a request can change from the others. */
export function splitFields<Changes extends object>(
  body: Changes,
  readOnly: object,
  hints: Hints = {},
): { changes: Changes; repeated: Record<string, unknown> } {
  const entries = Object.entries(body);
  const changes = entries.filter(([name]) => !(name in readOnly));
  const repeated = entries.filter(([name]) => name in readOnly);
  if (changes.length === 0) {
    const sent = repeated.map(([name]) => name);
    const hint = sent.flatMap((name) => (hints[name] ? [`; ${name} ${hints[name]}`] : [])).join('');
    const error = `must contain a field that can be changed, not only ${sent.join(', ')}${hint}`;
    throw validationError([{ field: 'body', error }]);
  }
  return { changes: Object.fromEntries(changes) as Changes, repeated: Object.fromEntries(repeated) };
}

/**
 * @throws AppError VALIDATION_ERROR that names every field whose value is not that of the resource.
 */
export function requireUnchanged(repeated: Readonly<Record<string, unknown>>, shown: object, hints: Hints = {}): void {
  const errors = Object.entries(repeated).flatMap(([field, sent]) => {
    const present = (shown as Record<string, unknown>)[field];
    if (isSameValue(sent, present)) return [];
    const hint = hints[field] === undefined ? '' : `; it ${hints[field]}`;
    return [{ field, error: `is read-only: send ${JSON.stringify(present)}, which it is now, or leave it out${hint}` }];
  });
  if (errors.length > 0) throw validationError(errors);
}

/** Timestamps and UUIDs have several spellings. */
function isSameValue(sent: unknown, present: unknown): boolean {
  if (typeof sent !== 'string' || typeof present !== 'string') return isDeepStrictEqual(sent, present);
  if (sent.toLowerCase() === present.toLowerCase()) return true;
  const time = parseTimestamp(sent);
  return time !== undefined && time === parseTimestamp(present);
}

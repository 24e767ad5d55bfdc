import type { Schema, ValidationErrorItem } from 'joi';
import { type FieldError, validationError } from '../../shared/errors.ts';
import { fieldPath, forbiddenParts, maxFieldErrors } from '../../shared/json/field-errors.ts';
import { kindOf, mustBeOneOf, quoted } from '../../shared/quoted.ts';
import { fieldsOf } from './joi.ts';

/**
 * The value as the schema converts it (trimmed, with defaults), or its field errors.
 * @param whole names the input in an error that is not of one of its fields.
 */
export function check<T>(schema: Schema<T>, value: unknown, whole = 'body'): { value: T } | { errors: FieldError[] } {
  // One error per field: a value that is not a string is not reported as an unknown option too.
  const errors = new Map(forbiddenParts(value).map((error) => [error.field, error]));
  const result = schema.validate(value, { abortEarly: false, errors: { label: false } });
  for (const detail of result.error?.details ?? []) {
    const { path, type, context } = detail;
    if (errors.size >= maxFieldErrors) break;
    // Joi reports a conflict of aliases as an error of the object; the field is the target of the
    // aliases.
    const renamed = type.startsWith('object.rename.') ? [String(context?.['to'])] : [];
    const field = fieldPath([...path, ...renamed], whole);
    if (!errors.has(field)) errors.set(field, { field, error: fieldMessage(detail, schema, whole) });
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

/**
 * The errors of Joi in the words of the service: what was sent, what is wrong and what is accepted.
 * The messages of all other types are those of Joi or of the field.
 */

interface Context {
  readonly value?: unknown;
  readonly limit?: number;
  readonly valids?: readonly unknown[];
  readonly describe?: (sent: string) => string;
}

/** @param whole what is validated: `query` for the parameters of an address. */
function fieldMessage(
  { type, path, message, context = {} }: Omit<ValidationErrorItem, 'context'> & { context?: Context },
  schema: Schema,
  whole: string,
): string {
  const { value, limit, valids = [], describe } = context;
  switch (type) {
    case 'any.only':
      return mustBeOneOf(valids, value);
    case 'boolean.base':
      return `must be true or false, not ${quoted(value)}`;
    case 'number.min':
      return `must be at least ${limit}, not ${quoted(value)}`;
    case 'number.max':
      return `must be at most ${limit}, not ${quoted(value)}`;
    case 'object.min':
      return `must contain at least one of ${namesOf(schemaAt(schema, path)).join(', ')}`;
    case 'object.unknown':
      return unknownField(namesOf(schemaAt(schema, path.slice(0, -1))), String(path.at(-1)), whole);
    case 'name.unknown':
      return describe?.(String(value)) ?? message;
    default:
      if (showsKind.has(type)) return `${message}, not ${kindOf(value)}`;
      return showsValue.has(type) ? `${message}, not ${quoted(value)}` : message;
  }
}

/** The values of these fields can be long or secret. */
const showsKind = new Set(['array.base', 'object.base', 'string.base']);

const showsValue = new Set([
  'cursor.form',
  'discount.form',
  'instant.form',
  'month.form',
  'number.base',
  'number.integer',
  'string.pattern.base',
  'time.form',
  'uuid.format',
  'volume.form',
]);

export const unknownZone = (name: string): string =>
  `${quoted(name)} is not a time zone: it must be a name such as Europe/Berlin`;

/** Parameters of the two ways to page through a list. */
const paging = ['page', 'page_size', 'limit', 'offset', 'cursor'];

function unknownField(known: readonly string[], name: string, whole: string): string {
  if (whole !== 'query') return `is unknown; known are ${known.join(', ')}`;
  const pages = paging.includes(name) ? known.filter((parameter) => paging.includes(parameter)) : [];
  return `is not a parameter here; ${pages.length > 0 ? `use ${pages.join(' and ')}` : `known are ${known.join(', ')}`}`;
}

const namesOf = (schema: Schema | undefined): string[] =>
  (schema ? fieldsOf(schema) : []).filter((field) => field.schema.type !== 'readOnly').map(({ key }) => key);

/** The schema of a part of a value; undefined if the schema does not describe it. */
function schemaAt(schema: Schema, path: readonly (string | number)[]): Schema | undefined {
  return path.reduce<Schema | undefined>((at, part) => {
    if (typeof part === 'number') return at?.$_terms['items']?.[0] as Schema | undefined;
    return at && fieldsOf(at).find(({ key }) => key === part)?.schema;
  }, schema);
}

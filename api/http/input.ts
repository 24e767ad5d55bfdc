// Every schema of a route's input is made of the `Joi` here, and validated here. `openapi-document.ts`
// reads its JSON Schema.
import BaseJoi, {
  type AnySchema,
  type CustomHelpers,
  type ObjectSchema,
  type Schema,
  type StringSchema,
  type ValidationErrorItem,
} from 'joi';
import { isUuid } from '../../shared/crypto/sha256.ts';
import { type FieldError, validationError } from '../../shared/errors.ts';
import { fieldPath, forbiddenParts, maxFieldErrors } from '../../shared/json/field-errors.ts';
import { kindOf, mustBeOneOf, quoted } from '../../shared/quoted.ts';
import { endOfTimestamps, parseTimestamp } from '../../shared/timestamp.ts';
import type { Period } from '../../shared/usage/periods.ts';
import { isVisible } from '../../shared/visible-text.ts';

type Root = BaseJoi.Root & Record<'text' | 'uuid' | 'email', () => StringSchema> & { readOnly(): AnySchema };

const maxEmailLength = 254;

/** A code point is one UTF-16 code unit, or two, the second of which is a low surrogate. */
const countCodePoints = (text: string) => text.length - (text.match(/[\udc00-\udfff]/g)?.length ?? 0);

/**
 * The fields that a schema of an object names. They are read from the schema itself, because
 * `describe()` is slow: Joi validates every part of what it returns.
 */
export const fieldsOf = (schema: Schema): readonly { key: string; schema: Schema }[] => schema.$_terms['keys'] ?? [];

/** The keywords that a schema adds to its JSON Schema by `meta`. */
const addedTo = ({ $_terms }: Schema): object => $_terms['metas']?.[0] ?? {};

/**
 * Joi with more types. `text` is a string, for `text` and `knownName` below. `uuid` has hyphens and
 * no braces, and is converted to lower case. `email` is trimmed. `readOnly` is any value, for the
 * fields that `readOnlyFields` makes.
 */
export const Joi = BaseJoi.extend(
  (joi: BaseJoi.Root) => ({
    type: 'text',
    base: joi.string(),
    messages: { 'name.unknown': 'is not a known name' },
    jsonSchema: (schema: Schema, json: object) => ({ ...json, type: 'string', minLength: 1, ...addedTo(schema) }),
  }),
  (joi: BaseJoi.Root) => ({
    type: 'uuid',
    base: joi.string(),
    messages: { 'uuid.format': 'must be a UUID' },
    jsonSchema: () => ({ type: 'string', format: 'uuid' }),
    validate(value: string, helpers: CustomHelpers) {
      return isUuid(value) ? { value: value.toLowerCase() } : { value, errors: helpers.error('uuid.format') };
    },
  }),
  (joi: BaseJoi.Root) => ({
    type: 'email',
    base: joi
      .string()
      .trim()
      .max(maxEmailLength)
      .email({ tlds: false })
      .messages({ 'string.email': 'must be an e-mail address' }),
    jsonSchema: () => ({ type: 'string' }),
    // Refuses a long text before the rule `email` normalizes its Unicode, which can take a second.
    validate(value: string, helpers: CustomHelpers) {
      if (value.length <= maxEmailLength) return { value };
      return { value, errors: helpers.error('string.max', { limit: maxEmailLength }) };
    },
  }),
  (joi: BaseJoi.Root) => ({
    type: 'readOnly',
    base: joi.any(),
    jsonSchema: (schema: Schema) => ({ readOnly: true, ...addedTo(schema) }),
  }),
) as Root;

/**
 * A text of this many code points; Joi's own `min()` and `max()` count UTF-16 code units. Unless it
 * can be empty, it must have more than spaces, control characters and characters of no width.
 */
export const text = (min: number, max: number) =>
  Joi.text()
    .meta({ minLength: min, maxLength: max })
    .custom((value: string, helpers) => {
      const count = countCodePoints(value);
      if (count < min) return helpers.message({ custom: `must be at least ${min} characters long` });
      if (count > max) return helpers.message({ custom: `must be at most ${max} characters long` });
      return min === 0 || isVisible(value) ? value : helpers.message({ custom: 'must contain a visible character' });
    });

/**
 * A string that must be known when a request is validated, such as one of a growing set.
 * @param describe the error of an unknown name.
 * @param json adds to the JSON Schema of the field.
 */
export const knownName = (isKnown: (name: string) => boolean, describe: (name: string) => string, json: object = {}) =>
  Joi.text()
    .meta(json)
    .custom((name: string, helpers) => (isKnown(name) ? name : helpers.error('name.unknown', { describe })));

/** A UUID. `message` is the error for any other value. */
export const uuid = (message = 'must be a UUID') =>
  Joi.uuid().messages({ 'uuid.format': message, 'string.base': message });

/** The parameters of a path with an id. */
export const idPath = Joi.object<{ id: string }>({ id: uuid().required() });

/** A number that is sent as a JSON number, not as a string. */
export const number = () => BaseJoi.number().strict();

const form = 'must be an ISO 8601 date or time, such as 2026-05-01 or 2026-05-01T12:00:00Z';

const instant = (last?: number) =>
  Joi.string()
    .custom((text: string, helpers: CustomHelpers) => {
      const time = parseTimestamp(text, last);
      return time === undefined ? helpers.error('instant.form') : new Date(time);
    })
    .messages({ 'instant.form': form, 'string.base': form, 'string.empty': form });

export const periodFields = {
  from: instant()
    .description('Start of the period, inclusive; ISO 8601, UTC if it names no zone.')
    .example('2026-05-01'),
  to: instant(endOfTimestamps)
    .description('End of the period, exclusive; ISO 8601, UTC if it names no zone.')
    .example('2026-06-01T00:00:00Z'),
};

/** A query with the parameters of a period, which must be in order. */
export const withPeriod = <Query extends Period>(schema: ObjectSchema<Query>): ObjectSchema<Query> =>
  schema.custom(inOrder).messages({ 'period.order': 'must be before to' });

function inOrder(query: Period, helpers: CustomHelpers): unknown {
  const { from, to } = query;
  if (from === undefined || to === undefined || from < to) return query;
  return helpers.error('period.order', {}, helpers.state.localize?.(['from']));
}

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

// Every schema of a route's input is made of this Joi. `openapi-document.ts` reads its JSON Schema.
import BaseJoi, { type AnySchema, type CustomHelpers, type Schema, type StringSchema } from 'joi';
import { isUuid } from '../../shared/crypto/sha256.ts';
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

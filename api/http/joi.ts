// Every schema of a route's input is made of this Joi. `openapi-document.ts` reads its JSON Schema.
import BaseJoi, { type AnySchema, type CustomHelpers, type Schema, type StringSchema } from 'joi';
import { isUuid } from '../../shared/crypto/sha256.ts';
import { isVisible } from '../../shared/visible-text.ts';

interface TextSchema extends StringSchema {
  /** Bounds the length in code points. Joi's own `min()` and `max()` count UTF-16 code units. */
  characters(min: number, max: number): this;
  /** Refuses text that has only spaces, control characters or characters of no width. */
  visible(): this;
}

type Root = BaseJoi.Root & {
  text(): TextSchema;
  uuid(): StringSchema;
  email(): StringSchema;
  readOnly(): ReadOnlySchema;
  name(): NameSchema;
};

interface NameSchema extends StringSchema {
  /**
   * Accepts the names that are known when a request is validated.
   * @param describe the error of an unknown name.
   * @param json adds to the JSON Schema of the field.
   */
  known(isKnown: (name: string) => boolean, describe: (name: string) => string, json?: object): this;
}

interface ReadOnlySchema extends AnySchema {
  /** Adds to the JSON Schema of the field. */
  described(schema: object): this;
}

const maxEmailLength = 254;

/** A code point is one UTF-16 code unit, or two, the second of which is a low surrogate. */
const countCodePoints = (text: string) => text.length - (text.match(/[\udc00-\udfff]/g)?.length ?? 0);

/** Adds a rule to a schema, as the types of Joi do not allow. */
const addRule = (schema: unknown, name: string, args: object): AnySchema =>
  (schema as { $_addRule(rule: object): AnySchema }).$_addRule({ name, args });

/**
 * The fields that a schema of an object names. They are read from the schema itself, because
 * `describe()` is slow: Joi validates every part of what it returns.
 */
export const fieldsOf = (schema: Schema): readonly { key: string; schema: Schema }[] => schema.$_terms['keys'] ?? [];

/**
 * Joi with more types:
 * - `text`: a string with the rules `characters` and `visible`.
 * - `uuid`: a UUID with hyphens and without braces, converted to lower case.
 * - `email`: an e-mail address, trimmed.
 * - `readOnly`: any value, for the fields that `readOnlyFields` makes.
 * - `name`: a string that must be known while the service runs, such as one of a growing set.
 */
export const Joi = BaseJoi.extend(
  (joi: BaseJoi.Root) => ({
    type: 'text',
    base: joi.string(),
    messages: {
      'text.short': '{{#label}} must be at least {{#min}} characters long',
      'text.long': '{{#label}} must be at most {{#max}} characters long',
      'text.invisible': '{{#label}} must contain a visible character',
    },
    rules: {
      characters: {
        multi: false,
        method(min: number, max: number) {
          return addRule(this, 'characters', { min, max });
        },
        args: ['min', 'max'],
        validate(value: string, helpers: CustomHelpers, { min, max }: { min: number; max: number }) {
          const count = countCodePoints(value);
          if (count < min) return helpers.error('text.short', { min });
          return count > max ? helpers.error('text.long', { max }) : value;
        },
        jsonSchema(rule: { args: { min: number; max: number } }, schema: object) {
          return { ...schema, type: 'string', minLength: rule.args.min, maxLength: rule.args.max };
        },
      },
      visible: {
        validate: (value: string, helpers: CustomHelpers) =>
          isVisible(value) ? value : helpers.error('text.invisible'),
      },
    },
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
    jsonSchema: () => ({ readOnly: true }),
    rules: {
      described: {
        method(json: object) {
          return addRule(this, 'described', { json });
        },
        args: ['json'],
        validate: (value: unknown) => value,
        jsonSchema: (rule: { args: { json: object } }, schema: object) => ({ ...schema, ...rule.args.json }),
      },
    },
  }),
  (joi: BaseJoi.Root) => ({
    type: 'name',
    base: joi.string(),
    messages: { 'name.unknown': '{{#label}} is not a known name' },
    rules: {
      known: {
        method(isKnown: (name: string) => boolean, describe: (name: string) => string, json: object = {}) {
          return addRule(this, 'known', { isKnown, describe, json });
        },
        args: ['isKnown', 'describe', 'json'],
        validate: (
          value: string,
          helpers: CustomHelpers,
          { isKnown, describe }: { isKnown: (name: string) => boolean; describe: (name: string) => string },
        ) => (isKnown(value) ? value : helpers.error('name.unknown', { describe })),
        jsonSchema: (rule: { args: { json: object } }, schema: object) => ({
          ...schema,
          type: 'string',
          ...rule.args.json,
        }),
      },
    },
  }),
) as Root;

/** A UUID. `message` is the error for any other value. */
export const uuid = (message = 'must be a UUID') =>
  Joi.uuid().messages({ 'uuid.format': message, 'string.base': message });

/** A number that is sent as a JSON number, not as a string. */
export const number = () => BaseJoi.number().strict();

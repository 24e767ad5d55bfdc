import BaseJoi, { type AnySchema, type CustomHelpers, type StringSchema } from 'joi';
import { uuidPattern } from './uuid.ts';

interface TextSchema extends StringSchema {
  /** Bounds the length in Unicode characters (code points), where `min` and `max` count UTF-16 units. */
  characters(min: number, max: number): this;
}

type Root = BaseJoi.Root & { text(): TextSchema };

/** Joi with `text()`: a string whose length is counted as people count, in characters. */
export const Joi = BaseJoi.extend((joi: BaseJoi.Root) => ({
  type: 'text',
  base: joi.string(),
  messages: {
    'text.short': '{{#label}} must be at least {{#min}} characters long',
    'text.long': '{{#label}} must be at most {{#max}} characters long',
  },
  rules: {
    characters: {
      multi: false,
      method(min: number, max: number) {
        const self = this as unknown as { $_addRule(rule: object): AnySchema };
        return self.$_addRule({ name: 'characters', args: { min, max } });
      },
      args: ['min', 'max'],
      validate(value: string, helpers: CustomHelpers, { min, max }: { min: number; max: number }) {
        // Every character is one UTF-16 unit or two, the second half of a pair included.
        const length = value.length - (value.match(/[\udc00-\udfff]/g)?.length ?? 0);
        if (length < min) return helpers.error('text.short', { min });
        if (length > max) return helpers.error('text.long', { max });
        return value;
      },
      jsonSchema(rule: { args: { min: number; max: number } }, schema: object) {
        return { ...schema, type: 'string', minLength: rule.args.min, maxLength: rule.args.max };
      },
    },
  },
})) as Root;

/** A UUID in its usual form, with hyphens and without braces; lower-cased. */
export const uuid = () =>
  BaseJoi.string()
    .pattern(uuidPattern)
    .lowercase()
    .messages({ 'string.pattern.base': 'must be a UUID', 'string.base': 'must be a UUID' });

/** A number that was sent as a JSON number, not as text. */
export const number = () => BaseJoi.number().strict();

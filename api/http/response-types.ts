import { type TObject, type TProperties, type TSchema, Type } from 'typebox';

/**
 * The parts of response schemas. They are JSON Schema, from which the TypeScript types are
 * inferred.
 */

export const uuid = () => Type.String({ format: 'uuid' });

/** ISO 8601 in UTC with milliseconds. */
export const timestamp = (options: { description?: string } = {}) => Type.String({ format: 'date-time', ...options });

export const count = (options: { description?: string } = {}) => Type.Integer({ minimum: 0, ...options });

/** Money in USD, or GB-seconds: a decimal string with 12 decimals. */
export const decimal = () => Type.String({ pattern: '^-?\\d+\\.\\d{12}$' });

export const oneOf = <const Values extends readonly string[]>(values: Values) =>
  Type.Enum<[...Values]>([...values], { type: 'string' });

/** An object whose schema has a name in the OpenAPI document. */
export const named = <Fields extends TProperties>($id: string, fields: Fields) => Type.Object(fields, { $id });

export const described = <Fields extends TProperties>(description: string, fields: Fields) =>
  Type.Object(fields, { description });

export const nullable = <Schema extends TSchema>(schema: Schema, options: { description?: string } = {}) =>
  Type.Union([schema, Type.Null()], options);

export const mapOf = <Value>(values: TSchema) =>
  Type.Unsafe<Record<string, Value>>({ type: 'object', additionalProperties: values });

/** A page of a list; `$id` names the schema in the OpenAPI document. */
export const pageOf = <Item extends TObject>(item: Item, options: { $id: string }) =>
  Type.Object({ items: Type.Array(item), total: count(), page: count(), page_size: count() }, options);

/** The id of the scenario of all examples. */
export const exampleScenarioId = '6f6fb4b1-5c0e-4d3c-9a53-3f2b8a6f1c11';

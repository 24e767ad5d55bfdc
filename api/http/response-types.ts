import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';

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

type CamelCase<Name> = Name extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<CamelCase<Rest>>}` : Name;
type StoredName<Name> = Name extends 'id' ? '_id' : CamelCase<Name>;
type StoredValue<Shown> = Shown extends string ? Shown | Date : Readonly<Shown>;

/** The document that a response shows. Without a field, it shows null if the response may. */
type StoredFields<Shown> = {
  readonly [Name in keyof Shown as null extends Shown[Name] ? never : StoredName<Name>]: StoredValue<Shown[Name]>;
} & {
  readonly [Name in keyof Shown as null extends Shown[Name] ? StoredName<Name> : never]?: StoredValue<Shown[Name]>;
};

/**
 * Presents a stored document by the schema of its response, `createdAt` as `created_at`.
 * @param others the fields that are not those of the document.
 */
export function present<Fields extends TProperties, Others extends Partial<Static<TObject<Fields>>> = object>(
  schema: TObject<Fields>,
  document: StoredFields<Omit<Static<TObject<Fields>>, keyof Others>>,
  others?: Others,
): Static<TObject<Fields>> {
  const stored = document as Readonly<Record<string, unknown>>;
  const fields = Object.keys(schema.properties).map((name) => {
    const value = stored[name === 'id' ? '_id' : name.replaceAll(/_[a-z]/g, (part) => part.charAt(1).toUpperCase())];
    return [name, value instanceof Date ? value.toISOString() : (value ?? null)];
  });
  return { ...Object.fromEntries(fields), ...others };
}

/** The id of the scenario of all examples. */
export const exampleScenarioId = '6f6fb4b1-5c0e-4d3c-9a53-3f2b8a6f1c11';

import type { Schema } from 'joi';

export type JsonSchema = Record<string, unknown>;

/**
 * The JSON Schema of the input that a Joi schema accepts, in a form that generators of clients read
 * well.
 */
export function jsonSchemaOf(schema: Schema): JsonSchema {
  return simplify(schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' })) as JsonSchema;
}

/**
 * The same for a body. A default moves to the description, because generators of types take a field
 * with a default for required.
 */
export function bodySchemaOf(schema: Schema): JsonSchema {
  return describeDefaults(jsonSchemaOf(schema)) as JsonSchema;
}

function describeDefaults(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(describeDefaults);
  if (typeof part !== 'object' || part === null) return part;
  const entries = Object.entries(part).map(([key, nested]) => [key, describeDefaults(nested)]);
  const { default: value, ...schema }: JsonSchema = Object.fromEntries(entries);
  if (value === undefined || value === null || value === '') return schema;
  const { description } = schema;
  const text = `Default: \`${JSON.stringify(value)}\`.`;
  return { ...schema, description: typeof description === 'string' ? `${description} ${text}` : text };
}

/**
 * Joi writes `allow('')` and `allow(null)` as alternatives. An alternative that another one
 * includes goes, and a nullable type becomes a list of types.
 */
function simplify(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(simplify);
  if (typeof part !== 'object' || part === null) return part;
  const schema: JsonSchema = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, simplify(value)]));
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const alternatives = (anyOf as JsonSchema[]).filter(
    (one) =>
      !(isEmptyText(one) && (anyOf as JsonSchema[]).some((other) => other['type'] === 'string' && !other['minLength'])),
  );
  const withoutNull = alternatives.filter(({ type }) => type !== 'null');
  const [only] = withoutNull;
  if (withoutNull.length !== 1 || typeof only?.['type'] !== 'string') return { ...rest, anyOf: alternatives };
  return { ...rest, ...only, type: alternatives.length > 1 ? [only['type'], 'null'] : only['type'] };
}

const isEmptyText = ({ enum: values }: JsonSchema) => Array.isArray(values) && values.length === 1 && values[0] === '';

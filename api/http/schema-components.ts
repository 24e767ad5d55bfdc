import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from './json-schema.ts';

/** The named schemas of an OpenAPI document, collected while its operations are described. */
export interface SchemaComponents {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  /** Adds a schema under a name and returns a reference to it. */
  add(name: string, schema: object): JsonSchema;
  /**
   * Adds every part with an `$id` as a component, and replaces it by a reference to that component.
   */
  refer(schema: object): JsonSchema;
}

export function createSchemaComponents(): SchemaComponents {
  const schemas: Record<string, JsonSchema> = {};

  const add = (name: string, schema: object): JsonSchema => {
    const known = schemas[name];
    const added = plain(schema);
    if (known && !isDeepStrictEqual(known, added)) throw new TypeError(`Two different schemas have the name ${name}.`);
    schemas[name] = added;
    return { $ref: `#/components/schemas/${name}` };
  };

  const replaceNamed = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(replaceNamed);
    if (typeof part !== 'object' || part === null) return part;
    const { $id, ...rest } = part as { $id?: unknown };
    const replaced = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, replaceNamed(value)]));
    return typeof $id === 'string' ? add($id, replaced) : replaced;
  };

  // Hundreds of responses refer to the same schema of errors.
  const referred = new Map<object, JsonSchema>();
  const refer = (schema: object): JsonSchema => {
    const known = referred.get(schema) ?? (replaceNamed(plain(schema)) as JsonSchema);
    referred.set(schema, known);
    return known;
  };

  return { schemas, add, refer };
}

/**
 * Converts a schema to plain JSON, without hidden fields of a schema builder and without undefined
 * fields.
 */
const plain = (schema: object): JsonSchema => JSON.parse(JSON.stringify(schema)) as JsonSchema;

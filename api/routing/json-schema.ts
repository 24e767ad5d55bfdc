import type { Schema } from 'joi';

export type JsonSchema = Record<string, unknown>;

/** The JSON Schema of the input that a Joi schema accepts. */
export function jsonSchemaOf(schema: Schema): JsonSchema {
  return schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
}

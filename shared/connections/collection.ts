// Schemas and models with narrower types than those of the library, whose options and overloads
// take the compiler half a minute of the collections.
import { type Model, Schema, type SchemaDefinition } from 'mongoose';

interface CollectionOptions {
  collection: string;
  /** Absent: fields that the schema does not name are left out without an error. */
  strict?: 'throw';
  /** False: empty objects are stored. */
  minimize?: false;
}

/** A schema without the library's key of versions. */
export function createSchema<Document>(
  fields: SchemaDefinition<Document>,
  options: CollectionOptions,
): Schema<Document> {
  const TypedSchema = Schema as unknown as new (fields: object, options: object) => Schema<Document>;
  return new TypedSchema(fields, { ...options, versionKey: false });
}

/** The type of a field whose values are documents, which have no id. */
export function createPartSchema<Part>(fields: SchemaDefinition<Part>): object {
  const TypedSchema = Schema as unknown as new (fields: object, options: object) => object;
  return new TypedSchema(fields, { _id: false });
}

/** A connection that models are created on. */
export interface ModelSource {
  model<Document>(name: string, schema: Schema<Document>): Model<Document>;
}

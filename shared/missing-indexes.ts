import mongoose from 'mongoose';
import type { DataAccess } from './config/config.ts';
import type { Models } from './models.ts';
import { uniqueNames } from './scenarios/scenario.model.ts';

/** The indexes that the database lacks, as `users (emailKey)`; empty if it has all. */
export type FindMissingIndexes = () => Promise<readonly string[]>;

/**
 * Creates a check that queries the database until it has all indexes; that result is cached. An
 * index that MongoDB is still building counts as present, because MongoDB lists it.
 */
export function createIndexCheck(models: Models, access: DataAccess): FindMissingIndexes {
  let isComplete = false;
  let checking: Promise<readonly string[]> | undefined;
  const check = async () => {
    const missing = (await Promise.all(Object.values(models).map((model) => findMissingIn(model, access)))).flat();
    isComplete = missing.length === 0;
    return missing;
  };
  return async () => {
    if (isComplete) return [];
    checking ??= check().finally(() => {
      checking = undefined;
    });
    return checking;
  };
}

async function findMissingIn(model: Models[keyof Models], access: DataAccess): Promise<string[]> {
  const { collection, schema } = model;
  const existing = await collection.indexes().catch((error: unknown) => {
    if (error instanceof mongoose.mongo.MongoServerError && error.codeName === 'NamespaceNotFound') return [];
    throw error;
  });
  const needed: { key: object; unique: boolean }[] = schema
    .indexes()
    .map(([key, { unique }]) => ({ key, unique: Boolean(unique) }));
  if (collection.name === 'scenarios') needed.push({ key: uniqueNames[access], unique: true });
  const exists = (index: { key: object; unique: boolean }) =>
    existing.some(({ key, unique }) => isSameKey(key, index.key) && Boolean(unique) === index.unique);
  return needed
    .filter((index) => !exists(index))
    .map(({ key }) => `${collection.name} (${Object.keys(key).join(', ')})`);
}

/** The order of the fields is part of an index. */
const isSameKey = (a: object, b: object) => JSON.stringify(a) === JSON.stringify(b);

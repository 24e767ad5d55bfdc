import mongoose, { type Connection, type mongo } from 'mongoose';
import { createApiKeyModel } from './accounts/api-key.model.ts';
import { createSessionModel } from './accounts/session.model.ts';
import { createUserModel } from './accounts/user.model.ts';
import { createAuditIntentModel, createAuditRecordModel } from './audit/audit-record.model.ts';
import type { DataAccess } from './config/config.ts';
import { createIdempotencyRecordModel } from './connections/idempotency-record.model.ts';
import { createPriceBookVersionModel, createPriceOverridesModel } from './cost/price-books.model.ts';
import { StartError } from './errors.ts';
import { createLogBatchModel } from './ingest/log-batch.model.ts';
import { createNotebookModel } from './notebooks/notebook.model.ts';
import { createReportModel } from './reports/report.model.ts';
import { createReportScheduleModel } from './reports/report-schedule.model.ts';
import { createScenarioModel, ensureUniqueNames, uniqueNames } from './scenarios/scenario.model.ts';
import { createUsageDayModel, createUsageHourModel, createUsagePlanModel } from './usage/usage.model.ts';

/** Every collection. */
const collections = {
  scenario: createScenarioModel,
  logBatch: createLogBatchModel,
  usagePlan: createUsagePlanModel,
  usageHour: createUsageHourModel,
  usageDay: createUsageDayModel,
  user: createUserModel,
  session: createSessionModel,
  apiKey: createApiKeyModel,
  idempotencyRecord: createIdempotencyRecordModel,
  notebook: createNotebookModel,
  report: createReportModel,
  reportSchedule: createReportScheduleModel,
  auditRecord: createAuditRecordModel,
  auditIntent: createAuditIntentModel,
  priceBookVersion: createPriceBookVersionModel,
  priceOverrides: createPriceOverridesModel,
};

/** A model for every collection, on one connection. */
export type Models = { [Name in keyof typeof collections]: ReturnType<(typeof collections)[Name]> };

export function createModels(connection: Connection): Models {
  return Object.fromEntries(
    Object.entries(collections).map(([name, create]) => [name, create(connection)]),
  ) as unknown as Models;
}

/**
 * Creates missing collections and indexes.
 * @throws StartError if the names of existing scenarios are not unique, as the setting requires.
 */
export async function ensureIndexes(models: Models, access: DataAccess): Promise<void> {
  for (const model of Object.values(models)) await createIndexesOf(model);
  if (await ensureUniqueNames(models.scenario, access)) return;
  throw new StartError(
    `ACCESS: with ${access}, scenario names are unique, and some are not; start with ACCESS=own and rename those scenarios first.`,
  );
}

/** Versions up to 0.2 stored usage in these. */
const formerCollections = ['usage_ledgers', 'usage_records', 'overflowed_batches'];

/** @throws StartError rather than to show usage of an earlier version as none. */
export async function requirePresentForm({ logBatch }: Models): Promise<void> {
  const first = async (name: string) => logBatch.db.collection(name).findOne({}, { projection: { state: 1 } });
  const batch = await first(logBatch.collection.collectionName);
  const former = await Promise.all(formerCollections.map(first));
  if (former.every((found) => found === null) && (batch === null || batch['state'] !== undefined)) return;
  throw new StartError(
    'MONGODB_URL: this database has log entries and usage in the form of version 0.2, which this version does not read; use an empty database, or version 0.2.',
  );
}

/** Creates them by one command. Mongoose would send a command for each index. */
async function createIndexesOf({ collection, schema }: Models[keyof Models]): Promise<void> {
  const indexes = schema.indexes().map(([key, options]) => ({ ...options, key }));
  if (indexes.length > 0) await collection.createIndexes(indexes as mongo.IndexDescription[]);
}

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

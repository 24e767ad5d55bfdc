import type { Connection, Model, mongo } from 'mongoose';
import { type ApiKey, createApiKeyModel } from './accounts/api-key.model.ts';
import { createSessionModel, type Session } from './accounts/session.model.ts';
import { createUserModel, type User } from './accounts/user.model.ts';
import {
  type AuditIntent,
  type AuditRecord,
  createAuditIntentModel,
  createAuditRecordModel,
} from './audit/audit-record.model.ts';
import type { DataAccess } from './config/config.ts';
import { createIdempotencyRecordModel, type IdempotencyRecord } from './connections/idempotency-record.model.ts';
import type { ModelSource } from './connections/mongo.ts';
import { createPriceBookVersionModel, type PriceBookVersion } from './cost/price-book-version.model.ts';
import { createPriceOverridesModel, type PriceOverrides } from './cost/price-overrides.model.ts';
import { StartError } from './errors.ts';
import { createLogBatchModel, type LogBatch } from './ingest/log-batch.model.ts';
import { createNotebookModel, type Notebook } from './notebooks/notebook.model.ts';
import { createReportModel, type Report } from './reports/report.model.ts';
import { createReportScheduleModel, type ReportSchedule } from './reports/report-schedule.model.ts';
import { createScenarioModel, ensureUniqueNames, type Scenario } from './scenarios/scenario.model.ts';
import {
  createUsageDayModel,
  createUsageHourModel,
  createUsagePlanModel,
  type UsageDay,
  type UsageHour,
  type UsagePlan,
} from './usage/usage.model.ts';

/** A model for every collection, on one connection. */
export interface Models {
  scenario: Model<Scenario>;
  logBatch: Model<LogBatch>;
  usagePlan: Model<UsagePlan>;
  usageHour: Model<UsageHour>;
  usageDay: Model<UsageDay>;
  user: Model<User>;
  session: Model<Session>;
  apiKey: Model<ApiKey>;
  idempotencyRecord: Model<IdempotencyRecord>;
  notebook: Model<Notebook>;
  report: Model<Report>;
  reportSchedule: Model<ReportSchedule>;
  auditRecord: Model<AuditRecord>;
  auditIntent: Model<AuditIntent>;
  priceBookVersion: Model<PriceBookVersion>;
  priceOverrides: Model<PriceOverrides>;
}

export function createModels(mongo: Connection): Models {
  const connection = mongo as unknown as ModelSource;
  return {
    scenario: createScenarioModel(connection),
    logBatch: createLogBatchModel(connection),
    usagePlan: createUsagePlanModel(connection),
    usageHour: createUsageHourModel(connection),
    usageDay: createUsageDayModel(connection),
    user: createUserModel(connection),
    session: createSessionModel(connection),
    apiKey: createApiKeyModel(connection),
    idempotencyRecord: createIdempotencyRecordModel(connection),
    notebook: createNotebookModel(connection),
    report: createReportModel(connection),
    reportSchedule: createReportScheduleModel(connection),
    auditRecord: createAuditRecordModel(connection),
    auditIntent: createAuditIntentModel(connection),
    priceBookVersion: createPriceBookVersionModel(connection),
    priceOverrides: createPriceOverridesModel(connection),
  };
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

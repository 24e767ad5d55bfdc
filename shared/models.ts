import type { Connection, Model, mongo } from 'mongoose';
import { type AdminLedger, createAdminLedgerModel } from './accounts/admin-ledger.model.ts';
import { type ApiKey, createApiKeyModel } from './accounts/api-key.model.ts';
import { createSessionModel, type Session } from './accounts/session.model.ts';
import { createUserModel, type User } from './accounts/user.model.ts';
import { type AuditIntent, createAuditIntentModel } from './audit/audit-intent.model.ts';
import { type AuditRecord, createAuditRecordModel } from './audit/audit-record.model.ts';
import type { DataAccess } from './config/config.ts';
import type { ModelSource } from './connections/collection.ts';
import { createIdempotencyRecordModel, type IdempotencyRecord } from './connections/idempotency-record.model.ts';
import { createPriceBookVersionModel, type PriceBookVersion } from './cost/price-book-version.model.ts';
import { createPriceDisputesModel, type PriceDisputes } from './cost/price-disputes.model.ts';
import { createPriceOverridesModel, type PriceOverrides } from './cost/price-overrides.model.ts';
import { createInstallationModel, type Installation } from './files/installation.model.ts';
import { createLogBatchModel, type LogBatch } from './ingest/log-batch.model.ts';
import { createOverflowedBatchModel, type OverflowedBatch } from './ingest/overflowed-batch.model.ts';
import { createNotebookModel, type Notebook } from './notebooks/notebook.model.ts';
import { StartError } from './process/start-error.ts';
import { createReportModel, type Report } from './reports/report.model.ts';
import { createReportScheduleModel, type ReportSchedule } from './reports/report-schedule.model.ts';
import { createScenarioModel, ensureUniqueNames, type Scenario } from './scenarios/scenario.model.ts';
import { createUsageDayModel, type UsageDay } from './usage/usage-day.model.ts';
import { createUsageLedgerModel, type UsageLedger } from './usage/usage-ledger.model.ts';
import { createUsageRecordModel, type UsageRecord } from './usage/usage-record.model.ts';
import { createUsageYearModel, type UsageYear } from './usage/usage-year.model.ts';

/** A model for every collection, on one connection. */
export interface Models {
  scenario: Model<Scenario>;
  logBatch: Model<LogBatch>;
  overflowedBatch: Model<OverflowedBatch>;
  usageRecord: Model<UsageRecord>;
  usageDay: Model<UsageDay>;
  usageYear: Model<UsageYear>;
  usageLedger: Model<UsageLedger>;
  user: Model<User>;
  adminLedger: Model<AdminLedger>;
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
  priceDisputes: Model<PriceDisputes>;
  installation: Model<Installation>;
}

export function createModels(mongo: Connection): Models {
  const connection = mongo as unknown as ModelSource;
  return {
    scenario: createScenarioModel(connection),
    logBatch: createLogBatchModel(connection),
    overflowedBatch: createOverflowedBatchModel(connection),
    usageRecord: createUsageRecordModel(connection),
    usageDay: createUsageDayModel(connection),
    usageYear: createUsageYearModel(connection),
    usageLedger: createUsageLedgerModel(connection),
    user: createUserModel(connection),
    adminLedger: createAdminLedgerModel(connection),
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
    priceDisputes: createPriceDisputesModel(connection),
    installation: createInstallationModel(connection),
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

/** Creates them by one command. Mongoose would send a command for each index. */
async function createIndexesOf({ collection, schema }: Models[keyof Models]): Promise<void> {
  const indexes = schema.indexes().map(([key, options]) => ({ ...options, key }));
  if (indexes.length > 0) await collection.createIndexes(indexes as mongo.IndexDescription[]);
}

import type { Connection, Model } from 'mongoose';
import { type ApiKey, apiKeyModel } from './api-key.model.ts';
import { type IdempotencyRecord, idempotencyRecordModel } from './idempotency-record.model.ts';
import { type LogBatch, logBatchModel } from './log-batch.model.ts';
import { type Notebook, notebookModel } from './notebook.model.ts';
import { type Scenario, scenarioModel } from './scenario.model.ts';
import { type Session, sessionModel } from './session.model.ts';
import { type UsageDay, usageDayModel } from './usage-day.model.ts';
import { type UsageLedger, usageLedgerModel } from './usage-ledger.model.ts';
import { type UsageRecord, usageRecordModel } from './usage-record.model.ts';
import { type User, userModel } from './user.model.ts';

/** Every collection there is, bound to one connection. */
export interface Models {
  scenario: Model<Scenario>;
  logBatch: Model<LogBatch>;
  usageRecord: Model<UsageRecord>;
  usageDay: Model<UsageDay>;
  usageLedger: Model<UsageLedger>;
  user: Model<User>;
  session: Model<Session>;
  apiKey: Model<ApiKey>;
  idempotencyRecord: Model<IdempotencyRecord>;
  notebook: Model<Notebook>;
}

export function createModels(connection: Connection): Models {
  return {
    scenario: scenarioModel(connection),
    logBatch: logBatchModel(connection),
    usageRecord: usageRecordModel(connection),
    usageDay: usageDayModel(connection),
    usageLedger: usageLedgerModel(connection),
    user: userModel(connection),
    session: sessionModel(connection),
    apiKey: apiKeyModel(connection),
    idempotencyRecord: idempotencyRecordModel(connection),
    notebook: notebookModel(connection),
  };
}

/** Creates the collections and their indexes where they are missing. Both entry points call it before they serve. */
export async function ensureIndexes(models: Models): Promise<void> {
  for (const model of Object.values(models)) await model.createIndexes();
}

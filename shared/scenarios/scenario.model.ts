import { isDeepStrictEqual } from 'node:util';
import { type Model, mongo, type QueryFilter } from 'mongoose';
import { type AuditActor, type AuditEvent, createAuditEvent } from '../audit/audit-record.model.ts';
import type { DataAccess } from '../config/config.ts';
import { defineModel, type Index, isDuplicateKey, majority } from '../connections/mongo.ts';
import { unavailable } from '../errors.ts';
import { withoutInvisible } from '../visible-text.ts';
import type { Assumptions } from './assumptions.ts';

export const scenarioStatuses = ['draft', 'running', 'completed', 'archived'] as const;
export type ScenarioStatus = (typeof scenarioStatuses)[number];

export interface Scenario {
  _id: string;
  name: string;
  /**
   * The name in the form that is compared. A deleted scenario has no key, so its name is free at
   * once.
   */
  nameKey?: string;
  description: string;
  /** The description in the form that is searched. */
  descriptionKey: string;
  region: string;
  status: ScenarioStatus;
  assumptions: Assumptions;
  /**
   * The newest version of the price book when the scenario left `draft`; absent if there were none
   * yet.
   */
  priceBook?: string;
  /** The account that owns it; null or absent if it was created without credentials. */
  createdBy?: string | null;
  /** Incremented by every change. The ETag contains the revision. */
  revision: number;
  createdAt: Date;
  updatedAt: Date;
  startedAt: Date | null;
  completedAt: Date | null;
  archivedAt: Date | null;
  /**
   * When a delete was accepted. The scenario is hidden from then on, and the `delete-scenario` job
   * removes the row.
   */
  deletedAt: Date | null;
  /** The bulk delete that deleted it (an `AuditIntent`), which has the event. */
  deletedIn?: string;
  /** Events without a record so far, in the order of the changes. */
  pendingAudit?: AuditEvent[];
}

export type ScenarioModel = Model<Scenario>;

/** Bounds the size of a row while no worker appends audit records. */
const maxPendingEvents = 200;

/** Matches scenarios that can hold another event. */
export const withCapacityForEvent = { [`pendingAudit.${maxPendingEvents - 1}`]: { $exists: false } };

/**
 * Names are compared, and names and descriptions searched, trimmed, composed (NFC), without case
 * and without what a reader cannot see.
 */
export function textKeyOf(text: string): string {
  // Upper case expands `ß` to `SS`, so that the two are equal.
  return withoutInvisible(text).trim().normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

/** The orders of the list. The id makes each total, so that pages neither repeat nor skip. */
export const scenarioOrders = { name: 'nameKey', created_at: 'createdAt', updated_at: 'updatedAt' } as const;

/** The unique index of names by `ACCESS`: among all scenarios, or among those of each owner. */
export const uniqueNames = { team: { nameKey: 1 }, own: { createdBy: 1, nameKey: 1 } } as const;

/**
 * Creates the unique index of the setting, which refuses duplicate names in create and update, also
 * of concurrent requests, and drops the index of the other setting. Deleted scenarios have no key.
 * @returns false if the index cannot be created, because several scenarios have one name.
 */
export async function ensureUniqueNames({ collection }: ScenarioModel, access: DataAccess): Promise<boolean> {
  const partialFilterExpression = { nameKey: { $type: 'string' } };
  try {
    await collection.createIndex(uniqueNames[access], { unique: true, partialFilterExpression });
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
  const otherIndex = uniqueNames[access === 'own' ? 'team' : 'own'];
  for (const { key, name } of await collection.indexes()) {
    if (name !== undefined && isDeepStrictEqual(key, otherIndex)) await collection.dropIndex(name).catch(ignoreDropped);
  }
  return true;
}

/** Another process can have dropped the index. */
function ignoreDropped(error: unknown): void {
  if (!(error instanceof mongo.MongoServerError) || error.codeName !== 'IndexNotFound') throw error;
}

export const createScenarioModel = defineModel<Scenario>('scenarios', [
  // Serve the list with each of its filters in each of its orders, and its count: a page and the
  // total are read from keys that match, however many others there are. The list by status uses
  // those of `createdAt`. Indexes that begin with the owner serve lists with `ACCESS=own`, and the
  // search for scenarios of a deleted account. Every list names the deletion and the status, so
  // they follow the fields that a list need not name.
  ...[[], ['region'], ['createdBy'], ['createdBy', 'region']].flatMap((filters) =>
    Object.values(scenarioOrders).map((order): Index => {
      const fields = [...filters, 'deletedAt', 'status', order, '_id'];
      return [Object.fromEntries(fields.map((field) => [field, 1]))];
    }),
  ),
  // Serves the sweep for deleted scenarios without a job.
  [{ deletedAt: 1 }, { partialFilterExpression: { deletedAt: { $type: 'date' } } }],
  // Serves the search for events without a record.
  [{ 'pendingAudit.at': 1 }, { partialFilterExpression: { 'pendingAudit.at': { $type: 'date' } } }],
]);

/** The transitions of the lifecycle: the required status, the new status, and the recorded time. */
export const transitions = {
  start: { from: 'draft', to: 'running', timeField: 'startedAt' },
  stop: { from: 'running', to: 'completed', timeField: 'completedAt' },
  archive: { from: 'completed', to: 'archived', timeField: 'archivedAt' },
} as const satisfies Record<string, { from: ScenarioStatus; to: ScenarioStatus; timeField: keyof Scenario }>;

export type Transition = keyof typeof transitions;

/**
 * Makes a transition of the lifecycle by one atomic update, so that only one of concurrent calls
 * succeeds.
 * @param fields are set as well.
 * @returns the updated scenario; null if it does not exist or does not have the required status.
 */
export async function applyTransition(
  model: ScenarioModel,
  scenario: QueryFilter<Scenario>,
  transition: Transition,
  actor: AuditActor,
  fields: Partial<Pick<Scenario, 'priceBook'>> = {},
) {
  const { from, to, timeField } = transitions[transition];
  const now = new Date();
  const event = createAuditEvent(actor, 'SCENARIO_UPDATED', { fields: ['status'], status: to });
  return model
    .findOneAndUpdate(
      { ...scenario, status: from, deletedAt: null },
      {
        $set: { ...fields, status: to, updatedAt: now, [timeField]: now },
        $inc: { revision: 1 },
        $push: { pendingAudit: event },
      },
      { returnDocument: 'after' },
    )
    .lean<Scenario>();
}

/**
 * Whether a scenario is deleted, for jobs that then remove what belongs to it.
 * @throws AppError SERVICE_UNAVAILABLE while the deletion can still be rolled back.
 */
export async function isDeletedForGood(model: ScenarioModel, id: string): Promise<boolean> {
  // By the driver, because every ingest job asks.
  const exists = async (options: { readConcern?: typeof majority } = {}) => {
    const filter = { _id: id as never, deletedAt: null };
    return (await model.collection.findOne(filter, { projection: { _id: 1 }, ...options })) !== null;
  };
  // A majority can have an older state than the primary, so both are read.
  if (await exists()) return false;
  if (await exists({ readConcern: majority })) throw unavailable('The deletion of the scenario is not settled.', 2);
  return true;
}

import { type Connection, type Model, Schema } from 'mongoose';
import type { Assumptions } from '../pricing/assumptions.ts';
import { withoutInvisible } from '../visible-text.ts';

export const scenarioStatuses = ['draft', 'running', 'completed', 'archived'] as const;
export type ScenarioStatus = (typeof scenarioStatuses)[number];

export interface Scenario {
  _id: string;
  name: string;
  /** The name in the form that is compared. A deleted scenario has no key, so its name is free at once. */
  nameKey?: string;
  description: string;
  region: string;
  status: ScenarioStatus;
  assumptions: Assumptions;
  /** Incremented by every change. The ETag contains the revision. */
  revision: number;
  createdAt: Date;
  updatedAt: Date;
  startedAt: Date | null;
  completedAt: Date | null;
  archivedAt: Date | null;
  /** When a delete was accepted. The scenario is hidden from then on, and the `delete-scenario` job removes the row. */
  deletedAt: Date | null;
}

export type ScenarioModel = Model<Scenario>;

/** Names are compared trimmed, composed (NFC), without case and without what a reader cannot see. */
export function nameKeyOf(name: string): string {
  // Upper case expands `ß` to `SS`, so that the two are equal.
  return withoutInvisible(name).trim().normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

const schema = new Schema<Scenario>(
  {
    _id: { type: String, required: true },
    name: { type: String, required: true },
    nameKey: String,
    description: { type: String, default: '' },
    region: { type: String, required: true },
    status: { type: String, enum: scenarioStatuses, required: true },
    assumptions: { type: Object, default: {} },
    revision: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    startedAt: { type: Date, default: null },
    completedAt: { type: Date, default: null },
    archivedAt: { type: Date, default: null },
    deletedAt: { type: Date, default: null },
  },
  { collection: 'scenarios', versionKey: false, minimize: false, strict: 'throw' },
);

// Refuses duplicate names in create and update, even of concurrent requests. Deleted scenarios have no key.
schema.index({ nameKey: 1 }, { unique: true, partialFilterExpression: { nameKey: { $type: 'string' } } });
// Serve the list in each of its sort orders. The id makes the order total, so that pages neither repeat nor skip.
schema.index({ createdAt: 1, _id: 1 });
schema.index({ updatedAt: 1, _id: 1 });
schema.index({ status: 1, _id: 1 });
// This index sorts by name too, because the unique index is partial and cannot serve the list of all scenarios.
schema.index({ nameKey: 1, _id: 1 });
// Serves the sweep for deleted scenarios without a job.
schema.index({ deletedAt: 1 }, { partialFilterExpression: { deletedAt: { $type: 'date' } } });

export function createScenarioModel(connection: Connection): ScenarioModel {
  return connection.model<Scenario>('Scenario', schema);
}

/** The transitions of the lifecycle: the required status, the new status, and the recorded time. */
export const transitions = {
  start: { from: 'draft', to: 'running', timeField: 'startedAt' },
  stop: { from: 'running', to: 'completed', timeField: 'completedAt' },
  archive: { from: 'completed', to: 'archived', timeField: 'archivedAt' },
} as const satisfies Record<string, { from: ScenarioStatus; to: ScenarioStatus; timeField: keyof Scenario }>;

export type Transition = keyof typeof transitions;

/**
 * Makes a transition of the lifecycle by one atomic update, so that only one of concurrent calls succeeds.
 * @returns the updated scenario; null if it does not exist or does not have the required status.
 */
export async function applyTransition(model: ScenarioModel, id: string, transition: Transition) {
  const { from, to, timeField } = transitions[transition];
  const now = new Date();
  return model
    .findOneAndUpdate(
      { _id: id, status: from, deletedAt: null },
      { $set: { status: to, updatedAt: now, [timeField]: now }, $inc: { revision: 1 } },
      { returnDocument: 'after' },
    )
    .lean<Scenario>();
}

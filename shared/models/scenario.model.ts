import { type Connection, type Model, Schema } from 'mongoose';
import type { Assumptions } from '../pricing/assumptions.ts';

export const scenarioStatuses = ['draft', 'running', 'completed', 'archived'] as const;
export type ScenarioStatus = (typeof scenarioStatuses)[number];

export interface Scenario {
  _id: string;
  name: string;
  /** The name as it is compared; absent once the scenario is deleted, which frees the name at once. */
  nameKey?: string;
  description: string;
  region: string;
  status: ScenarioStatus;
  assumptions: Assumptions;
  /** Counts the changes; the ETag is made of it. */
  revision: number;
  createdAt: Date;
  updatedAt: Date;
  startedAt: Date | null;
  completedAt: Date | null;
  archivedAt: Date | null;
  /** Set when a delete was accepted: gone for every reader, the row stays until the `delete-scenario` job is done. */
  deletedAt: Date | null;
}

export type ScenarioModel = Model<Scenario>;

/** Names are compared trimmed, composed (NFC) and without case. */
export function nameKeyOf(name: string): string {
  // Upper case first: it expands what lower case keeps apart, so that `ß` and `SS` meet.
  return name.trim().normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
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

// Serves the duplicate check of create and update, also when two requests race. Deleted scenarios have no key.
schema.index({ nameKey: 1 }, { unique: true, partialFilterExpression: { nameKey: { $type: 'string' } } });
// Each serves the list in one of its sort orders; the id settles ties, so that pages neither repeat nor skip.
schema.index({ createdAt: 1, _id: 1 });
schema.index({ updatedAt: 1, _id: 1 });
schema.index({ status: 1, _id: 1 });
// By name too: the unique index knows only those that have a key, so it can not serve a list of all.
schema.index({ nameKey: 1, _id: 1 });
// Serves the sweep for deleted scenarios whose job never arrived.
schema.index({ deletedAt: 1 }, { partialFilterExpression: { deletedAt: { $type: 'date' } } });

export function scenarioModel(connection: Connection): ScenarioModel {
  return connection.model<Scenario>('Scenario', schema);
}

/** What each lifecycle step needs, what it gives, and the time that it sets. */
export const transitions = {
  start: { from: 'draft', to: 'running', stamp: 'startedAt' },
  stop: { from: 'running', to: 'completed', stamp: 'completedAt' },
  archive: { from: 'completed', to: 'archived', stamp: 'archivedAt' },
} as const satisfies Record<string, { from: ScenarioStatus; to: ScenarioStatus; stamp: keyof Scenario }>;

export type Transition = keyof typeof transitions;

/** Takes the step if the scenario is in the state it needs: one atomic update, so of many at once one wins. */
export async function takeTransition(model: ScenarioModel, id: string, transition: Transition) {
  const { from, to, stamp } = transitions[transition];
  const now = new Date();
  return model
    .findOneAndUpdate(
      { _id: id, status: from, deletedAt: null },
      { $set: { status: to, updatedAt: now, [stamp]: now }, $inc: { revision: 1 } },
      { returnDocument: 'after' },
    )
    .lean<Scenario>();
}

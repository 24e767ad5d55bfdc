import type { Model } from 'mongoose';
import { createSchema, type ModelSource } from '../connections/mongo.ts';

/** The service's record of a notebook, written once the backend has the notebook. */
export interface Notebook {
  _id: string;
  /** Identifies the notebook at the backend. */
  backendRef: string;
  title: string;
  /** The title without case, for sorting. */
  titleKey: string;
  description: string | null;
  /** The account that owns it; null or absent if it was created without credentials. */
  createdBy?: string | null;
  createdAt: Date;
  updatedAt: Date;
}

export const titleKeyOf = (title: string): string => title.normalize('NFC').toLowerCase();

const schema = createSchema<Notebook>(
  {
    _id: { type: String, required: true },
    backendRef: { type: String, required: true },
    title: { type: String, required: true },
    titleKey: { type: String, required: true },
    description: { type: String, default: null },
    createdBy: { type: String, default: null },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'notebooks', strict: 'throw' },
);

// Serve the list in each of its sort orders, for backends without paging. The id makes the order
// total.
schema.index({ createdAt: 1, _id: 1 });
schema.index({ updatedAt: 1, _id: 1 });
schema.index({ titleKey: 1, _id: 1 });
// Serves the list of an owner's notebooks, and the search for what a deleted account owned.
schema.index({ createdBy: 1, createdAt: 1, _id: 1 });
// Serves the search for the records of listed notebooks.
schema.index({ backendRef: 1 });

export function createNotebookModel(connection: ModelSource): Model<Notebook> {
  return connection.model<Notebook>('Notebook', schema);
}

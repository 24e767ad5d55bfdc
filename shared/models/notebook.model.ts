import { type Connection, type Model, Schema } from 'mongoose';

/** Our side of a notebook. It stands here from the moment that the backend has it. */
export interface Notebook {
  _id: string;
  /** What the backend calls it. */
  backendRef: string;
  title: string;
  /** The title as lists are sorted by it: without case. */
  titleKey: string;
  description: string | null;
  createdAt: Date;
  updatedAt: Date;
}

export const titleKeyOf = (title: string): string => title.normalize('NFC').toLowerCase();

const schema = new Schema<Notebook>(
  {
    _id: { type: String, required: true },
    backendRef: { type: String, required: true },
    title: { type: String, required: true },
    titleKey: { type: String, required: true },
    description: { type: String, default: null },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'notebooks', versionKey: false, strict: 'throw' },
);

// Each serves the list in one of its sort orders, for backends that can not page; the id settles ties.
schema.index({ createdAt: 1, _id: 1 });
schema.index({ updatedAt: 1, _id: 1 });
schema.index({ titleKey: 1, _id: 1 });
// Serves the meeting of what a backend has listed with our records.
schema.index({ backendRef: 1 });

export function notebookModel(connection: Connection): Model<Notebook> {
  return connection.model<Notebook>('Notebook', schema);
}

import { defineModel } from '../connections/mongo.ts';

/** The service's record of a notebook, written once the backend has the notebook. */
export interface Notebook {
  _id: string;
  backendRef: string;
  title: string;
  titleKey: string;
  description: string | null;
  /** The account that owns it; null or absent if it was created without credentials. */
  createdBy?: string | null;
  createdAt: Date;
  updatedAt: Date;
}

export const titleKeyOf = (title: string): string => title.normalize('NFC').toLowerCase();

export const createNotebookModel = defineModel<Notebook>('notebooks', [
  // Serve the list in each of its sort orders, for backends without paging. The id makes the order
  // total.
  [{ createdAt: 1, _id: 1 }],
  [{ updatedAt: 1, _id: 1 }],
  [{ titleKey: 1, _id: 1 }],
  // Serves the list of an owner's notebooks, and the search for what a deleted account owned.
  [{ createdBy: 1, createdAt: 1, _id: 1 }],
  // Serves the search for the records of listed notebooks.
  [{ backendRef: 1 }],
]);

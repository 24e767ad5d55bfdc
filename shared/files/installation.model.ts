import type { Model } from 'mongoose';
import { createSchema, type ModelSource } from '../connections/collection.ts';

/** Identifies the database beside those of other installations; one document. */
export interface Installation {
  _id: typeof installationKey;
  /** A random UUID. A restored or copied database has that of the original. */
  uuid: string;
}

export const installationKey = 'this';

const schema = createSchema<Installation>(
  {
    _id: { type: String, required: true },
    uuid: { type: String, required: true },
  },
  { collection: 'installations', strict: 'throw' },
);

export function createInstallationModel(connection: ModelSource): Model<Installation> {
  return connection.model<Installation>('Installation', schema);
}

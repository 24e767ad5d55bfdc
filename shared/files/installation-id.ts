import { randomUUID } from 'node:crypto';
import type { Model } from 'mongoose';
import { isDuplicateKey, majority } from '../connections/mongo.ts';
import { type Installation, installationKey } from './installation.model.ts';

/** @returns the id that the database has; the first call creates it. */
export async function readInstallationId(model: Model<Installation>): Promise<string> {
  // An id that is rolled back must not own anything.
  const found = await model.findById(installationKey).readConcern(majority.level).lean<Installation>();
  if (found) return found.uuid;
  try {
    // Waits for a majority, also if another process has created it.
    await model.updateOne({ _id: installationKey }, { $setOnInsert: { uuid: randomUUID() } }, { upsert: true });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  return readInstallationId(model);
}

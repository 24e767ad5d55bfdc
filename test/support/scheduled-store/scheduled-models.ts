import mongoose from 'mongoose';
import { createModels, type Models } from '../../../shared/models.ts';
import { ScheduledCollection, type UniqueIndex } from './scheduled-collection.ts';

/**
 * The models of the service, by Mongoose, on the scheduled store of the process that uses them.
 * `ScheduledCollection` takes the place of the driver.
 */
export function createScheduledModels(): Models {
  const own = new mongoose.Mongoose({ autoIndex: false, autoCreate: false, bufferCommands: false });
  const connection = own.createConnection();
  const models = createModels(connection);
  const indexes = new Map<string, UniqueIndex[]>();
  for (const model of Object.values(models)) {
    const all = model.schema.indexes() as [object, { unique?: boolean; partialFilterExpression?: object }][];
    const unique = all.filter(([, options]) => options.unique && !options.partialFilterExpression);
    indexes.set(
      model.collection.collectionName,
      unique.map(([fields]) => ({ fields: Object.keys(fields) })),
    );
  }
  const collection = (name: string) => new ScheduledCollection(name, indexes.get(name) ?? []);
  Object.assign(connection, { db: { collection }, readyState: mongoose.ConnectionStates.connected });
  return models;
}

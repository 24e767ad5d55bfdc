import type { Model, QueryFilter } from 'mongoose';
import { unavailable } from '../errors.ts';

/** DocumentDB needs three on average beside constant updates. */
const maxAttempts = 50;

/**
 * Deletes a document that matches. DocumentDB deletes none, and reports no error, if the document
 * is updated at the same time; MongoDB tries again by itself.
 * @returns the deleted document; null if none matches.
 * @throws AppError SERVICE_UNAVAILABLE if the database deletes none in many attempts.
 */
export async function deleteDocument<Document>(
  model: Model<Document>,
  filter: QueryFilter<Document>,
): Promise<Document | null> {
  for (let attempts = 0; attempts < maxAttempts; attempts += 1) {
    const deleted = (await model.findOneAndDelete(filter).lean()) as Document | null;
    if (deleted !== null || (await model.exists(filter)) === null) return deleted;
  }
  throw unavailable('The database did not delete what is being changed: try again.', 1);
}

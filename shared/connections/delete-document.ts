import type { Model } from 'mongoose';

/**
 * Deletes a document that matches. DocumentDB deletes none, and reports no error, if the document
 * is updated at the same time; MongoDB tries again by itself.
 * @returns the deleted document; null if none matches.
 */
export async function deleteDocument<Document>(model: Model<Document>, filter: object): Promise<Document | null> {
  for (;;) {
    const deleted = (await model.findOneAndDelete(filter as never).lean()) as Document | null;
    if (deleted !== null || (await model.exists(filter as never)) === null) return deleted;
  }
}

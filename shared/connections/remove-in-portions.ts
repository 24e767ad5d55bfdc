import type { Collection } from 'mongoose';

/** Few enough for the time limit of one operation, on a slow database too. */
const portionSize = 500;

/**
 * Removes all documents that match from a collection, in portions, so that no operation takes
 * long.
 * @param onPortion is called after every portion.
 * @returns the number of removed documents.
 */
export async function removeInPortions(
  collection: Collection,
  filter: object,
  onPortion: () => void = () => {},
): Promise<number> {
  let removed = 0;
  for (;;) {
    const found = await collection.find(filter, { projection: { _id: 1 }, limit: portionSize }).toArray();
    if (found.length === 0) return removed;
    // A document that no longer matches stays.
    const portion = { _id: { $in: found.map(({ _id }) => _id) } };
    const { deletedCount } = await collection.deleteMany({ $and: [filter, portion] });
    removed += deletedCount;
    onPortion();
  }
}

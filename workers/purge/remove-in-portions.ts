import type { Collection } from 'mongoose';

/** Few enough for the time limit of one operation, on a slow database too. */
const portionSize = 500;

/**
 * Removes all documents of a scenario from a collection, in portions, so that no operation takes
 * long.
 * @param onPortion is called after every portion.
 * @returns the number of removed documents.
 */
export async function removeInPortions(
  collection: Collection,
  filter: { scenarioId: string },
  onPortion: () => void = () => {},
): Promise<number> {
  let removed = 0;
  for (;;) {
    const found = await collection.find(filter, { projection: { _id: 1 }, limit: portionSize }).toArray();
    if (found.length === 0) return removed;
    const { deletedCount } = await collection.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
    removed += deletedCount;
    onPortion();
  }
}

import type { Model, QueryFilter } from 'mongoose';
import { isDuplicateKey } from '../../../shared/connections/mongo.ts';

interface RowLimit<Row> {
  readonly owner: string | null;
  readonly most: number;
  /** The rows that count, which are those of the owner. */
  readonly counted: QueryFilter<Row>;
  /** @returns the error for an owner who has so many rows. */
  readonly refuse: (count: number) => Error;
  /** Called after the insert. If it fails, the row is removed again. */
  readonly verify?: () => Promise<unknown>;
}

/** The last insert of each owner: those of one process wait for each other. */
const inserts = new Map<string, Promise<unknown>>();

/**
 * Inserts a row (an API key, a report, a schedule) unless its owner has too many. The rows are
 * counted after the insert, so that the processes never exceed the limit together. Two of them can
 * both refuse the last row.
 * @returns the stored row: the new one, or that of an earlier attempt with the same id.
 */
export async function insertWithinLimit<Row extends { _id: string }>(
  model: Model<Row>,
  row: Row,
  { owner, most, counted, refuse, verify }: RowLimit<Row>,
): Promise<Row> {
  const own = { _id: row._id } as QueryFilter<Row>;
  const insertNow = async (): Promise<Row> => {
    try {
      await model.create(row);
    } catch (error) {
      const earlier = isDuplicateKey(error) ? await model.findOne(own).lean<Row>() : null;
      if (earlier) return earlier;
      throw error;
    }
    try {
      const others = await model.countDocuments({ ...counted, _id: { $ne: row._id } } as QueryFilter<Row>);
      if (others >= most) throw refuse(others);
      await verify?.();
      return row;
    } catch (error) {
      await model.deleteOne(own);
      throw error;
    }
  };
  const key = `${model.modelName}/${owner}`;
  const insert = (inserts.get(key) ?? Promise.resolve()).then(insertNow, insertNow);
  inserts.set(key, insert);
  try {
    return await insert;
  } finally {
    if (inserts.get(key) === insert) inserts.delete(key);
  }
}

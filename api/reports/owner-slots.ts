import { randomInt } from 'node:crypto';
import type { QueryFilter } from 'mongoose';
import { isDuplicateKey } from '../../shared/connections/mongo.ts';
import type { Owned } from '../http/access/ownership.ts';

interface Slotted {
  _id: string;
  createdBy?: string | null;
  slot?: string;
}

interface SlotLimit<Row> {
  /** The most rows of an owner. */
  limit: number;
  /** The rows that count. Other rows must have no slot. */
  counted: QueryFilter<Row>;
  /** @returns the error for an owner who has so many rows. */
  refuse: (count: number) => Error;
}

/**
 * Inserts a row unless its owner has too many. Concurrent inserts of all processes accept exactly
 * `limit`: each row has one of so many slots of its owner, and a unique index refuses a second row
 * in a slot. The limit follows from the stored rows alone, so an interrupted request holds no slot.
 * Rows without a slot, or with that of an earlier owner, count too.
 * @returns the stored row: the new one, or that of the same id.
 */
export async function insertIntoSlot<Row extends Slotted>(
  owned: Owned<Row>,
  row: Row,
  slotLimit: SlotLimit<Row>,
): Promise<Row> {
  const key = `${owned.model.modelName}/${owned.owner}`;
  const insertNow = () => insertUnlessFull(owned, row, slotLimit);
  const insert = (inserts.get(key) ?? Promise.resolve()).then(insertNow, insertNow);
  inserts.set(key, insert);
  try {
    return await insert;
  } finally {
    if (inserts.get(key) === insert) inserts.delete(key);
  }
}

/**
 * The last insert of each owner. Inserts of one process wait for each other, or all would try the
 * slot that has become free.
 */
const inserts = new Map<string, Promise<unknown>>();

async function insertUnlessFull<Row extends Slotted>(
  { model, owner }: Owned<Row>,
  row: Row,
  { limit, counted, refuse }: SlotLimit<Row>,
): Promise<Row> {
  for (let isRepeated = false; ; isRepeated = true) {
    const filter = { ...counted, createdBy: owner } as QueryFilter<Row>;
    const rows = await model.find(filter, { slot: 1 }).lean<Slotted[]>();
    const slots = Array.from({ length: limit }, (_, number) => `${owner}/${number}`);
    const taken = new Set(rows.flatMap(({ slot }) => (slot !== undefined && slots.includes(slot) ? [slot] : [])));
    const free = slots.slice(0, Math.max(0, limit - (rows.length - taken.size))).filter((slot) => !taken.has(slot));
    if (rows.length >= limit || free.length === 0) throw refuse(rows.length);
    try {
      // The first one, because turns go by slots; then at random, because concurrent requests try
      // the first one too.
      const slotted = { ...row, slot: free[isRepeated ? randomInt(free.length) : 0] };
      await model.create(slotted);
      return slotted;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    // Either the slot is taken, or an earlier attempt of the same operation has stored the row.
    const stored = await model.findOne({ _id: row._id } as QueryFilter<Row>).lean<Row>();
    if (stored) return stored;
  }
}

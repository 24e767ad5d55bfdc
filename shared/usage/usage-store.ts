import mongoose, { type Collection, type mongo } from 'mongoose';
import { deleteDocument, isDuplicateKey, majority, removeInPortions } from '../connections/mongo.ts';
import type { Models } from '../models.ts';
import type { BatchUsage, Sums } from './stored-hour.ts';
import type { Stored, UsagePlan } from './usage.model.ts';

const { BSON } = mongoose.mongo;

export type UsageModels = Pick<Models, 'logBatch' | 'usagePlan' | 'usageHour' | 'usageDay'>;

export type Plan = Pick<UsagePlan, 'seq' | 'open' | 'ids'>;

/** A batch that is not marked as counted. */
export interface UncountedBatch {
  _id: string;
  state: 'queued' | 'stored' | 'failed';
  /** Number of entries. */
  count: number;
  /** Absent unless the batch is stored. */
  usage?: BatchUsage;
}

/** Replaces the sum that was read with the sequence number `before`, or inserts it. */
export interface SumWrite<Counters> {
  before: number | undefined;
  sum: Stored<Counters>;
}

interface IdRange {
  from: string;
  to: string;
}

/** Whether sums and batches are read with levels and seconds, which are most of their bytes. */
export interface LevelOptions {
  withLevels: boolean;
}

export type UsageStore = ReturnType<typeof createUsageStore>;

/** The ids of all hours, or all days, of a scenario. */
const allIds = (scenarioId: string): IdRange => ({ from: `${scenarioId}:`, to: `${scenarioId};` });

const lengthOfTime = { hours: 'yyyy-mm-ddThh'.length, days: 'yyyy-mm-dd'.length };

/** @param time in epoch milliseconds, or infinite. */
export function sumId(kind: keyof Sums, scenarioId: string, time: number): string {
  const { from, to } = allIds(scenarioId);
  if (!Number.isFinite(time)) return time < 0 ? from : to;
  return from + new Date(time).toISOString().slice(0, lengthOfTime[kind]);
}

/** A batch has at most 1,000 hours and 1.2 MB, so a reply of the database has at most 12 MB. */
const batchesPerReply = 10;
/** An hour has about 1 KB with levels, and 40 KB with all models in all levels. */
const sumsPerReply = 200;
const withoutLevels = { levels: 0, timedSeconds: 0 };
const ofStored = { state: 1, count: 1, usage: 1 };
const ofBatches = { text: 0, packed: 0, commonUsage: 0, 'usage.levels': 0, 'usage.timedSeconds': 0 };

/**
 * The documents of one scenario's usage. Each write changes one document, or several independently
 * of each other. Each read returns documents of the primary that a majority of the members has, so
 * that a failover does not undo them.
 */
export function createUsageStore(models: UsageModels, scenarioId: string) {
  // By the driver, because Mongoose would cast every counter.
  const plans = models.usagePlan.collection;
  const batches = models.logBatch.collection;
  const collections = { hours: models.usageHour.collection, days: models.usageDay.collection };
  const planOf = { _id: scenarioId as never };
  const uncounted = { scenarioId, counted: false };
  const readBatches = (filter: object, options: FindOptions) => read<UncountedBatch>(batches, filter, options);
  const stored = { projection: ofStored, batchSize: batchesPerReply };
  const readSums = <Kind extends keyof Sums>(
    kind: Kind,
    filter: object,
    { withLevels }: LevelOptions,
    options: FindOptions = {},
  ) => read<Stored<Sums[Kind]>>(collections[kind], filter, { projection: withLevels ? {} : withoutLevels, ...options });
  return {
    /** Null if the scenario is deleted. */
    readPlan: (): Promise<Plan | null> => plans.findOne<Plan>(planOf, { readConcern: majority }),
    /** @returns false if the plan is no longer as it was read. */
    openPlan: async ({ seq }: Plan, ids: readonly string[]): Promise<boolean> => {
      const plan = { seq: seq + 1, open: true, ids };
      return (await plans.updateOne({ ...planOf, seq, open: false }, { $set: plan })).matchedCount === 1;
    },
    endPlan: async (seq: number): Promise<void> => {
      await plans.updateOne({ ...planOf, seq, open: true }, { $set: { open: false, ids: [] } });
    },
    /** Stored batches that are not marked as counted. */
    findStored: () => readBatches({ ...uncounted, state: 'stored' }, stored),
    /** The batches with these ids that are not marked as counted. */
    findBatches: (ids: readonly string[]) => readBatches({ _id: { $in: ids }, ...uncounted }, stored),
    /** All batches that are not marked as counted, whatever their state. */
    findUncounted: ({ withLevels }: LevelOptions) =>
      readBatches(uncounted, {
        projection: withLevels ? ofStored : ofBatches,
        batchSize: 1_000,
        // By an index in which a change of the state does not move a batch, so that none is missed.
        sort: { receivedAt: 1 },
      }),
    /** The number of batches that are not marked as counted, of all states or of one. */
    countUncounted: (filter: { state?: UncountedBatch['state'] } = {}): Promise<number> =>
      batches.countDocuments({ ...uncounted, ...filter }, { readConcern: majority }),
    markCounted: async (ids: readonly string[]): Promise<void> => {
      await batches.updateMany(
        { _id: { $in: ids as never[] }, ...uncounted },
        { $set: { counted: true, countedAt: new Date() }, $unset: { usage: 1 } },
      );
    },
    findSums: <Kind extends keyof Sums>(kind: Kind, ids: readonly string[], options: LevelOptions) =>
      readSums(kind, { _id: { $in: ids } }, options),
    /** In order of time. @param range ids, the second one exclusive. */
    listSums: <Kind extends keyof Sums>(kind: Kind, { from, to }: IdRange, options: LevelOptions) =>
      readSums(kind, { _id: { $gte: from, $lt: to } }, options, { sort: { _id: 1 }, batchSize: sumsPerReply }),
    /** @returns false if one of them is no longer as it was read; others can be written. */
    writeSums: async <Kind extends keyof Sums>(
      kind: Kind,
      writes: readonly SumWrite<Sums[Kind]>[],
    ): Promise<boolean> => {
      const collection = collections[kind];
      const added = writes.filter(({ before }) => before === undefined);
      const changed = writes.filter(({ before }) => before !== undefined);
      if (changed.length > 0) {
        const { matchedCount } = await collection.bulkWrite(
          changed.map(({ before, sum }) => ({
            replaceOne: { filter: { _id: sum._id as never, seq: before }, replacement: sum as never },
          })),
          { ordered: false },
        );
        if (matchedCount < changed.length) return false;
      }
      try {
        if (added.length > 0) await collection.insertMany(added.map(({ sum }) => sum) as never[], { ordered: false });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
  };
}

type FindOptions = Pick<mongo.FindOptions, 'projection' | 'sort' | 'batchSize'>;

/** Documents that a majority has, decoded one by one, while the database reads the next. */
async function* read<Found>(collection: Collection, filter: object, options: FindOptions): AsyncGenerator<Found> {
  const cursor = collection.find(filter, { ...options, raw: true, readConcern: majority });
  let next = cursor.next();
  try {
    for (let first = await next; first !== null; first = await next) {
      const reply = [first, ...cursor.readBufferedDocuments()];
      next = cursor.next();
      // Awaited after these; until then, a failure is not unhandled.
      next.catch(() => {});
      for (const bytes of reply) yield BSON.deserialize(bytes as never, decoding) as Found;
    }
  } finally {
    // Also if the reader has enough: no query goes on after the read has ended.
    await next.catch(() => null);
    await cursor.close();
  }
}

/** Bytes are views of the reply. */
const decoding = { useBigInt64: true, promoteBuffers: true, validation: { utf8: false } } as const;

/**
 * Removes the batches and the usage of a deleted scenario. Its deletion does so, and a roll-up that
 * can have written something afterwards.
 * @param onPortion is called after every portion.
 * @returns the number of removed documents.
 */
export async function removeUsage(
  models: UsageModels,
  scenarioId: string,
  onPortion: () => void = () => {},
): Promise<number> {
  const { from, to } = allIds(scenarioId);
  const ofIds = { _id: { $gte: from, $lt: to } };
  // The plan is first, so that a roll-up that begins later writes nothing.
  let removed = (await deleteDocument(models.usagePlan, { _id: scenarioId })) ? 1 : 0;
  removed += await removeInPortions(models.logBatch.collection, { scenarioId }, onPortion);
  removed += await removeInPortions(models.usageHour.collection, ofIds, onPortion);
  return removed + (await removeInPortions(models.usageDay.collection, ofIds, onPortion));
}

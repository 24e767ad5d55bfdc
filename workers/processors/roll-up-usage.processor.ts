import { randomUUID } from 'node:crypto';
import { majority } from '../../shared/connections/mongo.ts';
import { startOfUtcDay } from '../../shared/durations.ts';
import { unavailable } from '../../shared/errors.ts';
import type { Models } from '../../shared/models/index.ts';
import { isDeletedForGood } from '../../shared/models/scenario.model.ts';
import type { UsageDay } from '../../shared/models/usage-day.model.ts';
import type { UsageLedger } from '../../shared/models/usage-ledger.model.ts';
import { HourSums, type HourUsage } from '../../shared/pricing/usage.ts';
import { rollUpUsageQueue } from '../../shared/queues/roll-up-usage.queue.ts';
import { inSlices, isSliceOver, nextSlice } from '../../shared/runtime/time-slices.ts';
import { readPendingRecords, readUsageDays } from '../../shared/services/usage-ledger.ts';
import { defineProcessor } from '../define-processor.ts';
import { removeInPortions } from '../remove-in-portions.ts';
import type { WorkerDeps } from '../worker-deps.ts';

/** Bounds the ledger's list of merged records, and so the size of the compare-and-set. */
const recordsPerRollUp = 500;
/** Bounds the memory and the time of one step: each of 1,000 entries of a record can have an hour of its own. */
const hoursPerRollUp = 10_000;
/** Days that are read, merged and written together. */
const daysPerWrite = 25;
/** Roll-ups of one version of the ledger that fail because of what they read; a concurrent roll-up makes a new version. */
const maxStaleReads = 5;

/** Pending records that are merged together. */
interface Portion {
  ids: string[];
  hours: HourUsage[];
}

/**
 * Merges the pending usage records of a scenario into its usage days; shared/services/usage-ledger.ts has the steps and
 * why no record is merged twice. Of two concurrent roll-ups of a scenario one wins the compare-and-set.
 */
export const rollUpUsageProcessor = defineProcessor(
  rollUpUsageQueue,
  async ({ scenarioId }, { models }: Pick<WorkerDeps, 'models'>, { reportProgress }) => {
    let merged = 0;
    const stale = { version: -1, reads: 0 };
    for (;;) {
      const ledger = await findOrCreateLedger(models, scenarioId);
      if (!ledger) return { merged };
      await discardMerged(models, ledger);
      const portion = await readPortion(models, scenarioId);
      if (portion.ids.length === 0) return { merged };
      const { days, complete } = await writeDays(models, ledger, portion);
      if (complete && (await arePending(models, portion))) {
        if (await pointTo(models, ledger, days, portion)) {
          merged += portion.ids.length;
          reportProgress();
          continue;
        }
        // The days stay, for a later roll-up to remove: after a repeated compare-and-set the ledger may list them.
      } else {
        await models.usageDay.deleteMany({ _id: { $in: days.map(({ usageDayId }) => usageDayId) } });
      }
      stale.reads = stale.version === ledger.version ? stale.reads + 1 : 1;
      stale.version = ledger.version;
      if (stale.reads === maxStaleReads) throw unavailable('The database returns old versions of documents.', 2);
    }
  },
);

/** @returns null if the scenario is deleted. */
async function findOrCreateLedger(models: Models, scenarioId: string): Promise<UsageLedger | null> {
  const ledger =
    (await models.usageLedger.findById(scenarioId).readConcern(majority.level).lean()) ??
    (await models.usageLedger
      .findOneAndUpdate(
        { _id: scenarioId },
        { $setOnInsert: { version: 0, days: [], covered: [] } },
        { upsert: true, returnDocument: 'after' },
      )
      .lean());
  // Read after the upsert: a deletion that has already removed the ledger has marked the scenario before.
  if (!(await isDeletedForGood(models.scenario, scenarioId))) return ledger;
  // A later version is removed by the deletion itself.
  const { deletedCount } = await models.usageLedger.deleteOne({ _id: scenarioId, version: 0 });
  if (deletedCount === 1) await removeInPortions(models.usageDay.collection, { scenarioId });
  return null;
}

/** Completes the previous roll-up: empties the records that it merged, and removes the days that it replaced. */
async function discardMerged(models: Models, ledger: UsageLedger): Promise<void> {
  if (ledger.covered.length > 0) {
    await models.usageRecord.updateMany({ _id: { $in: ledger.covered } }, { $unset: { open: 1, hours: 1 } });
    await models.usageLedger.updateOne({ _id: ledger._id, version: ledger.version }, { $set: { covered: [] } });
  }
  // Days written for this version or an earlier one that the ledger does not point to were replaced or lost the
  // compare-and-set. Days for a later version belong to a roll-up in progress.
  await models.usageDay.deleteMany({
    scenarioId: ledger._id,
    forVersion: { $lte: ledger.version },
    _id: { $nin: ledger.days.map(({ usageDayId }) => usageDayId) },
  });
}

/** Reads pending records until there are enough, and sums them as they are read. */
async function readPortion(models: Models, scenarioId: string): Promise<Portion> {
  const ids: string[] = [];
  const sums = new HourSums();
  let hours = 0;
  for await (const record of readPendingRecords(models, scenarioId)) {
    if (isSliceOver()) await nextSlice();
    ids.push(record._id);
    for (const hour of record.hours) sums.add(hour);
    hours += record.hours.length;
    if (ids.length >= recordsPerRollUp || hours >= hoursPerRollUp) break;
  }
  return { ids, hours: await inSlices(sums.inOrder()) };
}

/**
 * Writes new documents for the days of the records: their usage, added to that of the documents that they replace.
 * `complete` is false if one of those is missing.
 */
async function writeDays(
  models: Models,
  ledger: UsageLedger,
  { hours }: Portion,
): Promise<{ days: UsageLedger['days']; complete: boolean }> {
  const pointers = new Map(ledger.days.map(({ day, usageDayId }) => [day, usageDayId]));
  const byDay = [...groupByDay(hours)];
  const days: UsageLedger['days'] = [];
  for (let start = 0; start < byDay.length; start += daysPerWrite) {
    const sumsByDay = new Map(byDay.slice(start, start + daysPerWrite).map(([day, own]) => [day, sumsOf(own)]));
    const replaced = [...sumsByDay.keys()].flatMap((day) => pointers.get(day) ?? []);
    const complete = await readUsageDays(models, replaced, (usageDay) => {
      for (const hour of usageDay.hours) sumsByDay.get(startOfUtcDay(hour.hour))?.add(hour);
    });
    if (!complete) return { days, complete };
    const documents: UsageDay[] = [];
    for (const [day, sums] of sumsByDay) {
      const usageDayId = randomUUID();
      documents.push({
        _id: usageDayId,
        scenarioId: ledger._id,
        forVersion: ledger.version + 1,
        hours: await inSlices(sums.inOrder()),
      });
      days.push({ day, usageDayId });
    }
    await models.usageDay.collection.insertMany(documents as never[]);
  }
  return { days, complete: true };
}

/**
 * Whether all records are pending at this moment. A read could return an old version of a record; an update that changes
 * nothing is compared with the version that the primary has.
 */
async function arePending(models: Models, { ids }: Portion): Promise<boolean> {
  const { matchedCount } = await models.usageRecord.updateMany(
    { _id: { $in: ids }, open: true },
    { $set: { open: true } },
  );
  return matchedCount === ids.length;
}

/** Points the ledger to the new days. @returns false if another roll-up has changed the ledger, so that nothing was merged. */
async function pointTo(
  models: Models,
  ledger: UsageLedger,
  written: UsageLedger['days'],
  { ids }: Portion,
): Promise<boolean> {
  const pointers = new Map([...ledger.days, ...written].map(({ day, usageDayId }) => [day, usageDayId]));
  // Through the driver, because Mongoose would cast every day.
  const { modifiedCount } = await models.usageLedger.collection.updateOne(
    { _id: ledger._id as never, version: ledger.version },
    {
      $set: {
        version: ledger.version + 1,
        covered: ids,
        days: [...pointers].map(([day, usageDayId]) => ({ day, usageDayId })),
      },
    },
  );
  return modifiedCount === 1;
}

function sumsOf(hours: readonly HourUsage[]): HourSums {
  const sums = new HourSums();
  for (const hour of hours) sums.add(hour);
  return sums;
}

/** The hours by UTC day. */
function groupByDay(hours: readonly HourUsage[]): Map<number, HourUsage[]> {
  const byDay = new Map<number, HourUsage[]>();
  for (const hour of hours) {
    const day = startOfUtcDay(hour.hour);
    const sameDay = byDay.get(day);
    if (sameDay) sameDay.push(hour);
    else byDay.set(day, [hour]);
  }
  return byDay;
}

import { randomUUID } from 'node:crypto';
import { startOfUtcDay } from '../../shared/durations.ts';
import type { Models } from '../../shared/models/index.ts';
import type { UsageLedger } from '../../shared/models/usage-ledger.model.ts';
import { type HourUsage, mergeHours } from '../../shared/pricing/usage.ts';
import { rollUpUsageQueue } from '../../shared/queues/roll-up-usage.queue.ts';
import { type PendingRecord, readPendingRecords, readUsageDays } from '../../shared/services/usage-ledger.ts';
import { defineProcessor } from '../define-processor.ts';
import type { WorkerDeps } from '../worker-deps.ts';

/** Bounds the ledger's list of merged records, and so the size of the compare-and-set. */
const recordsPerRollUp = 500;

/**
 * Merges the pending usage records of a scenario into its usage days; shared/services/usage-ledger.ts describes the invariant.
 * Of two concurrent roll-ups of a scenario one wins the compare-and-set, and the documents of the other are removed
 * later.
 */
export const rollUpUsageProcessor = defineProcessor(
  rollUpUsageQueue,
  async ({ scenarioId }, { models }: Pick<WorkerDeps, 'models'>) => {
    let merged = 0;
    for (;;) {
      const ledger = await findOrCreateLedger(models, scenarioId);
      if (!ledger) return { merged };
      await discardMerged(models, ledger);
      const records = await readPendingRecords(models, scenarioId, recordsPerRollUp);
      if (records.length === 0) return { merged };
      if (await mergeIntoDays(models, ledger, records)) merged += records.length;
    }
  },
);

/** @returns null if the scenario is deleted. */
async function findOrCreateLedger(models: Models, scenarioId: string): Promise<UsageLedger | null> {
  const ledger = await models.usageLedger
    .findOneAndUpdate(
      { _id: scenarioId },
      { $setOnInsert: { version: 0, days: [], covered: [] } },
      { upsert: true, returnDocument: 'after' },
    )
    .lean();
  // Read after the upsert: a deletion that has already removed the ledger has marked the scenario before.
  if (await models.scenario.exists({ _id: scenarioId, deletedAt: null })) return ledger;
  await models.usageLedger.deleteOne({ _id: scenarioId });
  await models.usageDay.deleteMany({ scenarioId });
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

/**
 * Writes new documents for the days of the records, with their usage added, and points the ledger to them.
 * @returns false if another roll-up has changed the ledger, so that nothing was merged.
 */
async function mergeIntoDays(models: Models, ledger: UsageLedger, records: readonly PendingRecord[]): Promise<boolean> {
  const byDay = groupByDay(records.flatMap((record) => record.hours));
  const pointers = new Map(ledger.days.map(({ day, usageDayId }) => [day, usageDayId]));
  const replaced = await readUsageDays(
    models,
    [...byDay.keys()].flatMap((day) => pointers.get(day) ?? []),
  );
  for (const { hours } of replaced) {
    for (const hour of hours) byDay.get(startOfUtcDay(hour.hour))?.push(hour);
  }
  const version = ledger.version + 1;
  const days = [...byDay].map(([day, hours]) => ({ day, usageDayId: randomUUID(), hours: mergeHours(hours) }));
  await models.usageDay.collection.insertMany(
    days.map(({ usageDayId, hours }) => ({
      _id: usageDayId as never,
      scenarioId: ledger._id,
      forVersion: version,
      hours,
    })),
  );
  for (const { day, usageDayId } of days) pointers.set(day, usageDayId);
  const covered = records.map((record) => record._id);
  const { modifiedCount } = await models.usageLedger.updateOne(
    { _id: ledger._id, version: ledger.version },
    { $set: { version, covered, days: [...pointers].map(([day, usageDayId]) => ({ day, usageDayId })) } },
  );
  return modifiedCount === 1;
}

/** The hours by UTC day, in lists that the caller may extend. */
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

import { randomUUID } from 'node:crypto';
import { startOfUtcDay } from '../../shared/durations.ts';
import type { Models } from '../../shared/models/index.ts';
import type { UsageLedger } from '../../shared/models/usage-ledger.model.ts';
import { type HourUsage, mergeHours } from '../../shared/pricing/usage.ts';
import type { FoldUsagePayload, FoldUsageResult } from '../../shared/queues/fold-usage.queue.ts';
import { readOpenRecords, readUsageDays } from '../../shared/usage-ledger.ts';
import type { ProcessorDeps } from '../run-processor.ts';

/** Bounds the ledger's list of covered records, and with it the size of the one update that decides. */
const recordsPerFold = 500;

/**
 * Moves a scenario's open usage records into its usage days (the invariant stands in shared/usage-ledger.ts). Two folds
 * of one scenario may run at once: the compare-and-set lets one win, the other drops what it wrote.
 */
export async function foldUsage(payload: FoldUsagePayload, { models }: ProcessorDeps): Promise<FoldUsageResult> {
  const { scenarioId } = payload;
  let folded = 0;
  for (;;) {
    const ledger = await openLedger(models, scenarioId);
    if (!ledger) return { folded };
    await emptyCovered(models, ledger);
    const records = await readOpenRecords(models, scenarioId, recordsPerFold);
    if (records.length === 0) return { folded };
    const covered = records.map((record) => record._id);
    const won = await takeIn(models, ledger, covered, mergeHours(records.flatMap((record) => record.hours)));
    if (!won) continue;
    folded += records.length;
  }
}

/** The scenario's ledger, made if there is none; null when the scenario is deleted, whose usage is being removed. */
async function openLedger(models: Models, scenarioId: string): Promise<UsageLedger | null> {
  const ledger = await models.usageLedger
    .findOneAndUpdate(
      { _id: scenarioId },
      { $setOnInsert: { version: 0, days: [], covered: [] } },
      { upsert: true, returnDocument: 'after' },
    )
    .lean();
  // Looked at after the upsert: a delete that has passed the ledger already has marked the scenario before.
  if (await models.scenario.exists({ _id: scenarioId, deletedAt: null })) return ledger;
  await models.usageLedger.deleteOne({ _id: scenarioId });
  await models.usageDay.deleteMany({ scenarioId });
  return null;
}

/** Finishes the previous fold: its records no longer count, so they are emptied, and the days it replaced go. */
async function emptyCovered(models: Models, ledger: UsageLedger): Promise<void> {
  if (ledger.covered.length > 0) {
    await models.usageRecord.updateMany({ _id: { $in: ledger.covered } }, { $unset: { open: 1, hours: 1 } });
    await models.usageLedger.updateOne({ _id: ledger._id, version: ledger.version }, { $set: { covered: [] } });
  }
  // Days written for a version that has come, and not pointed to by it, were replaced or lost the race. Days for a
  // version yet to come belong to a fold that is still under way.
  await models.usageDay.deleteMany({
    scenarioId: ledger._id,
    forVersion: { $lte: ledger.version },
    _id: { $nin: ledger.days.map(({ usageDayId }) => usageDayId) },
  });
}

/** Writes the days that the hours fall on anew, with the hours added, and points the ledger to them. */
async function takeIn(
  models: Models,
  ledger: UsageLedger,
  covered: string[],
  hours: readonly HourUsage[],
): Promise<boolean> {
  const byDay = new Map<number, HourUsage[]>();
  for (const hour of hours) {
    const day = startOfUtcDay(hour.hour);
    const sameDay = byDay.get(day);
    if (sameDay) sameDay.push(hour);
    else byDay.set(day, [hour]);
  }
  const present = new Map(ledger.days.map(({ day, usageDayId }) => [day, usageDayId]));
  const replaced = await readUsageDays(
    models,
    [...byDay.keys()].flatMap((day) => present.get(day) ?? []),
  );
  for (const { hours: folded } of replaced) {
    for (const hour of folded) byDay.get(startOfUtcDay(hour.hour))?.push(hour);
  }
  const version = ledger.version + 1;
  const days = [...byDay].map(([day, all]) => ({ day, usageDayId: randomUUID(), hours: mergeHours(all) }));
  await models.usageDay.collection.insertMany(
    days.map(({ usageDayId, hours }) => ({
      _id: usageDayId as never,
      scenarioId: ledger._id,
      forVersion: version,
      hours,
    })),
  );
  for (const { day, usageDayId } of days) present.set(day, usageDayId);
  const { modifiedCount } = await models.usageLedger.updateOne(
    { _id: ledger._id, version: ledger.version },
    { $set: { version, covered, days: [...present].map(([day, usageDayId]) => ({ day, usageDayId })) } },
  );
  return modifiedCount === 1;
}

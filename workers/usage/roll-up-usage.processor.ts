import { randomUUID } from 'node:crypto';
import type { QueryFilter } from 'mongoose';
import { majority } from '../../shared/connections/mongo.ts';
import { startOfUtcDay, startOfUtcYear } from '../../shared/durations.ts';
import { unavailable } from '../../shared/errors.ts';
import type { Models } from '../../shared/models.ts';
import { isSliceOver, nextSlice } from '../../shared/process/time-slices.ts';
import { isDeletedForGood } from '../../shared/scenarios/scenario.model.ts';
import { packLevels } from '../../shared/usage/packed-levels.ts';
import { startOfMonth } from '../../shared/usage/periods.ts';
import { rollUpUsageQueue } from '../../shared/usage/roll-up-usage.queue.ts';
import { HourSums, type HourUsage, sumParts, type UsageSum } from '../../shared/usage/usage.ts';
import type { UsageDay } from '../../shared/usage/usage-day.model.ts';
import { retainedRollUpIds, type UsageLedger, type YearPointer } from '../../shared/usage/usage-ledger.model.ts';
import {
  decodePending,
  LedgerYears,
  type ListedUsage,
  readDaySums,
  readPendingBytes,
  readUsageDays,
} from '../../shared/usage/usage-ledger.ts';
import type { UsageYear } from '../../shared/usage/usage-year.model.ts';
import { defineProcessor } from '../jobs/define-processor.ts';
import { removeInPortions } from '../purge/remove-in-portions.ts';
import type { WorkerDeps } from '../worker-deps.ts';

/** Bounds the ledger's list of merged records, and so the size of the compare-and-set. */
const recordsPerRollUp = 500;
/**
 * Bounds the memory and the time of one step: each of 1,000 entries of a record can have an hour,
 * or a level of an hour, of its own. An hour with several levels counts several times.
 */
const hoursPerRollUp = 10_000;
/** Bounds the ledger's list of replaced documents. A record with more days is merged alone. */
const daysPerRollUp = 1_000;
const all = { withLevels: true } as const;
/** Days that are read, merged and written together. */
const daysPerWrite = 25;
/**
 * Roll-ups of one version of the ledger that fail because of what they read; a concurrent roll-up
 * makes a new version.
 */
const maxStaleReads = 5;

/** Pending records that are merged together. */
interface Portion {
  ids: string[];
  hours: HourSums;
  /** Whether there were no more. */
  isLast: boolean;
}

/** The documents of a roll-up, which are part of the usage once the ledger lists the years. */
interface Written {
  years: YearPointer[];
  /** Years and days that they replace. */
  replaced: string[];
}

/**
 * Merges the pending usage records of a scenario into its usage days; shared/usage/usage-ledger.ts
 * has the steps and why no record is merged twice. One of two concurrent roll-ups of a scenario
 * wins the compare-and-set.
 */
export const rollUpUsageProcessor = defineProcessor(
  rollUpUsageQueue,
  async ({ scenarioId }, { models }: Pick<WorkerDeps, 'models'>, { step, reportProgress }) => {
    let merged = 0;
    let isEnd = false;
    const stale = { version: -1, reads: 0 };
    for (;;) {
      step('read the ledger');
      const ledger = await findOrCreateLedger(models, scenarioId);
      if (!ledger) return { merged };
      step('remove merged records');
      await discardMerged(models, ledger);
      if (isEnd) return { merged };
      step('read pending records');
      const portion = await readPortion(models, scenarioId);
      if (portion.ids.length === 0) return { merged };
      const rollUpId = randomUUID();
      step('write usage days');
      const written = await writeUsage(models, ledger, rollUpId, portion);
      if (written && (await arePending(models, portion))) {
        step('update the ledger');
        if (await pointTo(models, ledger, rollUpId, written, portion)) {
          merged += portion.ids.length;
          // Entries that arrive while this job runs have a job of their own, which starts after it.
          // Otherwise entries that arrive one by one would be merged one by one.
          isEnd = portion.isLast;
          reportProgress();
          continue;
        }
        // The documents stay, for a later roll-up to remove: after a repeated compare-and-set the
        // ledger may reach them.
      } else {
        await removeDocuments(models, { scenarioId, forVersion: ledger.version + 1, rollUpId });
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
        { $setOnInsert: { version: 0, years: [], covered: [] } },
        { upsert: true, returnDocument: 'after' },
      )
      .lean());
  // Read after the upsert: a deletion that has already removed the ledger has marked the scenario
  // before.
  if (!(await isDeletedForGood(models.scenario, scenarioId))) return ledger;
  // A later version is removed by the deletion itself.
  const { deletedCount } = await models.usageLedger.deleteOne({ _id: scenarioId, version: 0 });
  if (deletedCount === 1) {
    // Collections, because the compiler takes seconds to compare two models.
    for (const collection of [models.usageYear.collection, models.usageDay.collection])
      await removeInPortions(collection, { scenarioId });
  }
  return null;
}

/**
 * Completes the previous roll-up: empties the records that it merged, and removes the documents
 * that it replaced and those of roll-ups that lost the compare-and-set.
 */
async function discardMerged(models: Models, ledger: UsageLedger): Promise<void> {
  const { _id: scenarioId, version, covered, replaced = [], rollUpIds = [] } = ledger;
  if (covered.length > 0) {
    await models.usageRecord.updateMany({ _id: { $in: covered } }, { $unset: { open: 1, hours: 1, levels: 1 } });
  }
  if (replaced.length > 0) await removeDocuments(models, { _id: { $in: replaced } });
  if (rollUpIds.length > 0) {
    // Documents for a later version belong to a roll-up in progress.
    const forVersion = { $gt: version - rollUpIds.length, $lte: version };
    await removeDocuments(models, { scenarioId, forVersion, rollUpId: { $nin: rollUpIds } });
  }
  if (covered.length > 0 || replaced.length > 0) {
    await models.usageLedger.updateOne({ _id: scenarioId, version }, { $set: { covered: [], replaced: [] } });
  }
}

async function removeDocuments(models: Models, filter: QueryFilter<UsageYear>): Promise<void> {
  await models.usageYear.deleteMany(filter);
  await models.usageDay.deleteMany(filter);
}

/** Reads pending records until there are enough, and sums them as they are read. */
async function readPortion(models: Models, scenarioId: string): Promise<Portion> {
  const ids: string[] = [];
  const sums = new HourSums();
  const days = new Set<number>();
  let hours = 0;
  const portion = (isLast: boolean): Portion => ({ ids, hours: sums, isLast });
  for await (const bytes of readPendingBytes(models, scenarioId, all)) {
    const record = decodePending(bytes);
    for (const { hour } of record.hours) days.add(startOfUtcDay(hour));
    if (days.size > daysPerRollUp && ids.length > 0) return portion(false);
    ids.push(record._id);
    for (const hour of record.hours) {
      if (isSliceOver()) await nextSlice();
      sums.add(hour);
    }
    for (const { levels = [] } of record.hours) hours += Math.max(1, levels.length);
    if (ids.length >= recordsPerRollUp || hours >= hoursPerRollUp) return portion(false);
  }
  return portion(true);
}

/**
 * Writes new documents for the days of the records: their usage, added to that of the days that
 * they replace. Then the lists of the years of these days.
 * @returns undefined if a document that is to be replaced is missing.
 */
async function writeUsage(
  models: Models,
  ledger: UsageLedger,
  rollUpId: string,
  { hours }: Portion,
): Promise<Written | undefined> {
  const author = { scenarioId: ledger._id, forVersion: ledger.version + 1, rollUpId };
  const current = new LedgerYears(models, ledger);
  const yearIds = new Map(ledger.years.map(({ year, usageYearId }) => [year, usageYearId]));
  const replaced: string[] = [];
  for (const [year, days] of groupByYear(hours.days())) {
    const listed = await current.read([year]);
    if (!listed) return undefined;
    const pointers = new Map(listed.days.map((pointer) => [pointer.day, pointer]));
    const sums = new Map<number, UsageSum>();
    for (let start = 0; start < days.length; start += daysPerWrite) {
      const portion = days.slice(start, start + daysPerWrite);
      const earlier = await readUsageDays(
        models,
        portion.flatMap((day) => pointers.get(day) ?? []),
        all,
      );
      if (!earlier) return undefined;
      for (const read of earlier) {
        if (isSliceOver()) await nextSlice();
        const usageDay = read();
        replaced.push(usageDay._id);
        for (const hour of usageDay.hours) hours.add(hour);
      }
      const written: UsageDay[] = [];
      for (const day of portion) {
        if (isSliceOver()) await nextSlice();
        const usageDayId = randomUUID();
        const merged = hours.takeDay(day);
        const sum = sumOf(merged);
        written.push({ _id: usageDayId, ...author, ...packLevels(merged), sum });
        pointers.set(day, { day, usageDayId });
        sums.set(day, sum);
      }
      if (isSliceOver()) await nextSlice();
      await models.usageDay.collection.insertMany(written as never[]);
    }
    const months = await sumMonths(models, listed, sums);
    if (!months) return undefined;
    const list: UsageYear = { _id: randomUUID(), ...author, days: [...pointers.values()], months };
    await models.usageYear.collection.insertOne(list as never);
    const replacedYear = yearIds.get(year);
    if (replacedYear !== undefined) replaced.push(replacedYear);
    yearIds.set(year, list._id);
  }
  return { years: [...yearIds].map(([year, usageYearId]) => ({ year, usageYearId })), replaced };
}

/**
 * The sums of a year's months: those of months with changed days from the sums of all their days,
 * the others as they are.
 * @param changed the new sums of the changed days.
 * @returns undefined if a day is missing.
 */
async function sumMonths(
  models: Models,
  { days, months }: ListedUsage,
  changed: ReadonlyMap<number, UsageSum>,
): Promise<UsageSum[] | undefined> {
  const monthOf = (day: number) => startOfMonth(new Date(day));
  const changedMonths = new Set(Array.from(changed.keys(), monthOf));
  const unchanged = days.filter(({ day }) => !changed.has(day) && changedMonths.has(monthOf(day)));
  const unchangedSums = await readDaySums(models, unchanged);
  if (!unchangedSums) return undefined;
  const parts = new Map([...changedMonths].map((month) => [month, [] as UsageSum[]]));
  for (const [day, sum] of changed) parts.get(monthOf(day))?.push(sum);
  for (const [index, sum] of unchangedSums.entries()) parts.get(monthOf(unchanged[index]?.day ?? 0))?.push(sum);
  const sums = new Map(months);
  for (const [month, ofMonth] of parts) sums.set(month, sumOf(ofMonth));
  return [...sums.values()];
}

function sumOf(parts: readonly (HourUsage | UsageSum)[]): UsageSum {
  const sum = sumParts(parts);
  if (!sum) throw new TypeError('A usage record contains hours without logs.');
  return sum;
}

/**
 * Whether all records are pending at this moment. A read could return an old version of a record;
 * an update that changes nothing is compared with the version that the primary has.
 */
async function arePending(models: Models, { ids }: Portion): Promise<boolean> {
  const { matchedCount } = await models.usageRecord.updateMany(
    { _id: { $in: ids }, open: true },
    { $set: { open: true } },
  );
  return matchedCount === ids.length;
}

/**
 * Points the ledger to the new years. @returns false if another roll-up has changed the ledger, so
 * that nothing was merged.
 */
async function pointTo(
  models: Models,
  ledger: UsageLedger,
  rollUpId: string,
  { years, replaced }: Written,
  { ids }: Portion,
): Promise<boolean> {
  const rollUpIds = [...(ledger.rollUpIds ?? []), rollUpId].slice(-retainedRollUpIds);
  // Through the driver, because Mongoose would cast every year.
  const { modifiedCount } = await models.usageLedger.collection.updateOne(
    { _id: ledger._id as never, version: ledger.version },
    { $set: { version: ledger.version + 1, covered: ids, replaced, years, rollUpIds } },
  );
  return modifiedCount === 1;
}

/** Days, ascending, by the start of their UTC year. */
function groupByYear(days: Iterable<number>): Map<number, number[]> {
  const byYear = new Map<number, number[]>();
  for (const day of days) {
    const year = startOfUtcYear(day);
    const sameYear = byYear.get(year);
    if (sameYear) sameYear.push(day);
    else byYear.set(year, [day]);
  }
  return byYear;
}

import { startOfUtcDay } from '../durations.ts';
import { unavailable } from '../errors.ts';
import type { Models } from '../models/index.ts';
import type { UsageDay } from '../models/usage-day.model.ts';
import type { UsageLedger } from '../models/usage-ledger.model.ts';
import type { UsageRecord } from '../models/usage-record.model.ts';
import { HourSums, type HourUsage } from '../pricing/usage.ts';
import { inSlices, isSliceOver, nextSlice } from '../runtime/time-slices.ts';

/**
 * A scenario's usage: each record counts exactly once at every instant, without transactions.
 *
 * The usage is the sum of the days in the scenario's ledger and of the pending usage records that the ledger does not
 * list as merged. A roll-up (workers/processors/roll-up-usage.processor.ts)
 *
 * 1. reads the ledger at a version `v`, as a majority has it;
 * 2. empties the records that the ledger lists as merged, and removes the days that it does not list;
 * 3. reads pending records, and writes days that include them;
 * 4. has the primary confirm, by an update that changes nothing, that each of these records is pending;
 * 5. sets version `v + 1`, the new days and the list of merged records, on condition that the version still is `v`.
 *
 * No record is merged twice, whatever the reads of 1 and 3 return. Let 5 succeed. Then the version was `v` from 1 on,
 * and no other roll-up merged a record since. All records merged before were emptied by 4: those of version `v` in 2 of
 * this roll-up or of another one, those of earlier versions before `v` was set. An emptied record never becomes pending
 * again. So what is pending at 4 has not been merged. An old ledger fails at 5, an old record at 4.
 *
 * No record is lost: it is emptied only because of a ledger that a majority has, which cannot be rolled back, and every
 * write is acknowledged by a majority before the next step. A day that is not found ends the roll-up.
 */

/**
 * For the driver's own collections, which return 64-bit integers as bigint. Mongoose's casts would take longer than the
 * queries.
 */
const exactIntegers = { useBigInt64: true } as const;

export interface UsagePeriod {
  from?: Date;
  /** Exclusive. */
  to?: Date;
}

type UsageModels = Pick<Models, 'usageLedger' | 'usageDay' | 'usageRecord'>;

export type PendingRecord = UsageRecord & { hours: HourUsage[] };

/** Days that one query names. */
const daysPerQuery = 100;
/** A read that is overtaken by a roll-up starts again; a scenario is rolled up about once a second. */
const maxReads = 20;

/**
 * The usage records of a scenario that no roll-up has emptied, one by one. Memory holds one batch of the cursor as raw
 * bytes, at most 16 MB, and one record.
 */
export function readPendingRecords(models: UsageModels, scenarioId: string): AsyncIterable<PendingRecord> {
  const cursor = models.usageRecord.collection.find({ scenarioId, open: true }, exactIntegers);
  return cursor as unknown as AsyncIterable<PendingRecord>;
}

/**
 * Reads days that a ledger lists, one by one, with the same bound on memory.
 * @returns false if one is missing: a roll-up has replaced it since, or the read is stale.
 */
export async function readUsageDays(
  models: UsageModels,
  ids: readonly string[],
  take: (day: UsageDay) => void,
): Promise<boolean> {
  for (let start = 0; start < ids.length; start += daysPerQuery) {
    let missing = Math.min(daysPerQuery, ids.length - start);
    const portion = ids.slice(start, start + daysPerQuery) as never[];
    for await (const day of models.usageDay.collection.find({ _id: { $in: portion } }, exactIntegers)) {
      if (isSliceOver()) await nextSlice();
      take(day as unknown as UsageDay);
      missing -= 1;
    }
    if (missing > 0) return false;
  }
  return true;
}

/** The newest first: these are replaced most often, so they are read right after the ledger. */
function daysWithin(days: UsageLedger['days'], { from, to }: UsagePeriod): string[] {
  const first = from ? startOfUtcDay(from) : Number.NEGATIVE_INFINITY;
  const end = to ? to.getTime() : Number.POSITIVE_INFINITY;
  return days
    .filter(({ day }) => day >= first && day < end)
    .sort((a, b) => b.day - a.day)
    .map(({ usageDayId }) => usageDayId);
}

function isWithin({ hour }: HourUsage, { from, to }: UsagePeriod): boolean {
  return (!from || hour >= from) && (!to || hour < to);
}

/**
 * The hours with usage of a scenario, in order. The period is compared with the start of each hour. Memory holds one
 * record per hour with usage in the period, however many records are pending.
 * @throws AppError SERVICE_UNAVAILABLE if roll-ups overtake the read again and again.
 */
export async function readUsage(
  models: UsageModels,
  scenarioId: string,
  period: UsagePeriod = {},
): Promise<HourUsage[]> {
  for (let reads = 0; reads < maxReads; reads += 1) {
    const sums = new HourSums();
    const take = ({ hours }: { hours: HourUsage[] }) => {
      for (const hour of hours) if (isWithin(hour, period)) sums.add(hour);
    };
    const ledger = await models.usageLedger.findById(scenarioId).lean();
    const merged = new Set(ledger?.covered);
    for await (const record of readPendingRecords(models, scenarioId)) {
      if (isSliceOver()) await nextSlice();
      if (!merged.has(record._id)) take(record);
    }
    const after = await models.usageLedger.findById(scenarioId, { version: 1 }).lean();
    // A record that was merged since may have been emptied before it was read. Days are immutable: none can be.
    if (after?.version !== ledger?.version) continue;
    if (await readUsageDays(models, daysWithin(ledger?.days ?? [], period), take)) return inSlices(sums.inOrder());
  }
  throw unavailable('The usage of the scenario changes too fast to be read.', 1);
}

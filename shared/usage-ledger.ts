import { startOfUtcDay } from './durations.ts';
import type { Models } from './models/index.ts';
import type { UsageDay } from './models/usage-day.model.ts';
import type { UsageLedger } from './models/usage-ledger.model.ts';
import type { UsageRecord } from './models/usage-record.model.ts';
import { type HourUsage, mergeHours } from './pricing/usage.ts';

/**
 * A scenario's usage, exact at every instant and without transactions.
 *
 * It is the days that the scenario's ledger points to, plus the pending usage records that the ledger does not list as
 * merged. A roll-up (workers/processors/roll-up-usage.processor.ts) merges records into days by one compare-and-set of
 * the ledger; only after it are the records emptied and the replaced days removed. So whatever is read between two reads
 * of the same version of the ledger belongs together, and a reader starts again when the version has changed.
 */

/**
 * Documents with 64-bit counters are read and written by the driver's own collection: it gives every 64-bit integer as
 * a bigint, and Mongoose's casts would cost more than the work itself.
 */
const exactIntegers = { useBigInt64: true } as const;

export interface UsagePeriod {
  from?: Date;
  /** Exclusive. */
  to?: Date;
}

export type PendingRecord = UsageRecord & { hours: HourUsage[] };

/** The usage records of a scenario that no roll-up has emptied. */
export async function readPendingRecords(models: Models, scenarioId: string, limit = 0): Promise<PendingRecord[]> {
  return models.usageRecord.collection
    .find({ scenarioId, open: true }, { ...exactIntegers, limit })
    .toArray() as unknown as Promise<PendingRecord[]>;
}

export async function readUsageDays(models: Models, ids: readonly string[]): Promise<UsageDay[]> {
  if (ids.length === 0) return [];
  return models.usageDay.collection
    .find({ _id: { $in: ids as never[] } }, exactIntegers)
    .toArray() as unknown as Promise<UsageDay[]>;
}

function daysWithin(days: UsageLedger['days'], { from, to }: UsagePeriod): string[] {
  const first = from ? startOfUtcDay(from) : Number.NEGATIVE_INFINITY;
  const end = to ? to.getTime() : Number.POSITIVE_INFINITY;
  return days.filter(({ day }) => day >= first && day < end).map(({ usageDayId }) => usageDayId);
}

function isWithin({ hour }: HourUsage, { from, to }: UsagePeriod): boolean {
  return (!from || hour >= from) && (!to || hour < to);
}

/** The hours of a scenario in which there was usage, in order. A period is compared with the start of each hour. */
export async function readUsage(models: Models, scenarioId: string, period: UsagePeriod = {}): Promise<HourUsage[]> {
  for (;;) {
    const ledger = await models.usageLedger.findById(scenarioId).lean();
    const [days, records] = await Promise.all([
      readUsageDays(models, daysWithin(ledger?.days ?? [], period)),
      readPendingRecords(models, scenarioId),
    ]);
    const after = await models.usageLedger.findById(scenarioId, { version: 1 }).lean();
    if (after?.version !== ledger?.version) continue;
    const merged = new Set(ledger?.covered);
    const parts = [...days, ...records.filter((record) => !merged.has(record._id))];
    return mergeHours(parts.flatMap((part) => part.hours.filter((hour) => isWithin(hour, period))));
  }
}

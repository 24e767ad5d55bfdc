import { startOfUtcDay } from '../durations.ts';
import type { Models } from '../models/index.ts';
import type { UsageDay } from '../models/usage-day.model.ts';
import type { UsageLedger } from '../models/usage-ledger.model.ts';
import type { UsageRecord } from '../models/usage-record.model.ts';
import { type HourUsage, mergeHours } from '../pricing/usage.ts';

/**
 * Reads a scenario's usage: consistent at every instant, without transactions.
 *
 * The usage is the sum of the days in the scenario's ledger and of the pending usage records that the ledger does not
 * list as merged. A roll-up (workers/processors/roll-up-usage.processor.ts) merges records into days by one
 * compare-and-set of the ledger; afterwards it empties the records and removes the replaced days. Therefore everything
 * read between two reads of the same ledger version is consistent. A reader starts again if the version has changed.
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

/** The usage records of a scenario that no roll-up has emptied. */
export async function readPendingRecords(models: UsageModels, scenarioId: string, limit = 0): Promise<PendingRecord[]> {
  return models.usageRecord.collection
    .find({ scenarioId, open: true }, { ...exactIntegers, limit })
    .toArray() as unknown as Promise<PendingRecord[]>;
}

export async function readUsageDays(models: UsageModels, ids: readonly string[]): Promise<UsageDay[]> {
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

/** The hours with usage of a scenario, in order. The period is compared with the start of each hour. */
export async function readUsage(
  models: UsageModels,
  scenarioId: string,
  period: UsagePeriod = {},
): Promise<HourUsage[]> {
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

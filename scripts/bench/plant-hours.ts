import { loadPriceBook } from '../../shared/cost/load-price-book.ts';
import { day, hour } from '../../shared/durations.ts';
import type { AcceptedEntry } from '../../shared/ingest/batch-text.ts';
import type { Models } from '../../shared/models.ts';
import { dayOfHour, type HourCounters, mergeCounters } from '../../shared/usage/stored-hour.ts';
import { sumId } from '../../shared/usage/usage-store.ts';
import { createBatchTools, processBatch } from '../../workers/ingest/process-batch.ts';
import { readTokenRanks } from '../../shared/metering/token-ranks.ts';

export const plantedFrom = Date.UTC(2021, 0, 1);

/** An entry whose timestamp is in the first hour after `plantedFrom`. */
export type PlantedEntry = Omit<AcceptedEntry, 'index' | 'timed'>;

/**
 * Stores usage of every hour of so many days as a roll-up stores it. All hours have these entries.
 * @param from the start of the first day, in epoch milliseconds.
 */
export async function plantHours(
  models: Pick<Models, 'usagePlan' | 'usageHour' | 'usageDay'>,
  scenarioId: string,
  days: number,
  entries: readonly PlantedEntry[],
  from = plantedFrom,
): Promise<void> {
  const counters = countHour(entries);
  const seq = 1;
  for (let count = 0; count < days; count += 1) {
    const start = from + count * day;
    const hours = Array.from({ length: 24 }, (_, at) => ({ ...counters, hour: new Date(start + at * hour) }));
    const sum = {};
    for (const one of hours) mergeCounters(sum, dayOfHour(one));
    const planted = hours.map((one) => ({ _id: sumId('hours', scenarioId, one.hour.getTime()), seq, ...one }));
    await models.usageHour.collection.insertMany(planted as never[]);
    await models.usageDay.collection.insertOne({ _id: sumId('days', scenarioId, start), seq, ...sum } as never);
  }
  await models.usagePlan.updateOne({ _id: scenarioId }, { $set: { seq } });
}

function countHour(entries: readonly PlantedEntry[]): HourCounters {
  const tools = createBatchTools({ tokenRanks: readTokenRanks() });
  const indexed = entries.map((entry, index) => ({ ...entry, index, timed: true }));
  const { tokenMultipliers, callLimits } = loadPriceBook();
  const terms = { assumptions: {}, tokenMultipliers, callLimits };
  const { usage } = processBatch({ receivedAt: plantedFrom, entries: indexed }, terms, tools);
  const counted = {} as HourCounters;
  for (const one of usage) mergeCounters(counted, one);
  return counted;
}

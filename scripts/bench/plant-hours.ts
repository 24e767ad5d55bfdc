import { randomUUID } from 'node:crypto';
import { loadPriceBook } from '../../shared/cost/load-price-book.ts';
import { day, hour, startOfUtcYear } from '../../shared/durations.ts';
import type { SpooledEntry } from '../../shared/ingest/spooled-batch.ts';
import type { Models } from '../../shared/models.ts';
import { packLevels, unpackLevels } from '../../shared/usage/packed-levels.ts';
import { startOfMonth } from '../../shared/usage/periods.ts';
import { sumParts, type UsageSum } from '../../shared/usage/usage.ts';
import type { UsageDay } from '../../shared/usage/usage-day.model.ts';
import type { DayPointer } from '../../shared/usage/usage-year.model.ts';
import { createBatchTools, processBatch } from '../../workers/ingest/process-batch.ts';
import { readTokenRanks } from '../../workers/ingest/token-ranks.ts';

export const plantedFrom = Date.UTC(2021, 0, 1);

/** An entry without `index`; its timestamp is in the first hour after `plantedFrom`. */
export type PlantedEntry = Omit<SpooledEntry, 'index'>;

/**
 * Stores usage of every hour of so many days as a roll-up stores it. All hours have these entries.
 * @param from the start of the first day, in epoch milliseconds.
 */
export async function plantHours(
  models: Models,
  scenarioId: string,
  days: number,
  entries: readonly PlantedEntry[],
  from = plantedFrom,
): Promise<void> {
  const counters = countHour(entries);
  const author = { scenarioId, forVersion: 1, rollUpId: randomUUID() };
  const years = new Map<number, { days: DayPointer[]; months: Map<number, UsageSum[]> }>();
  const planted: UsageDay[] = [];
  for (let count = 0; count < days; count += 1) {
    const dayStart = from + count * day;
    const usage = Array.from({ length: 24 }, (_, at) => ({ ...counters, hour: new Date(dayStart + at * hour) }));
    const usageDayId = randomUUID();
    const sum = sumParts(usage);
    if (!sum) throw new Error('The day has no usage.');
    planted.push({ _id: usageDayId, ...author, ...packLevels(usage), sum });
    const year = years.get(startOfUtcYear(dayStart)) ?? { days: [], months: new Map<number, UsageSum[]>() };
    years.set(startOfUtcYear(dayStart), year);
    year.days.push({ day: dayStart, usageDayId });
    const month = startOfMonth(new Date(dayStart));
    year.months.set(month, [...(year.months.get(month) ?? []), sum]);
  }
  for (let at = 0; at < planted.length; at += 100) {
    await models.usageDay.collection.insertMany(planted.slice(at, at + 100) as never[]);
  }
  const lists = [...years.values()].map(({ days: pointers, months }) => ({
    _id: randomUUID(),
    ...author,
    days: pointers,
    months: Array.from(months.values(), (sums) => sumParts(sums)),
  }));
  await models.usageYear.collection.insertMany(lists as never[]);
  await models.usageLedger.collection.insertOne({
    _id: scenarioId as never,
    version: 1,
    years: [...years.keys()].map((year, at) => ({ year, usageYearId: lists[at]?._id })),
    covered: [],
    replaced: [],
    rollUpIds: [author.rollUpId],
  });
}

function countHour(entries: readonly PlantedEntry[]) {
  const tools = createBatchTools({ tokenRanks: readTokenRanks() });
  const indexed = entries.map((entry, index) => ({ ...entry, index }));
  const { tokenMultipliers } = loadPriceBook();
  const terms = { assumptions: {}, tokenMultipliers };
  const [counters] = unpackLevels(processBatch({ receivedAt: plantedFrom, entries: indexed }, terms, tools).usage);
  if (!counters) throw new Error('The entries have no usage.');
  return counters;
}

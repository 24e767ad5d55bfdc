import { readConfig } from '../../shared/config/config.ts';
import { openMongo } from '../../shared/connections/mongo.ts';
import { loadPriceBook } from '../../shared/cost/price-book.ts';
import { day, hour } from '../../shared/durations.ts';
import { generateDayOfLogLines } from '../../shared/generate-log-lines.ts';
import type { AcceptedEntry } from '../../shared/ingest/batch-text.ts';
import { readTokenRanks } from '../../shared/metering/token-ranks.ts';
import { createModels, type Models } from '../../shared/models.ts';
import { dayOfHour, type HourCounters, mergeCounters } from '../../shared/usage/stored-hour.ts';
import { sumId } from '../../shared/usage/usage-store.ts';
import { createBatchTools, processBatch } from '../../workers/ingest/process-batch.ts';
import { startScenario } from '../call-service.ts';
import type { BenchStack } from './bench-stack.ts';

const plantedFrom = Date.UTC(2021, 0, 1);
const entriesPerHour = 60;
const seed = 20_261_122;

/** An entry whose timestamp is in the first hour after `plantedFrom`. */
type PlantedEntry = Omit<AcceptedEntry, 'index' | 'timed'>;

/** The ids of two scenarios with entries in every hour since the beginning of 2021. */
interface PlantedScenarios {
  year: string;
  fiveYears: string;
}

/** Runs `work` with scenarios whose usage is stored without their entries. */
export async function withPlantedYear<T>(
  { url, environment }: BenchStack,
  work: (planted: PlantedScenarios) => Promise<T>,
): Promise<T> {
  const config = readConfig(environment);
  const mongo = await openMongo(config.mongodbUrl, { timeoutMs: config.mongodbTimeoutMs, role: 'worker' });
  try {
    const models = createModels(mongo);
    const lines = generateDayOfLogLines(seed, entriesPerHour);
    const entries = lines.map((message) => ({ message, timestamp: plantedFrom, source: 'web' }));
    const [year, fiveYears] = [await startScenario(url, 'a year'), await startScenario(url, 'five years')];
    await plantHours(models, year, 365, entries);
    await plantHours(models, fiveYears, 5 * 365 + 1, entries);
    return await work({ year, fiveYears });
  } finally {
    await mongo.close();
  }
}

/**
 * Stores usage of every hour of so many days as a roll-up stores it. All hours have these entries.
 */
async function plantHours(
  models: Pick<Models, 'usagePlan' | 'usageHour' | 'usageDay'>,
  scenarioId: string,
  days: number,
  entries: readonly PlantedEntry[],
): Promise<void> {
  const counters = countHour(entries);
  const seq = 1;
  for (let count = 0; count < days; count += 1) {
    const start = plantedFrom + count * day;
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

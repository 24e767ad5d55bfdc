import { randomUUID } from 'node:crypto';
import { startOfUtcDay, startOfUtcYear } from '../durations.ts';
import { AppError, unavailable } from '../errors.ts';
import type { UsageLedger } from '../models/usage-ledger.model.ts';
import type { DayPointer } from '../models/usage-year.model.ts';
import { divides } from '../pricing/periods.ts';
import { type DaySum, HourSums, type HourUsage, type ReadDays, sumDay } from '../pricing/usage.ts';
import type { Queues } from '../queues/index.ts';
import { isSliceOver, nextSlice } from '../runtime/time-slices.ts';
import {
  daysPerQuery,
  LedgerYears,
  readDaySums,
  readPendingRecords,
  readUsageDays,
  sumsPerQuery,
  type UsageModels,
} from './usage-ledger.ts';

export interface UsagePeriod {
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
}

/** A read that is overtaken by a roll-up starts again; a scenario is rolled up about once a second. */
const maxReads = 20;
/** Five roll-ups; about 40 MiB. */
const maxPendingHours = 50_000;
/** These days are replaced most often, so they are read right after the ledger, and held. */
const heldDays = 31;

export interface UsageDeps {
  models: UsageModels;
  queues: Pick<Queues, 'roll-up-usage'>;
}

/** A roll-up has changed what is being read. */
class OvertakenError extends Error {}

/** More usage is pending than a read can hold. */
class UsageBacklogError extends AppError {
  constructor() {
    const headers = { 'Retry-After': '2' };
    super('SERVICE_UNAVAILABLE', 'The latest usage of the scenario is still being merged.', { headers });
  }
}

/**
 * Reads the hours with usage of a scenario, day by day: each day's hours as a list, all in ascending order. The period is
 * compared with the start of each hour.
 *
 * ```ts
 * const logs = await readUsage(deps, scenarioId, {}, async (days) => {
 *   let sum = 0n;
 *   for await (const hours of days) for (const { logs } of hours) sum += logs;
 *   return sum;
 * });
 * ```
 *
 * `consume` is called again, from the first day, when a roll-up overtakes the read: `days` then throws, and `consume` must
 * not catch this. So what it does must be repeatable; a file that it writes is begun again. The hours must not be changed.
 *
 * Memory holds `daysPerQuery` and `heldDays` days, or `sumsPerQuery` sums, of which those of earlier versions are days; the
 * list of the days in the period, which is 5 MiB for the 47,482 days that timestamps can have; one reply with pending
 * records; and the sums of pending usage, at most `maxPendingHours` hours. Roll-ups merge 10,000 such hours at a time, so
 * only a scenario that receives more than they merge has as many.
 * @throws AppError SERVICE_UNAVAILABLE if more hours have pending usage, or if roll-ups overtake the read again and again.
 */
export function readUsage<Result>(
  deps: UsageDeps,
  scenarioId: string,
  period: UsagePeriod,
  consume: (days: AsyncIterable<readonly HourUsage[]>) => Promise<Result>,
): Promise<Result> {
  return readUsageByDay(deps, scenarioId, period, (readDays) => consume(readDays(() => true)));
}

/** Like `readUsage`. `consume` determines of which days it reads the hours, and of which only their sum, which is faster. */
export async function readUsageByDay<Result>(
  { models, queues }: UsageDeps,
  scenarioId: string,
  period: UsagePeriod,
  consume: (readDays: ReadDays) => Promise<Result>,
): Promise<Result> {
  for (let reads = 0; reads < maxReads; reads += 1) {
    try {
      return await consume((needsHours) => readDays(models, scenarioId, period, needsHours));
    } catch (error) {
      // The job of the roll-up may be lost. The next ingest would add one, but the scenario may have none.
      if (error instanceof UsageBacklogError) {
        const job = { scenarioId, requestId: randomUUID() };
        await queues['roll-up-usage'].add(job, { deduplication: { id: scenarioId } });
      }
      if (!(error instanceof OvertakenError)) throw error;
    }
  }
  throw unavailable('The usage of the scenario changes too fast to be read.', 1);
}

/** @throws OvertakenError if the days are not those of one instant. */
async function* readDays(
  models: UsageModels,
  scenarioId: string,
  period: UsagePeriod,
  needsHours: NeedsHours,
): AsyncGenerator<DayUsage> {
  const ledger = await models.usageLedger.findById(scenarioId).lean();
  const pending = await readPending(models, scenarioId, ledger, period);
  const after = await models.usageLedger.findById(scenarioId, { version: 1 }).lean();
  // A record that was merged since may have been emptied before it was read. Years and days are immutable.
  if (after?.version !== ledger?.version) throw new OvertakenError();

  const pendingDays = pending.days();
  let next = 0;
  for await (const { day, hours } of readStoredDays(models, ledger, period, needsHours)) {
    for (let first = pendingDays[next]; first !== undefined && first < day; first = pendingDays[next]) {
      yield pending.takeDay(first);
      next += 1;
    }
    if (pendingDays[next] !== day) {
      yield hours;
      continue;
    }
    next += 1;
    if (hours.some(isSum)) {
      const sum = sumDay([...hours, ...pending.takeDay(day)]);
      if (sum) yield [sum];
      continue;
    }
    for (const hour of hours) pending.add(hour);
    yield pending.takeDay(day);
  }
  for (const day of pendingDays.slice(next)) yield pending.takeDay(day);
}

async function readPending(
  models: UsageModels,
  scenarioId: string,
  ledger: UsageLedger | null,
  period: UsagePeriod,
): Promise<HourSums> {
  const merged = new Set(ledger?.covered);
  const sums = new HourSums();
  for await (const { _id, hours } of readPendingRecords(models, scenarioId)) {
    if (merged.has(_id)) continue;
    for (const hour of hours) {
      if (isSliceOver()) await nextSlice();
      if (isWithin(hour, period)) sums.add(hour);
    }
    if (sums.size > maxPendingHours) throw new UsageBacklogError();
  }
  return sums;
}

type NeedsHours = Parameters<ReadDays>[0];
/** The hours of a day, or one sum of them. */
type DayUsage = readonly (HourUsage | DaySum)[];

interface StoredDay {
  day: number;
  hours: DayUsage;
}

/** The days that the ledger lists, ascending, with their hours in the period or the sum of these. */
async function* readStoredDays(
  models: UsageModels,
  ledger: UsageLedger | null,
  period: UsagePeriod,
  needsHours: NeedsHours,
): AsyncGenerator<StoredDay> {
  const { from, to } = period;
  const ledgerYears = new LedgerYears(models, ledger);
  const end = to?.getTime() ?? Infinity;
  const firstDay = from ? startOfUtcDay(from) : -Infinity;
  const firstYear = from ? startOfUtcYear(from.getTime()) : -Infinity;
  const years = ledgerYears.starts.filter((year) => year >= firstYear && year < end);
  const days = expectFound(await ledgerYears.daysOf(years)).filter(({ day }) => day >= firstDay && day < end);
  const byHour = (day: number, next: number) => divides(period, day) || needsHours(day, next);

  const held = new Map<number, DayUsage>();
  const hold = async (pointers: readonly DayPointer[], detailed: boolean) => {
    const missing = pointers.filter(({ day }) => {
      const known = held.get(day);
      return known === undefined || (detailed && known.some(isSum));
    });
    const found = await (detailed ? readHours(models, missing) : readSums(models, missing));
    for (const [index, { day }] of missing.entries()) held.set(day, within(found[index] ?? [], period));
  };
  const latest = days.slice(-heldDays);
  const first = days[0]?.day ?? 0;
  for (const detailed of [true, false]) {
    const alike = latest.filter(({ day }) => byHour(day, first) === detailed);
    await hold(alike, detailed);
  }
  for (let start = 0; start < days.length; ) {
    const { together, detailed } = nextDays(days, start, byHour);
    await hold(together, detailed);
    for (const { day } of together) {
      yield { day, hours: held.get(day) ?? [] };
      held.delete(day);
    }
    start += together.length;
  }
}

/** The days from `start` on that are read together: by hour, or as sums. */
function nextDays(days: readonly DayPointer[], start: number, byHour: NeedsHours) {
  const next = days[start]?.day ?? 0;
  const detailed = byHour(next, next);
  const most = detailed ? daysPerQuery : sumsPerQuery;
  let end = start + 1;
  for (; end < days.length && end - start < most; end += 1) {
    const day = days[end]?.day ?? 0;
    if (byHour(day, next) !== detailed) break;
  }
  return { together: days.slice(start, end), detailed };
}

async function readHours(models: UsageModels, pointers: readonly DayPointer[]): Promise<DayUsage[]> {
  return expectFound(await readUsageDays(models, pointers)).map(({ hours }) => hours);
}

/** Days of earlier versions of the service have no sum; their hours are read. */
async function readSums(models: UsageModels, pointers: readonly DayPointer[]): Promise<DayUsage[]> {
  const sums = expectFound(await readDaySums(models, pointers));
  const summed = sums.map((sum) => sum && [sum]);
  const withoutSum = pointers.filter((_, index) => summed[index] === null);
  const others: DayUsage[] = [];
  for (let start = 0; start < withoutSum.length; start += daysPerQuery) {
    others.push(...(await readHours(models, withoutSum.slice(start, start + daysPerQuery))));
  }
  return summed.map((sum) => sum ?? others.shift() ?? []);
}

const isSum = (part: HourUsage | DaySum) => 'last' in part;

function expectFound<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new OvertakenError();
  return found;
}

function within(hours: DayUsage, period: UsagePeriod): DayUsage {
  return hours.every((hour) => isWithin(hour, period)) ? hours : hours.filter((hour) => isWithin(hour, period));
}

function isWithin({ hour }: HourUsage, { from, to }: UsagePeriod): boolean {
  return (!from || hour >= from) && (!to || hour < to);
}

import { randomUUID } from 'node:crypto';
import type { Queues } from '../all-queues.ts';
import { startOfUtcDay, startOfUtcYear } from '../durations.ts';
import { unavailable } from '../errors.ts';
import { isSliceOver, nextSlice } from '../process/time-slices.ts';
import { daySpan } from './periods.ts';
import { type DayGroup, type DetailOf, ReadingPlan, type StoredUsage, type UsageParts } from './reading-plan.ts';
import { oneRollUpOf } from './roll-up-usage.queue.ts';
import { HourSums, type HourUsage, type ReadDays, sumParts, type UsageSum } from './usage.ts';
import { recordBacklog, requireNoBacklog, UsageBacklogError } from './usage-backlog.ts';
import { decodeId } from './usage-decoder.ts';
import type { UsageLedger } from './usage-ledger.model.ts';
import {
  decodePending,
  type HourOptions,
  LedgerYears,
  readDaySums,
  readPendingBytes,
  readUsageDays,
  type StoredDocument,
  type UsageModels,
} from './usage-ledger.ts';
import type { DayPointer } from './usage-year.model.ts';

export interface UsagePeriod {
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
}

/**
 * A read that is overtaken by a roll-up starts again; a scenario is rolled up about once a second.
 */
const maxReads = 20;
/**
 * Pending records that a read decodes, over all of its attempts: about 13,000 hours, more than a
 * roll-up merges. Bounds the time of a request, also beside a long series of roll-ups, each of
 * which would begin it again.
 */
const defaultMaxPendingBytes = 6 * 1024 * 1024;
/** Pending records with their levels take so many times the memory once they are decoded. */
const sizeWithLevels = 3;
/** These days are replaced most often, so they are read right after the ledger, and held. */
const heldDays = 31;

export interface UsageDeps {
  models: UsageModels;
  queues: Pick<Queues, 'roll-up-usage'>;
  /** Default: what a request may read. */
  maxPendingBytes?: number;
  /**
   * Whether hours have their counts by level, which `levelsOf` completes. All days must then be
   * read by hour, because sums have none. Default: false.
   */
  withLevels?: boolean;
}

/** The usage that is read, and where it is stored. */
interface Source extends HourOptions {
  readonly models: UsageModels;
  readonly scenarioId: string;
  readonly period: UsagePeriod;
}

/** A roll-up has changed what is being read. */
class OvertakenError extends Error {}

/**
 * Reads the hours with usage of a scenario, day by day: each day's hours as a list, all in
 * ascending order. The period is compared with the start of each hour.
 *
 * ```ts
 * const logs = await readUsage(deps, scenarioId, {}, async (days) => {
 *   let sum = 0n;
 *   for await (const hours of days) for (const { logs } of hours) sum += logs;
 *   return sum;
 * });
 * ```
 *
 * `consume` is called again, from the first day, when a roll-up overtakes the read: `days` then
 * throws, and `consume` must not catch this. So what it does must be repeatable; a file that it
 * writes is begun again. The hours must not be changed.
 *
 * Memory holds `daysPerQuery` and `heldDays` days as bytes and one of them decoded, or
 * `sumsPerQuery` sums; the list of the days in the period and the sums of its months, which are 5
 * and 2 MiB for the 47,482 days that timestamps can have; and the pending records, at most
 * `maxPendingBytes` and a reply of the database, and their sums. With levels, these are twice
 * `daysWithLevelsPerQuery` days, and a third of the pending records.
 * @throws AppError SERVICE_UNAVAILABLE if more is pending, before any of it is decoded, and then
 * for two seconds at once; or if roll-ups overtake the read again and again.
 */
export function readUsage<Result>(
  deps: UsageDeps,
  scenarioId: string,
  period: UsagePeriod,
  consume: (days: AsyncIterable<readonly HourUsage[]>) => Promise<Result>,
): Promise<Result> {
  return readUsageByDay(deps, scenarioId, period, (readDays) => consume(readDays(() => 'hours')));
}

/**
 * Like `readUsage`. `consume` determines which days it reads by hour, and where sums are enough,
 * which are faster.
 */
export async function readUsageByDay<Result>(
  { models, queues, maxPendingBytes = defaultMaxPendingBytes, withLevels = false }: UsageDeps,
  scenarioId: string,
  period: UsagePeriod,
  consume: (readDays: ReadDays) => Promise<Result>,
): Promise<Result> {
  const source: Source = { models, scenarioId, period, withLevels };
  const bytes = withLevels ? maxPendingBytes / sizeWithLevels : maxPendingBytes;
  requireNoBacklog(scenarioId, bytes);
  const budget: PendingBudget = { bytes };
  for (let reads = 0; reads < maxReads; reads += 1) {
    try {
      return await consume((detailOf) => readDays(source, detailOf, budget));
    } catch (error) {
      // The job of the roll-up may be lost. The next ingest would add one, but the scenario may
      // have none.
      if (error instanceof UsageBacklogError) {
        recordBacklog(scenarioId, bytes);
        const job = { scenarioId, requestId: randomUUID() };
        await queues['roll-up-usage'].add(job, oneRollUpOf(scenarioId));
      }
      if (!(error instanceof OvertakenError)) throw error;
    }
  }
  throw unavailable('The usage of the scenario changes too fast to be read.', 1);
}

/** The pending records that a read may still decode. */
interface PendingBudget {
  bytes: number;
}

/** @throws OvertakenError if the days are not those of one instant. */
async function* readDays(source: Source, detailOf: DetailOf, budget: PendingBudget): AsyncGenerator<UsageParts> {
  const { collection } = source.models.usageLedger;
  const ledger = await collection.findOne<UsageLedger>({ _id: source.scenarioId as never });
  const stored = readStoredUsage(source, ledger, detailOf);
  const reads = [readPendingAt(source, ledger, budget), stored.next()] as const;
  // If one of them fails, the other one does not go on beside the next attempt.
  await Promise.allSettled(reads);
  const [pending, first] = await Promise.all(reads);

  const pendingDays = pending.days();
  let next = 0;
  function* takeUpTo(end: number): Generator<HourUsage[]> {
    for (let day = pendingDays[next]; day !== undefined && day < end; day = pendingDays[next]) {
      next += 1;
      yield pending.takeDay(day);
    }
  }
  for (let step = first; !step.done; step = await stored.next()) {
    const { start, end, usage } = step.value;
    yield* takeUpTo(start);
    if ((pendingDays[next] ?? Infinity) >= end) yield usage;
    else if (usage.some(isSum)) {
      const sum = sumParts([...usage, ...[...takeUpTo(end)].flat()]);
      if (sum) yield [sum];
    } else {
      for (const hour of usage) pending.add(hour);
      yield* takeUpTo(end);
    }
  }
  yield* takeUpTo(Infinity);
}

/** The usage that is pending at the version of the ledger. */
async function readPendingAt(source: Source, ledger: UsageLedger | null, budget: PendingBudget): Promise<HourSums> {
  const pending = await readPending(source, ledger, budget);
  const { models, scenarioId } = source;
  const { collection } = models.usageLedger;
  const projection = { version: 1, rollUpIds: 1 } as const;
  const after = await collection.findOne<UsageLedger>({ _id: scenarioId as never }, { projection });
  // A record that was merged since may have been emptied before it was read. Years and days are
  // immutable.
  if (!isSameVersion(after, ledger)) throw new OvertakenError();
  return pending;
}

/** After a failover, another roll-up can set a version that an undone one had set before. */
const isSameVersion = (one: UsageLedger | null, other: UsageLedger | null) =>
  one?.version === other?.version && one?.rollUpIds?.at(-1) === other?.rollUpIds?.at(-1);

async function readPending(source: Source, ledger: UsageLedger | null, budget: PendingBudget): Promise<HourSums> {
  const { models, scenarioId, period } = source;
  const merged = new Set(ledger?.covered);
  const records: Uint8Array[] = [];
  for await (const bytes of readPendingBytes(models, scenarioId, source)) {
    if (merged.has(decodeId(bytes))) continue;
    budget.bytes -= bytes.length;
    if (budget.bytes < 0) throw new UsageBacklogError();
    records.push(bytes);
  }
  const sums = new HourSums();
  for (const bytes of records) {
    for (const hour of decodePending(bytes).hours) {
      if (isSliceOver()) await nextSlice();
      if (isWithin(hour, period)) sums.add(hour);
    }
  }
  return sums;
}

/**
 * The usage that the ledger lists within the period, ascending: usage of days, and sums of months.
 */
async function* readStoredUsage(
  source: Source,
  ledger: UsageLedger | null,
  detailOf: DetailOf,
): AsyncGenerator<StoredUsage> {
  const { models, period } = source;
  const { from, to } = period;
  const ledgerYears = new LedgerYears(models, ledger);
  const end = to?.getTime() ?? Infinity;
  const firstDay = from ? startOfUtcDay(from) : -Infinity;
  const firstYear = from ? startOfUtcYear(from.getTime()) : -Infinity;
  const years = ledgerYears.starts.filter((year) => year >= firstYear && year < end);
  const listed = expectFound(await ledgerYears.read(years));
  const days = listed.days.filter(({ day }) => day >= firstDay && day < end);
  const plan = new ReadingPlan({ ...listed, days }, period, detailOf, source);

  const held = new Map<number, StoredDocument<UsageParts>>();
  const heldSums = new Set<number>();
  const hold = async ({ pointers, byHour }: DayGroup) => {
    const missing = pointers.filter(({ day }) => !held.has(day) || (byHour && heldSums.has(day)));
    const found = await (byHour ? readHours(source, missing) : readSums(models, missing));
    for (const [index, { day }] of missing.entries()) {
      held.set(day, found[index] ?? (() => []));
      if (byHour) heldSums.delete(day);
      else heldSums.add(day);
    }
  };
  await Promise.all(plan.openingReads(heldDays).map(hold));
  for (let position = 0; position < days.length; ) {
    const step = plan.stepAt(position);
    position = step.next;
    if ('month' in step) yield step.month;
    else {
      await hold(step);
      // The database reads the next days while these are consumed. Without levels, sums are often
      // enough, which depends on these.
      const following = source.withLevels && position < days.length ? plan.stepAt(position) : undefined;
      const reading = following && !('month' in following) ? Promise.allSettled([hold(following)]) : undefined;
      try {
        for (const { day } of step.pointers) {
          yield { ...daySpan(day), usage: within(held.get(day)?.() ?? [], period) };
          held.delete(day);
        }
      } finally {
        // Also if the reader has enough: no query goes on after the read has ended.
        await reading;
      }
    }
  }
}

async function readHours(source: Source, pointers: readonly DayPointer[]): Promise<StoredDocument<UsageParts>[]> {
  const days = expectFound(await readUsageDays(source.models, pointers, source));
  return days.map((read) => () => read().hours);
}

async function readSums(models: UsageModels, pointers: readonly DayPointer[]): Promise<StoredDocument<UsageParts>[]> {
  const sums = expectFound(await readDaySums(models, pointers));
  return sums.map((sum) => () => [sum]);
}

const isSum = (part: HourUsage | UsageSum) => 'last' in part;

function expectFound<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new OvertakenError();
  return found;
}

function within(hours: UsageParts, period: UsagePeriod): UsageParts {
  return hours.every((hour) => isWithin(hour, period)) ? hours : hours.filter((hour) => isWithin(hour, period));
}

function isWithin({ hour }: HourUsage, { from, to }: UsagePeriod): boolean {
  return (!from || hour >= from) && (!to || hour < to);
}

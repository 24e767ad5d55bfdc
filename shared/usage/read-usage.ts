import { randomUUID } from 'node:crypto';
import type { Queues } from '../all-queues.ts';
import { day, hour, startOfUtcDay } from '../durations.ts';
import { AppError, unavailable } from '../errors.ts';
import { isSliceOver, nextSlice } from '../process/time-slices.ts';
import { toHourUsage, toUsageSum } from './hour-usage.ts';
import { daySpan, divides, epochPeriod, type Period } from './periods.ts';
import { oneRollUpOf } from './roll-up-usage.queue.ts';
import { dayOfHour, levelsIn, mergeCounters } from './stored-hour.ts';
import type { HourUsage, ReadDays, Span, UsageSum } from './usage.ts';
import { recordBacklog, requireNoBacklog, UsageBacklogError } from './usage-backlog.ts';
import {
  allIds,
  createUsageStore,
  dayId,
  hourId,
  type IdRange,
  type LevelOptions,
  type Stored,
  type Sums,
  type UsageModels,
  type UsageStore,
} from './usage-store.ts';

export type UsagePeriod = Period;

/**
 * Uncounted hours that a read merges, or levels of hours: more than a roll-up counts, so that less
 * is left while roll-ups run. Bounds the time of a request.
 */
const defaultMaxUncounted = 12_000;
/** Also of batches that no worker has processed: a minute of them is far less. */
const maxUncountedBatches = 50_000;
/** A read that a roll-up overtakes begins again. */
const maxReads = 3;
/** Most reads that are overtaken have not consumed any usage yet, so they cost little. */
const maxLooks = 20;
/** Hours that change most often, so they are read first, and held. */
const latestHours = 48;
const maxTouchedHours = 500;
/** A year. A sum takes about 500 bytes, with all models 5 KB. */
const daysPerRead = 400;

export interface UsageDeps {
  models: UsageModels;
  queues: Pick<Queues, 'roll-up-usage'>;
  /** Default: what a request may read. */
  maxUncounted?: number;
  /**
   * Whether hours have their counts by level. All days must then be read by hour, because sums have
   * none. Default: false.
   */
  withLevels?: boolean;
}

/** Accepted entries that are not part of the usage. */
export interface UnprocessedEntries {
  /** Entries that a worker is still to process. */
  pending: number;
  /** Entries whose last attempt of processing has failed. */
  failed: number;
}

/** A roll-up has changed the usage during a read. */
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
 * Memory holds two replies of the database, the sums of `daysPerRead` days, the hours that are read
 * first, and what is not counted yet, at most `maxUncounted` hours.
 * @throws AppError SERVICE_UNAVAILABLE if more is not counted, and then for two seconds at once; or
 * if roll-ups overtake the read again and again.
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
 * which are faster. It gets the entries that are not part of this usage as well.
 */
export async function readUsageByDay<Result>(
  { models, queues, maxUncounted = defaultMaxUncounted, withLevels = false }: UsageDeps,
  scenarioId: string,
  period: UsagePeriod,
  consume: (readDays: ReadDays, unprocessed: UnprocessedEntries) => Promise<Result>,
): Promise<Result> {
  requireNoBacklog(scenarioId, maxUncounted);
  try {
    const source = { store: createUsageStore(models, scenarioId), scenarioId, period, withLevels, maxUncounted };
    return await readConsistently(source, consume);
  } catch (error) {
    // The job of the roll-up may be lost. The next ingest would add one, but the scenario may have
    // none.
    if (error instanceof UsageBacklogError) {
      recordBacklog(scenarioId, maxUncounted);
      await queues['roll-up-usage'].add({ scenarioId, requestId: randomUUID() }, oneRollUpOf(scenarioId));
    }
    throw error;
  }
}

/** The usage that is read, and where it is stored. */
export interface UsageSource extends LevelOptions {
  readonly store: UsageStore;
  readonly scenarioId: string;
  readonly period: UsagePeriod;
  readonly maxUncounted: number;
}

export async function readConsistently<Result>(
  source: UsageSource,
  consume: (readDays: ReadDays, unprocessed: UnprocessedEntries) => Promise<Result>,
): Promise<Result> {
  let reads = 0;
  for (let looks = 0; looks < maxLooks && reads < maxReads; looks += 1) {
    try {
      const look = await lookAt(source);
      reads += 1;
      return await consume((detailOf) => readDays(source, look, detailOf), look.unprocessed);
    } catch (error) {
      if (!(error instanceof OvertakenError)) throw error;
    }
  }
  throw unavailable('The usage of the scenario changes too fast to be read.', 1);
}

/** Uncounted usage of an hour or a day: of batches of the plan, and of other batches. */
interface Additions {
  planned?: Partial<Sums['hours'] & Sums['days']>;
  unplanned?: Partial<Sums['hours'] & Sums['days']>;
}

/** The state when a read begins. It decides which versions of the sums are those of one instant. */
interface Look {
  /** The number of the last plan. */
  readonly seq: number;
  /** By the start of the hour or day, in epoch milliseconds. */
  readonly hours: ReadonlyMap<number, Additions>;
  readonly days: ReadonlyMap<number, Additions>;
  /** The sums of hours that a roll-up is most likely to change; null for one without a document. */
  readonly held: ReadonlyMap<number, Stored<Sums['hours']> | null>;
  readonly unprocessed: UnprocessedEntries;
}

/**
 * Reads the plan, then the batches, then sums. A stored batch that is read counts by its own usage.
 * A sum with a higher number than the plan may contain it too, or a batch that was stored later, so
 * such a sum ends the read. A batch of the plan counts by the sums that have the plan's number. A
 * batch that is not read is in its sums: it was marked as counted after all of them were written.
 */
async function lookAt(source: UsageSource): Promise<Look> {
  const { store, scenarioId, maxUncounted } = source;
  const plan = await store.readPlan();
  if (plan === null) throw new AppError('NOT_FOUND', `Scenario ${scenarioId} does not exist.`);
  const planned = new Set(plan.ids);
  const hours = new Map<number, Additions>();
  const days = new Map<number, Additions>();
  const unprocessed: UnprocessedEntries = { pending: 0, failed: 0 };
  let uncounted = 0;
  const seen = new Set<string>();
  for await (const batch of store.findUncounted(source)) {
    if (isSliceOver()) await nextSlice();
    // A change of its state can move a batch ahead of the cursor, which then reads it again.
    if (seen.has(batch._id)) continue;
    seen.add(batch._id);
    if (seen.size > maxUncountedBatches) throw new UsageBacklogError();
    if (batch.state === 'queued') unprocessed.pending += batch.count;
    else if (batch.state === 'failed') unprocessed.failed += batch.count;
    const kind = planned.has(batch._id) ? 'planned' : 'unplanned';
    for (const item of batch.usage ?? []) {
      uncounted += levelsIn(item);
      if (uncounted > maxUncounted) throw new UsageBacklogError();
      if (isSliceOver()) await nextSlice();
      if (!isWithin(item, source)) continue;
      addTo(hours, item.hour.getTime(), kind, item);
      addTo(days, startOfUtcDay(item.hour), kind, dayOfHour(item));
    }
  }
  const held = await holdHours(source, [...hours.keys()]);
  for (const sum of held.values()) requireCurrent(sum, plan.seq);
  return { seq: plan.seq, hours, days, held, unprocessed };
}

function addTo(sums: Map<number, Additions>, start: number, kind: keyof Additions, more: object): void {
  const additions = sums.get(start) ?? {};
  sums.set(start, additions);
  additions[kind] ??= {};
  mergeCounters(additions[kind], more);
}

/** Reads the hours that uncounted batches are in, and the latest ones. */
async function holdHours(source: UsageSource, touched: number[]): Promise<Map<number, Stored<Sums['hours']> | null>> {
  const { store, scenarioId } = source;
  const newest = touched.sort((a, b) => b - a).slice(0, maxTouchedHours);
  const held = new Map<number, Stored<Sums['hours']> | null>(newest.map((start) => [start, null]));
  const ids = newest.map((start) => hourId(scenarioId, start));
  for (const sum of ids.length > 0 ? await store.findSums('hours', ids, source) : []) held.set(sum.hour.getTime(), sum);
  const latest = { ...source, limit: latestHours, newest: true };
  for await (const sum of store.listSums('hours', rangeOf(source), latest)) {
    if (!held.has(sum.hour.getTime())) held.set(sum.hour.getTime(), sum);
  }
  return held;
}

/** The ids of the hours of the period. */
function rangeOf({ scenarioId, period }: UsageSource, span: Span = { start: -Infinity, end: Infinity }): IdRange {
  const { from, to } = epochPeriod(period);
  return { from: hourId(scenarioId, Math.max(from, span.start)), to: hourId(scenarioId, Math.min(to, span.end)) };
}

/** @throws OvertakenError if a later plan has changed a sum. */
function requireCurrent<Sum extends { seq: number }>(sum: Sum | null | undefined, seq: number): Sum | undefined {
  if (sum && sum.seq > seq) throw new OvertakenError();
  return sum ?? undefined;
}

/** The sum with the additions that it lacked when the read began. */
function complete<Counters extends object>(
  sum: Stored<Counters> | undefined,
  additions: Additions | undefined,
  seq: number,
): Counters | undefined {
  const { planned, unplanned } = additions ?? {};
  const isCounted = sum?.seq === seq;
  if (!unplanned && (isCounted || !planned)) return sum;
  // The additions are read again by the next call.
  const total = {} as Counters;
  if (sum) {
    const { _id, seq: _, ...counters } = sum;
    mergeCounters(total, counters);
  }
  if (planned && !isCounted) mergeCounters(total, planned);
  if (unplanned) mergeCounters(total, unplanned);
  return total;
}

type DetailOf = Parameters<ReadDays>[0];

async function* readDays(
  source: UsageSource,
  look: Look,
  detailOf: DetailOf,
): AsyncGenerator<readonly (HourUsage | UsageSum)[]> {
  const { scenarioId, period, store } = source;
  const { from, to } = epochPeriod(period);
  const isByHour = (start: number, first: Span) =>
    divides(period, daySpan(start)) || detailOf(daySpan(start), first) === 'hours';
  const uncounted = [...look.days.keys()].sort((a, b) => a - b);
  for (let next = startOfDay(from); next < to; ) {
    const stored = new Map<number, Stored<Sums['days']>>();
    const ids = { from: dayId(scenarioId, next), to: dayIdAfter(scenarioId, to) };
    for await (const sum of store.listSums('days', ids, { withLevels: false, limit: daysPerRead })) {
      stored.set(startOfUtcDay(sum.first), sum);
    }
    const isLast = stored.size < daysPerRead;
    const end = isLast ? Infinity : Math.max(...stored.keys()) + day;
    const added = uncounted.filter((start) => start >= next && start < end && !stored.has(start));
    const starts = [...stored.keys(), ...added].sort((a, b) => a - b);
    for (let at = 0; at < starts.length; ) {
      const start = starts[at] as number;
      const first = firstHourOf(start, stored.get(start), look.days.get(start));
      if (isByHour(start, first)) {
        const position = at;
        for (at += 1; at < starts.length && isByHour(starts[at] as number, first); at += 1);
        yield* readHours(source, look, starts.slice(position, at));
      } else {
        at += 1;
        if (isSliceOver()) await nextSlice();
        const sum = complete(requireCurrent(stored.get(start), look.seq), look.days.get(start), look.seq);
        if (sum) yield [toUsageSum(sum)];
      }
    }
    next = end;
  }
}

const startOfDay = (time: number) => (Number.isFinite(time) ? startOfUtcDay(new Date(time)) : time);

/** The day that contains the end of a period is part of it, unless it begins there. */
const dayIdAfter = (scenarioId: string, to: number) =>
  Number.isFinite(to) ? dayId(scenarioId, startOfDay(to - 1) + day) : allIds(scenarioId).to;

/** Where the entries of a day begin. */
function firstHourOf(start: number, sum: Sums['days'] | undefined, { planned, unplanned }: Additions = {}): Span {
  let first = start + day;
  for (const counters of [sum, planned, unplanned]) {
    if (counters?.first) first = Math.min(first, counters.first.getTime());
  }
  return { start: first, end: first + hour };
}

/** The hours of successive days, each day as a list. */
async function* readHours(source: UsageSource, look: Look, days: readonly number[]): AsyncGenerator<HourUsage[]> {
  const span = { start: days[0] as number, end: (days.at(-1) as number) + day };
  const uncounted = [...look.hours.keys()].filter((start) => start >= span.start && start < span.end);
  uncounted.sort((a, b) => a - b);
  let next = 0;
  let usage: HourUsage[] = [];
  const add = (start: number, sum: Stored<Sums['hours']> | undefined): HourUsage[] | undefined => {
    const total = complete(sum, look.hours.get(start), look.seq);
    const ofDay = total && startOfUtcDay(total.hour) !== (usage[0] && startOfUtcDay(usage[0].hour)) ? usage : undefined;
    if (ofDay) usage = [];
    if (total) usage.push(toHourUsage(total));
    return ofDay;
  };
  const addUpTo = function* (end: number): Generator<HourUsage[]> {
    for (let start = uncounted[next]; start !== undefined && start < end; start = uncounted[next]) {
      next += 1;
      const ofDay = add(start, look.held.get(start) ?? undefined);
      if (ofDay && ofDay.length > 0) yield ofDay;
    }
  };
  for await (const read of source.store.listSums('hours', rangeOf(source, span), source)) {
    if (isSliceOver()) await nextSlice();
    const start = read.hour.getTime();
    yield* addUpTo(start);
    if (uncounted[next] === start) next += 1;
    const held = look.held.get(start);
    const sum = held === undefined ? requireCurrent(read, look.seq) : (held ?? undefined);
    const ofDay = add(start, sum);
    if (ofDay && ofDay.length > 0) yield ofDay;
  }
  yield* addUpTo(span.end);
  if (usage.length > 0) yield usage;
}

function isWithin({ hour: start }: { hour: Date }, { period: { from, to } }: UsageSource): boolean {
  return (!from || start >= from) && (!to || start < to);
}

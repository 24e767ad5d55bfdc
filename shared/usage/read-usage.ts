import { randomUUID } from 'node:crypto';
import type { Queues } from '../all-queues.ts';
import { day, hour, startOfUtcDay } from '../durations.ts';
import { AppError, unavailable } from '../errors.ts';
import { isSliceOver, nextSlice } from '../process/time-slices.ts';
import { daySpan, divides, epochPeriod, type Period, type Span } from './periods.ts';
import { oneRollUpOf } from './roll-up-usage.queue.ts';
import { BatchSums, type HourCounters, levelsIn, mergeCounters, type Sums, type UsagePart } from './stored-hour.ts';
import type { Stored } from './usage.model.ts';
import { createUsageStore, type LevelOptions, sumId, type UsageModels, type UsageStore } from './usage-store.ts';

/** Bounds the time of a request, in levels of hours: more than a roll-up counts. */
const defaultMaxUncounted = 12_000;
/** Also of batches that no worker has processed: a minute of them is far less. */
const maxUncountedBatches = 50_000;
/** A read that a roll-up overtakes begins again. */
const maxReads = 5;
/** The latest hours with uncounted batches, which a roll-up changes next. */
const maxReadFirst = 500;

export interface UsageDeps {
  models: UsageModels;
  queues: Pick<Queues, 'roll-up-usage'>;
  /** Default: what a request may read. */
  maxUncounted?: number;
  /** Whether hours have levels. All days must then be read by hour. Default: false. */
  withLevels?: boolean;
}

/** Accepted entries that are not part of the usage. */
export interface UnprocessedEntries {
  /** Entries that a worker is still to process. */
  pending: number;
  /** Entries whose last attempt of processing has failed. */
  failed: number;
}

/** How usage is read: by hour, or as one sum of a day or a month. */
type Detail = 'hours' | 'day' | 'month';

/**
 * Reads usage in order: the hours of each day, or sums of days and months.
 * @param detailOf determines for a UTC day, or for a month before its days, how much must be summed
 * at the most. It is called for spans that are read together. The first entries that follow what
 * was read before are within `first`, or later.
 */
export type ReadDays = (detailOf: (span: Span, first: Span) => Detail) => AsyncIterable<readonly UsagePart[]>;

/** A roll-up has changed the usage during a read. */
class OvertakenError extends Error {}

/** More usage is uncounted than a read merges. */
class UncountedError extends AppError {
  constructor() {
    const headers = { 'Retry-After': '2' };
    super('SERVICE_UNAVAILABLE', 'The latest usage of the scenario is still being counted.', { headers });
  }
}

/**
 * Reads the usage of a scenario. `consume` determines which days it reads by hour, each as a list,
 * and where sums are enough, which are faster. The period is compared with the start of each hour.
 * It gets the entries that are not part of this usage as well.
 *
 * ```ts
 * await readUsage(deps, scenarioId, {}, async (readDays) => {
 *   for await (const parts of readDays(() => 'day'))
 *     for (const { logs } of parts) add(logs);
 * });
 * ```
 *
 * `consume` is called again, from the first day, when a roll-up overtakes the read: the days then
 * throw, and `consume` must not catch this. So what it does must be repeatable; a file that it
 * writes is begun again. The usage must not be changed.
 *
 * Memory holds two replies of the database, the hours that are read first, and what is not counted
 * yet, at most `maxUncounted` hours.
 * @throws AppError SERVICE_UNAVAILABLE if more is not counted, or if roll-ups overtake the read
 * again and again; NOT_FOUND.
 */
export async function readUsage<Result>(
  { models, queues, maxUncounted = defaultMaxUncounted, withLevels = false }: UsageDeps,
  scenarioId: string,
  period: Period,
  consume: (readDays: ReadDays, unprocessed: UnprocessedEntries) => Promise<Result>,
): Promise<Result> {
  try {
    const source = { store: createUsageStore(models, scenarioId), scenarioId, period, withLevels, maxUncounted };
    return await readConsistently(source, consume);
  } catch (error) {
    // The job of the roll-up may be lost. The next ingest would add one, but the scenario may have
    // none.
    if (error instanceof UncountedError) {
      await queues['roll-up-usage'].add({ scenarioId, requestId: randomUUID() }, oneRollUpOf(scenarioId));
    }
    throw error;
  }
}

/** The usage that is read, and where it is stored. */
export interface UsageSource extends LevelOptions {
  readonly store: UsageStore;
  readonly scenarioId: string;
  readonly period: Period;
  readonly maxUncounted: number;
}

export async function readConsistently<Result>(
  source: UsageSource,
  consume: (readDays: ReadDays, unprocessed: UnprocessedEntries) => Promise<Result>,
): Promise<Result> {
  for (let reads = 0; reads < maxReads; reads += 1) {
    try {
      const read = new UsageRead(source);
      await read.begin();
      return await consume((detailOf) => read.days(detailOf), read.unprocessed);
    } catch (error) {
      if (!(error instanceof OvertakenError)) throw error;
    }
  }
  throw unavailable('The usage of the scenario changes too fast to be read.', 1);
}

/** A stored sum, or the start of one that only uncounted batches have. */
type Found<Kind extends keyof Sums> = readonly [start: number, sum: Stored<Sums[Kind]> | undefined];

/**
 * Reads the plan, then the batches, then sums. A stored batch that is read counts by its own usage.
 * A sum with a higher number than the plan may contain it too, or a batch that was stored later, so
 * such a sum ends the read. A batch of the plan counts by the sums that have the plan's number. A
 * batch that is not read is in its sums: it was marked as counted after all of them were written.
 */
class UsageRead {
  readonly unprocessed: UnprocessedEntries = { pending: 0, failed: 0 };
  readonly #source: UsageSource;
  /** The number of the last plan when the read begins. */
  #seq = 0;
  /** The usage of uncounted batches: of those of the plan, and of the others. */
  readonly #planned = new BatchSums();
  readonly #unplanned = new BatchSums();
  /** The sums of hours that the next roll-up changes. */
  readonly #readFirst = new Map<number, Stored<Sums['hours']>>();

  constructor(source: UsageSource) {
    this.#source = source;
  }

  async begin(): Promise<void> {
    const { store, scenarioId, maxUncounted } = this.#source;
    const plan = await store.readPlan();
    if (plan === null) throw new AppError('NOT_FOUND', `Scenario ${scenarioId} does not exist.`);
    this.#seq = plan.seq;
    const ofPlan = new Set(plan.ids);
    let uncounted = 0;
    const seen = new Set<string>();
    for await (const batch of store.findUncounted(this.#source)) {
      if (isSliceOver()) await nextSlice();
      // A change of its state can move a batch ahead of the cursor, which then reads it again.
      if (seen.has(batch._id)) continue;
      seen.add(batch._id);
      if (seen.size > maxUncountedBatches) throw new UncountedError();
      if (batch.state === 'queued') this.unprocessed.pending += batch.count;
      else if (batch.state === 'failed') this.unprocessed.failed += batch.count;
      const sums = ofPlan.has(batch._id) ? this.#planned : this.#unplanned;
      for (const item of batch.usage ?? []) {
        uncounted += levelsIn(item);
        if (uncounted > maxUncounted) throw new UncountedError();
        if (isSliceOver()) await nextSlice();
        if (this.#isWithin(item)) sums.add(item);
      }
    }
    const ids = this.#starts('hours')
      .slice(-maxReadFirst)
      .map((start) => sumId('hours', scenarioId, start));
    if (ids.length === 0) return;
    for await (const sum of store.findSums('hours', ids, this.#source)) {
      this.#requireCurrent(sum);
      this.#readFirst.set(sum.hour.getTime(), sum);
    }
  }

  async *days(detailOf: Parameters<ReadDays>[0]): AsyncGenerator<readonly UsagePart[]> {
    const { period } = this.#source;
    const { from, to } = epochPeriod(period);
    const isByHour = (start: number, first: Span) =>
      divides(period, daySpan(start)) || detailOf(daySpan(start), first) === 'hours';
    /** Successive days that are read by hour, and where their entries begin. */
    let byHour: { days: Span; first: Span } | undefined;
    // The days that the period begins and ends in are part of it.
    const days = { start: startOfDay(from), end: startOfDay(to - 1) + day };
    for await (const found of this.#list('days', days)) {
      if (isSliceOver()) await nextSlice();
      const [start] = found;
      if (byHour && isByHour(start, byHour.first)) {
        byHour.days.end = start + day;
        continue;
      }
      if (byHour) yield* this.#hours(byHour.days);
      byHour = undefined;
      const first = this.#firstHourOf(found);
      if (isByHour(start, first)) byHour = { days: daySpan(start), first };
      else yield [this.#complete('days', found)];
    }
    if (byHour) yield* this.#hours(byHour.days);
  }

  /** The hours of successive days, each day as a list. */
  async *#hours(days: Span): AsyncGenerator<HourCounters[]> {
    const { from, to } = epochPeriod(this.#source.period);
    const span = { start: Math.max(from, days.start), end: Math.min(to, days.end) };
    let usage: HourCounters[] = [];
    let endOfDay = -Infinity;
    for await (const [start, sum] of this.#list('hours', span)) {
      if (isSliceOver()) await nextSlice();
      if (start >= endOfDay) {
        if (usage.length > 0) yield usage;
        usage = [];
        endOfDay = startOfDay(start) + day;
      }
      usage.push(this.#complete('hours', [start, this.#readFirst.get(start) ?? sum]));
    }
    if (usage.length > 0) yield usage;
  }

  /** Lists the sums of a span in order of time, with those that only uncounted batches have. */
  async *#list<Kind extends keyof Sums>(kind: Kind, { start: from, end: to }: Span): AsyncGenerator<Found<Kind>> {
    const { store, scenarioId, withLevels } = this.#source;
    const uncounted = this.#starts(kind).filter((start) => start >= from && start < to);
    let next = 0;
    const ids = { from: sumId(kind, scenarioId, from), to: sumId(kind, scenarioId, to) };
    for await (const sum of store.listSums(kind, ids, { withLevels: withLevels && kind === 'hours' })) {
      const start = 'hour' in sum ? sum.hour.getTime() : startOfUtcDay(sum.first);
      for (; (uncounted[next] ?? to) < start; next += 1) yield [uncounted[next] as number, undefined];
      if (uncounted[next] === start) next += 1;
      yield [start, sum];
    }
    for (; next < uncounted.length; next += 1) yield [uncounted[next] as number, undefined];
  }

  /** The sum with the additions that it lacked when the read began. @throws OvertakenError */
  #complete<Kind extends keyof Sums>(kind: Kind, [start, sum]: Found<Kind>): Sums[Kind] {
    if (sum) this.#requireCurrent(sum);
    const planned = sum?.seq === this.#seq ? undefined : this.#planned[kind].get(start);
    const unplanned = this.#unplanned[kind].get(start);
    if (sum && !planned && !unplanned) return sum;
    // The additions are read again by the next call.
    const total = {} as Sums[Kind];
    if (sum) {
      const { _id, seq: _, ...counters } = sum;
      mergeCounters(total, counters);
    }
    if (planned) mergeCounters(total, planned);
    if (unplanned) mergeCounters(total, unplanned);
    return total;
  }

  /** Where the sums of uncounted batches begin, in order of time. */
  #starts(kind: keyof Sums): number[] {
    return [...new Set([...this.#planned[kind].keys(), ...this.#unplanned[kind].keys()])].sort((a, b) => a - b);
  }

  /** Where the entries of a day begin. */
  #firstHourOf([start, sum]: Found<'days'>): Span {
    const parts = [sum, this.#planned.days.get(start), this.#unplanned.days.get(start)];
    const first = Math.min(start + day, ...parts.map((counters) => counters?.first.getTime() ?? Infinity));
    return { start: first, end: first + hour };
  }

  #isWithin({ hour: start }: { hour: Date }): boolean {
    const { from, to } = this.#source.period;
    return (!from || start >= from) && (!to || start < to);
  }

  /** @throws OvertakenError if a later plan has changed the sum. */
  #requireCurrent({ seq }: { seq: number }): void {
    if (seq > this.#seq) throw new OvertakenError();
  }
}

const startOfDay = (time: number) => (Number.isFinite(time) ? startOfUtcDay(new Date(time)) : time);

/**
 * Reads a text that is another one after every change of a scenario's usage, or of the batches that
 * are not part of it. Between two roll-ups, uncounted batches only become more, those of all states
 * and the stored ones. So no text returns, as long as all are counted before the stored ones.
 * @returns undefined during a roll-up, and for a deleted scenario.
 */
export async function readUsageVersion(
  store: Pick<UsageStore, 'readPlan' | 'countUncounted'>,
): Promise<string | undefined> {
  const before = await store.readPlan();
  if (!before || before.open) return undefined;
  const all = await store.countUncounted();
  const [stored, failed] = await Promise.all([
    store.countUncounted({ state: 'stored' }),
    store.countUncounted({ state: 'failed' }),
  ]);
  const after = await store.readPlan();
  if (!after || after.open || after.seq !== before.seq) return undefined;
  return [before.seq, all, stored, failed].join();
}

// Usage counters as they are priced: exact integers in lists. `stored-hour.ts` has the counters as
// MongoDB stores them. Costs are computed from counters on request, so that a scenario can be
// priced again without its logs.
import { hour as hourMs } from '../durations.ts';
import type { PiiType } from '../pii/pii-kind.ts';
import { type Architecture, architectures, type QueueType, queueTypes } from '../scenarios/assumptions.ts';
import type { LevelClass } from '../scenarios/pipeline.ts';
import type { ActiveSeconds } from './active-seconds.ts';
import type {
  FunctionCounters,
  LevelModelCounters,
  LevelTotals,
  ModelCounters,
  UnpricedCounters,
} from './stored-hour.ts';

interface PiiCount {
  type: PiiType;
  /** Findings, not entries. */
  count: bigint;
}

export interface QueueCount {
  type: QueueType;
  requests: bigint;
  /** Requests of polls that returned no message. Only usage of a pipeline has them. */
  emptyReceives?: bigint;
}

export type FunctionCount = { architecture: Architecture } & Required<FunctionCounters<bigint>>;

export interface InferenceCount extends ModelCounters<bigint> {
  model: string;
  estimatedEntries: bigint;
  /** Model calls. Only usage of a pipeline has them. */
  calls?: bigint;
}

interface LevelInferenceCount extends LevelModelCounters<bigint> {
  model: string;
  entriesWithoutOutput: bigint;
}

/** The counters of one hour and one class of levels, from which a pipeline is derived. */
export interface LevelCount extends LevelTotals<bigint> {
  level: LevelClass;
  functions: Pick<FunctionCount, 'architecture' | 'mbMs'>[];
  inference: LevelInferenceCount[];
  seconds: ActiveSeconds;
}

/** Calls of a model that the price book does not have. */
type UnpricedCount = { name: string } & UnpricedCounters<bigint>;

/** Entries that were not counted as their senders may have meant. Absent: none. */
export interface EntryRemarks {
  /** Entries that count at their arrival. */
  untimed?: bigint;
  /** Entries with a usage that is not understood. */
  usageUnread?: bigint;
  unpriced?: UnpricedCount[];
}

export interface UsageCounters extends EntryRemarks {
  logs: bigint;
  sizeBytes: bigint;
  /** Entries with at least one finding of personal data. */
  piiLogs: bigint;
  pii: PiiCount[];
  queues: QueueCount[];
  functions: FunctionCount[];
  inference: InferenceCount[];
}

export interface HourUsage extends UsageCounters {
  /** The start of the UTC hour. */
  hour: Date;
  /**
   * The same entries by the class of their levels, in the order of `levelClasses`. Sums of days and
   * months have no levels.
   */
  levels?: LevelCount[];
  /** With levels: the seconds of entries with a time of their own. */
  timedSeconds?: ActiveSeconds;
}

/** The usage of a UTC day or month in one record. */
export interface UsageSum extends HourUsage {
  /** `hour` is the first hour with entries, this is the last one. */
  last: Date;
}

export function lastHourOf(part: HourUsage | UsageSum): Date {
  return 'last' in part ? part.last : part.hour;
}

/** Hours without entries have usage where a pipeline polls. */
export function hasUsage({ logs, queues }: UsageCounters): boolean {
  return logs > 0n || queues.length > 0;
}

/** A time in epoch milliseconds: `start` is inclusive, `end` exclusive. */
export interface Span {
  start: number;
  end: number;
}

/** How usage is read: by hour, or as one sum of a day or a month. */
export type Detail = 'hours' | 'day' | 'month';

/**
 * Reads usage in order: the hours of each day, or sums of days and months.
 * @param detailOf determines for a UTC day, or for a month before its days, how much must be summed
 * at the most. It is called for spans that are read together. The first entries that follow what
 * was read before are within `first`, or later.
 */
export type ReadDays = (
  detailOf: (span: Span, first: Span) => Detail,
) => AsyncIterable<readonly (HourUsage | UsageSum)[]>;

export function emptyUsage(): UsageCounters {
  return { logs: 0n, sizeBytes: 0n, piiLogs: 0n, pii: [], queues: [], functions: [], inference: [] };
}

/** The start of the UTC hour of an instant, both in epoch milliseconds. */
export function startOfHour(epochMs: number): number {
  return Math.floor(epochMs / hourMs) * hourMs;
}

/** The sum of all records. */
export function sumUsage(records: Iterable<UsageCounters>): UsageCounters {
  const sum = emptyUsage();
  for (const record of records) addUsage(sum, record);
  sortLists(sum);
  return sum;
}

/** Adds `more` to `into` in place; its lists stay unsorted. */
export function addUsage(into: UsageCounters, more: UsageCounters): void {
  into.logs += more.logs;
  into.sizeBytes += more.sizeBytes;
  into.piiLogs += more.piiLogs;
  into.pii = addRows(into.pii, more.pii, 'type');
  into.queues = addRows(into.queues, more.queues, 'type');
  into.functions = addRows(into.functions, more.functions, 'architecture');
  into.inference = addRows(into.inference, more.inference, 'model');
  if (more.untimed) into.untimed = (into.untimed ?? 0n) + more.untimed;
  if (more.usageUnread) into.usageUnread = (into.usageUnread ?? 0n) + more.usageUnread;
  if (more.unpriced) into.unpriced = addRows(into.unpriced ?? [], more.unpriced, 'name');
}

/** Puts the lists into their fixed order. */
export function sortLists(usage: UsageCounters): void {
  usage.pii.sort((a, b) => compare(a.type, b.type));
  usage.queues.sort((a, b) => queueTypes.indexOf(a.type) - queueTypes.indexOf(b.type));
  usage.functions.sort((a, b) => architectures.indexOf(a.architecture) - architectures.indexOf(b.architecture));
  usage.inference.sort((a, b) => compare(a.model, b.model));
}

/**
 * Adds rows to those with the same key, in place. @returns the list, or a new one in place of an
 * empty one.
 */
export function addRows<Row extends object>(
  into: Row[],
  more: readonly Row[],
  key: keyof Row,
  add: (sum: Row, row: Row) => void = addCounts,
): Row[] {
  // A copy is as long as its rows; an empty list that is added to has a capacity of 17.
  if (into.length === 0) return more.map((row) => ({ ...row }));
  for (const row of more) {
    const same = findRow(into, key, row[key]);
    if (same === undefined) into.push({ ...row });
    else add(same, row);
  }
  return into;
}

/** Adds the counts of a row, also those that the sum has not yet. */
function addCounts(sum: object, row: object): void {
  const sums = sum as Record<string, unknown>;
  const counts = row as Record<string, unknown>;
  for (const name in counts) {
    const count = counts[name];
    if (typeof count === 'bigint') sums[name] = ((sums[name] as bigint | undefined) ?? 0n) + count;
  }
}

/** A loop, because `find` would need a function for every row. */
export function findRow<Row, Key extends keyof Row>(rows: readonly Row[], key: Key, value: Row[Key]): Row | undefined {
  for (const row of rows) if (row[key] === value) return row;
  return undefined;
}

/** The order of texts by their code units. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

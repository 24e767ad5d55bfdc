// Usage counters as they are priced: exact integers in lists. `stored-hour.ts` has the counters as
// MongoDB stores them. Costs are computed from counters on request, so that a scenario can be
// priced again without its logs.
import { hour as hourMs } from '../durations.ts';
import { type PiiType, piiTypes } from '../pii/pii-kind.ts';
import { type Architecture, architectures, type QueueType, queueTypes } from '../scenarios/assumptions.ts';
import { type LevelClass, levelClasses } from '../scenarios/pipeline.ts';
import {
  type ActiveSeconds,
  type Count,
  type DayCounters,
  type FunctionCounters,
  type HourCounters,
  type LevelCounters,
  type LevelModelCounters,
  type LevelTotals,
  type ModelCounters,
  modelOfField,
  readSeconds,
  type UnpricedCounters,
  type UsageTotals,
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
function findRow<Row, Key extends keyof Row>(rows: readonly Row[], key: Key, value: Row[Key]): Row | undefined {
  for (const row of rows) if (row[key] === value) return row;
  return undefined;
}

/** The order of texts by their code units. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

// From the stored form to lists, with loops: a year has thousands of hours, and spreads take twice
// as long.

/** With levels, if the hour was read with them. */
export function toHourUsage(stored: HourCounters): HourUsage {
  const usage = { hour: stored.hour, ...toCounters(stored) };
  const { levels, timedSeconds } = stored;
  if (!levels) return usage;
  return {
    ...usage,
    levels: rowsOf(levelClasses, levels, toLevel),
    ...(timedSeconds && { timedSeconds: readSeconds(timedSeconds) }),
  };
}

export function toUsageSum(stored: DayCounters): UsageSum {
  return { hour: stored.first, last: stored.last, ...toCounters(stored) };
}

function toCounters(stored: UsageTotals): UsageCounters {
  const { logs, sizeBytes, piiLogs, pii, queues, functions, inference, untimed, usageUnread, unpriced } = stored;
  const counters: UsageCounters = {
    logs: BigInt(logs),
    sizeBytes: BigInt(sizeBytes),
    piiLogs: BigInt(piiLogs ?? 0),
    pii: pii ? rowsOf(piiTypes, pii, (type, count) => ({ type, count: BigInt(count) })) : [],
    queues: rowsOf(queueTypes, queues, (type, requests) => ({ type, requests: BigInt(requests) })),
    functions: rowsOf(architectures, functions, (architecture, counts) =>
      exactCounts({ architecture, otherMemoryInvocations: 0n }, counts),
    ),
    inference: byModel(inference, (model, counts) => exactCounts({ model, estimatedEntries: 0n }, counts)),
  };
  if (untimed !== undefined) counters.untimed = BigInt(untimed);
  if (usageUnread !== undefined) counters.usageUnread = BigInt(usageUnread);
  if (unpriced) {
    counters.unpriced = Object.entries(unpriced).map(([field, counts]) =>
      exactCounts({ name: modelOfField(field) }, counts),
    );
  }
  return counters;
}

function toLevel(level: LevelClass, stored: LevelCounters): LevelCount {
  return {
    level,
    entries: BigInt(stored.entries),
    sizeBytes: BigInt(stored.sizeBytes),
    chunks: BigInt(stored.chunks),
    functions: rowsOf(architectures, stored.functions, (architecture, mbMs) => ({ architecture, mbMs: BigInt(mbMs) })),
    inference: byModel(stored.inference, (model, counts) => exactCounts({ model, entriesWithoutOutput: 0n }, counts)),
    seconds: readSeconds(stored.seconds),
  };
}

/** Adds counts to a row of a name, which has those that must not be absent. */
function exactCounts<Row extends object, Counts extends object>(row: Row, counts: Counts): Row & Exact<Counts> {
  const exact = row as Record<string, unknown>;
  for (const name in counts) exact[name] = BigInt(counts[name] as Count);
  return row as Row & Exact<Counts>;
}

type Exact<Counts> = { [Name in keyof Counts]: bigint };

/** A row for each of the names that is counted, in their order. */
function rowsOf<Name extends string, Stored, Row>(
  names: readonly Name[],
  counted: Readonly<Record<string, Stored>>,
  toRow: (name: Name, stored: Stored) => Row,
): Row[] {
  const rows: Row[] = [];
  for (const name of names) {
    const stored = counted[name];
    if (stored !== undefined) rows.push(toRow(name, stored));
  }
  return rows;
}

function byModel<Stored, Row extends { model: string }>(
  counted: Readonly<Record<string, Stored>>,
  toRow: (model: string, stored: Stored) => Row,
): Row[] {
  const rows: Row[] = [];
  for (const field in counted) rows.push(toRow(modelOf(field), counted[field] as Stored));
  return rows.length > 1 ? rows.sort((a, b) => compare(a.model, b.model)) : rows;
}

/** The models of fields that were read last: few occur in a year. */
const models = new Map<string, string>();
const maxModels = 1_000;

function modelOf(field: string): string {
  let model = models.get(field);
  if (model === undefined) {
    if (models.size === maxModels) models.clear();
    model = modelOfField(field);
    models.set(field, model);
  }
  return model;
}

// The usage of an hour as it is stored, summed and priced: names and numbers, which a person reads
// in a shell. A number that is absent is 0, so new counters need no new form. Costs are computed
// from counters on request, so that a scenario can be priced again without its logs.
import { startOfUtcDay } from '../durations.ts';

/** An exact integer: a number up to 2^53, and above it a bigint, stored as a 64-bit integer. */
export type Count = number | bigint;

/** Seconds with an entry: 450 bytes, a bit for each, the lowest first; of few, their numbers. */
type SecondsOfHour = Uint8Array | readonly number[];

// Each is also the type of counters that are tallied, as numbers, and of those that are derived.

export interface FunctionCounters<Integer = Count> {
  invocations: Integer;
  /** Σ memory in MB × billed milliseconds. */
  mbMs: Integer;
  /** Invocations whose memory size is not that of the scenario. */
  otherMemoryInvocations?: Integer;
}

/** Tokens from a cache; those that are cached for the model's ordinary time, and for an hour. */
export const cacheCounters = ['cacheReadTokens', 'cacheWriteTokens', 'cacheWrite1hTokens'] as const;

export type CacheTokens<Integer = number> = Record<(typeof cacheCounters)[number], Integer>;

/** The tokens of a model, in an hour and in each of its levels. */
export interface ModelTokens<Integer = Count> extends Partial<CacheTokens<Integer>> {
  inputTokens: Integer;
  /** Tokens that entries reported. */
  outputTokens: Integer;
  /** Entries that reported no output tokens, to which the scenario's assumption applies. */
  entriesWithoutOutput?: Integer;
}

export interface ModelCounters<Integer = Count> extends ModelTokens<Integer> {
  /** Entries whose input tokens were counted from the message. */
  estimatedEntries?: Integer;
  /** Model calls. Only usage of a pipeline has them. */
  calls?: Integer;
}

export interface LevelModelCounters<Integer = Count> extends ModelTokens<Integer> {
  entries: Integer;
}

/** The sums of the entries of a level. */
export interface LevelCounters<Integer = Count> {
  entries: Integer;
  sizeBytes: Integer;
  /** Chunks of 64 KiB of the entries' messages, at least one an entry. */
  chunks: Integer;
  /** MB·ms by architecture. */
  functions: Record<string, Integer>;
  /** By `fieldOfModel`. */
  inference: Record<string, LevelModelCounters<Integer>>;
  seconds: SecondsOfHour;
}

export interface UnpricedCounters<Integer = Count> {
  calls: Integer;
  inputTokens: Integer;
  outputTokens: Integer;
}

/** The counters that hours, days and batches have in common. */
export interface UsageTotals<Integer = Count> {
  logs: Integer;
  sizeBytes: Integer;
  /** Entries with at least one finding of personal data. */
  piiLogs?: Integer;
  /** Findings by type. */
  pii?: Record<string, Integer>;
  /** Requests by type of queue. */
  queues: Record<string, Integer>;
  /** Requests of polls that returned no message. Only usage of a pipeline has them. */
  emptyReceives?: Integer;
  /** By architecture. */
  functions: Record<string, FunctionCounters<Integer>>;
  /** By `fieldOfModel`. */
  inference: Record<string, ModelCounters<Integer>>;
  /** Entries without a time of their own, which count at their arrival. */
  untimed?: Integer;
  /** Entries with a usage that was not understood. */
  usageUnread?: Integer;
  /** Names of models without a price: at most 20, then `other`. */
  unpriced?: Record<string, UnpricedCounters<Integer>>;
}

/** The usage of an hour, or of one batch in it. */
export interface HourCounters<Integer = Count> extends UsageTotals<Integer> {
  /** The start of the UTC hour. */
  hour: Date;
  /** The same entries by the class of their level. */
  levels?: Record<string, LevelCounters<Integer>>;
  /** The seconds of entries with a time of their own, of all levels. */
  timedSeconds?: SecondsOfHour;
}

/** The sum of a UTC day, or of a month. */
export interface DayCounters extends UsageTotals {
  /** The first and the last hour with entries. */
  first: Date;
  last: Date;
}

/** The usage of an hour, or a sum in place of its hours. */
export type UsagePart = HourCounters | DayCounters;

export const firstHourOf = (part: UsagePart): Date => ('hour' in part ? part.hour : part.first);
export const lastHourOf = (part: UsagePart): Date => ('hour' in part ? part.hour : part.last);

export const emptyUsage = (): UsageTotals => ({ logs: 0, sizeBytes: 0, queues: {}, functions: {}, inference: {} });

/** Hours without entries have usage where a pipeline polls. */
export const hasUsage = ({ logs, queues }: UsageTotals): boolean => logs > 0 || Object.keys(queues).length > 0;

/** The usage of a batch, an item for each hour. */
export type BatchUsage = HourCounters[];

/** The sums of a scenario: by hour, and by day. */
export interface Sums {
  hours: HourCounters;
  days: DayCounters;
}

/** The part of an hour that a day has. */
export function dayOfHour(ofHour: HourCounters): DayCounters {
  const { hour, levels: _levels, timedSeconds: _seconds, ...totals } = ofHour;
  return { first: hour, last: hour, ...totals };
}

/** The usage of several batches by hour and by day, each by its start in epoch milliseconds. */
export class BatchSums {
  readonly hours = new Map<number, HourCounters>();
  readonly days = new Map<number, DayCounters>();

  add(item: HourCounters): void {
    addTo(this.hours, item.hour.getTime(), item);
    addTo(this.days, startOfUtcDay(item.hour), dayOfHour(item));
  }
}

function addTo<Counters extends object>(sums: Map<number, Counters>, start: number, more: Counters): void {
  const sum = sums.get(start) ?? ({} as Counters);
  sums.set(start, sum);
  mergeCounters(sum, more);
}

/** The levels of an hour, which take most of its memory. */
export const levelsIn = ({ levels }: HourCounters): number => Math.max(1, Object.keys(levels ?? {}).length);

/**
 * The name of the field with the counters of a model. MongoDB reads a dot as a path and `$` as an
 * operator; `_` begins names of JavaScript; a blank separates the model from its profile.
 */
export function fieldOfModel(model: string): string {
  return model.replace(unsafe, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

// oxlint-disable-next-line no-control-regex -- NUL ends a name in BSON.
const unsafe = /[%.$ \0]|^_/g;

export function modelOfField(field: string): string {
  if (!field.includes('%')) return field;
  return field.replace(/%([\da-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

export const maxUnpriced = 20;
export const otherUnpriced = 'other';

/** Counters by name. */
interface Counters {
  [name: string]: Value | undefined;
}
type Value = Counters | Count | Date | SecondsOfHour;

/**
 * Adds `more` to `into` in place, and leaves `more` as it is: numbers are added, seconds united,
 * `last` is the later date, every other date the earlier one. So the result does not depend on the
 * order or the grouping of the merges.
 */
export function mergeCounters(into: object, more: object): void {
  const sums = into as Counters;
  const added = more as Counters;
  for (const name in added) {
    const value = added[name];
    // A name of a model can be that of an inherited property.
    if (value !== undefined) sums[name] = merged(name, Object.hasOwn(sums, name) ? sums[name] : undefined, value);
  }
}

const totals = [
  'logs',
  'sizeBytes',
  'piiLogs',
  'pii',
  'queues',
  'emptyReceives',
  'functions',
  'inference',
  'untimed',
  'usageUnread',
  'unpriced',
] as const satisfies readonly (keyof UsageTotals)[];

/** Adds the totals, not levels and seconds, in place. Names without a price are not capped. */
export function addUsage(into: UsageTotals, more: UsageTotals): void {
  const sums = into as object as Counters;
  const added = more as object as Counters;
  for (const name of totals) {
    const value = added[name];
    // By its name, the number of models without a price would be limited.
    if (value !== undefined) sums[name] = merged('', sums[name], value);
  }
}

function merged(name: string, sum: Value | undefined, value: Value): Value {
  if (typeof value === 'number' || typeof value === 'bigint') return addCounts((sum as Count | undefined) ?? 0, value);
  if (value instanceof Date) return laterOrEarlier(name, sum as Date | undefined, value);
  if (isSeconds(value)) return uniteSeconds(sum as SecondsOfHour | undefined, value);
  const counters = (sum as Counters | undefined) ?? {};
  mergeCounters(counters, name === 'unpriced' ? capNames(counters, value) : value);
  return counters;
}

const isSeconds = (value: Counters | SecondsOfHour): value is SecondsOfHour =>
  value instanceof Uint8Array || Array.isArray(value);

/** Exact, as every sum up to 2^53 is. */
function addCounts(one: Count, other: Count): Count {
  if (typeof one === 'number' && typeof other === 'number') {
    const sum = one + other;
    if (sum <= Number.MAX_SAFE_INTEGER) return sum;
  }
  if (typeof one === 'bigint' && typeof other === 'bigint') return one + other;
  return BigInt(one) + BigInt(other);
}

function laterOrEarlier(name: string, one: Date | undefined, other: Date): Date {
  if (one === undefined) return other;
  const isLater = one < other;
  return isLater === (name === 'last') ? other : one;
}

function uniteSeconds(sum: SecondsOfHour | undefined, more: SecondsOfHour): Uint8Array {
  const seconds = noSeconds();
  for (const stored of sum ? [sum, more] : [more]) addSeconds(seconds, readSeconds(stored));
  return bytesOf(seconds);
}

/** Names beyond the limit count as one. */
function capNames(known: Counters, more: Counters): Counters {
  const capped: Counters = {};
  let names = Object.keys(known).filter((name) => name !== otherUnpriced).length;
  for (const [name, value] of Object.entries(more)) {
    const isKnown = name === otherUnpriced || Object.hasOwn(known, name);
    if (!isKnown) names += 1;
    mergeCounters(capped, { [isKnown || names <= maxUnpriced ? name : otherUnpriced]: value });
  }
  return capped;
}

/**
 * Which of the 3,600 seconds of an hour had an entry: second s is bit `s & 31` of word `s >> 5`.
 * Words, because hours are merged and counted by the million; of a little-endian machine, because
 * their bytes are stored.
 */
export type ActiveSeconds = Int32Array;
/** The words of `ActiveSeconds`. */
export const activeSecondsWords = 113;
/** The bits of all seconds. */
const storedBytes = 450;
/** In a document, the number of a second takes about nine bytes. */
const maxListed = 50;

export function noSeconds(): ActiveSeconds {
  return new Int32Array(activeSecondsWords);
}

/** Adds a second of the hour, 0 to 3,599. */
export function addSecond(seconds: ActiveSeconds, second: number): void {
  seconds[second >> 5] = (seconds[second >> 5] as number) | (1 << (second & 31));
}

/** Adds the seconds of `more`. */
export function addSeconds(seconds: ActiveSeconds, more: ActiveSeconds): void {
  for (let at = 0; at < activeSecondsWords; at += 1) seconds[at] = (seconds[at] as number) | (more[at] as number);
}

/** The form in which the usage of a batch is stored. */
export function storeSeconds(seconds: ActiveSeconds): SecondsOfHour {
  const listed: number[] = [];
  for (let at = 0; at < activeSecondsWords; at += 1) {
    for (let rest = seconds[at] as number; rest !== 0; rest &= rest - 1) {
      if (listed.length === maxListed) return bytesOf(seconds);
      listed.push(32 * at + 31 - Math.clz32(rest & -rest));
    }
  }
  return listed;
}

/** The result shares its memory with others. */
export function readSeconds(stored: SecondsOfHour): ActiveSeconds {
  const seconds = pooledSeconds();
  if (stored instanceof Uint8Array) bytesOf(seconds).set(stored);
  else for (const second of stored) addSecond(seconds, second);
  return seconds;
}

/** The bits of the seconds, in the same memory. */
const bytesOf = (seconds: ActiveSeconds) => new Uint8Array(seconds.buffer, seconds.byteOffset, storedBytes);

/** For arrays that are soon dropped: memory of their own takes longer than their reading. */
export function pooledSeconds(): ActiveSeconds {
  const { buffer, byteOffset } = Buffer.allocUnsafe(4 * activeSecondsWords).fill(0);
  return new Int32Array(buffer, byteOffset, activeSecondsWords);
}

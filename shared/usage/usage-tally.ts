import type { PiiType } from '../pii/pii-kind.ts';
import type { Architecture, QueueType } from '../scenarios/assumptions.ts';
import type { LevelClass } from '../scenarios/pipeline.ts';
import {
  type ActiveSeconds,
  addSecond,
  type BatchUsage,
  type CacheTokens,
  cacheCounters,
  type FunctionCounters,
  fieldOfModel,
  type HourCounters,
  type LevelCounters,
  type ModelCounters,
  type ModelTokens,
  maxUnpriced,
  noSeconds,
  otherUnpriced,
  storeSeconds,
  type UnpricedCounters,
} from './stored-hour.ts';

/** The usage of one log entry, in numbers far below 2^53. */
export interface EntryUsage extends CacheTokens {
  /** The start of the entry's UTC hour, in epoch milliseconds. */
  hour: number;
  /** The second of the hour, 0 to 3,599. */
  second: number;
  /** Whether the entry has a time of its own, not that of its arrival. */
  timed: boolean;
  level: LevelClass;
  sizeBytes: number;
  /** Started 64 KiB of the size, at least one. */
  chunks: number;
  queueType: QueueType;
  queueRequests: number;
  architecture: Architecture;
  memoryMb: number;
  billedMs: number;
  /** memoryMb × billedMs, at most 9,216,000,000. */
  mbMs: number;
  /** Whether memoryMb is the memory size of the scenario. */
  ownMemory: boolean;
  /** With the profile after a blank, if the entry tells it. */
  model: string;
  /** Whether `model` is not one of the price book. */
  unpriced: boolean;
  inputTokens: number;
  /** Whether inputTokens were counted from the message, because the sender did not report them. */
  inputEstimated: boolean;
  /** Null if the sender did not report them. */
  outputTokens: number | null;
  /** Whether the entry reports a usage that is not understood. */
  usageUnread: boolean;
}

/** Findings of personal data in one entry; a type can occur several times, once per country. */
export type EntryPii = readonly { readonly type: PiiType; readonly count: number }[];

/** An hour in its stored form, but for the seconds. */
interface TalliedHour {
  readonly counters: HourCounters<number> & { levels: Record<string, LevelCounters<number>> };
  readonly timedSeconds: ActiveSeconds;
  readonly secondsOfLevels: Map<LevelClass, ActiveSeconds>;
}

/** Sums a batch by hour: 1,000 entries of at most 2^34 units stay below 2^53. */
export class UsageTally {
  readonly #hours = new Map<number, TalliedHour>();
  /** Most entries of a batch name the same model. */
  #model = { name: '', field: '' };

  add(entry: EntryUsage, pii: EntryPii = []): void {
    if (entry.model !== this.#model.name) this.#model = { name: entry.model, field: fieldOfModel(entry.model) };
    const { field } = this.#model;
    const { counters, timedSeconds, secondsOfLevels } = this.#hourOf(entry.hour);
    counters.logs += 1;
    counters.sizeBytes += entry.sizeBytes;
    if (pii.length > 0) increase(counters, 'piiLogs', 1);
    for (const { type, count } of pii) increase((counters.pii ??= {}), type, count);
    increase(counters.queues, entry.queueType, entry.queueRequests);
    const fn = rowOf(counters.functions, entry.architecture, noInvocations);
    fn.invocations += 1;
    fn.mbMs += entry.mbMs;
    if (!entry.ownMemory) increase(fn, 'otherMemoryInvocations', 1);
    if (entry.usageUnread) increase(counters, 'usageUnread', 1);
    if (entry.timed) addSecond(timedSeconds, entry.second);
    else increase(counters, 'untimed', 1);

    const level = rowOf(counters.levels, entry.level, noEntries);
    level.entries += 1;
    level.sizeBytes += entry.sizeBytes;
    level.chunks += entry.chunks;
    increase(level.functions, entry.architecture, entry.mbMs);
    const seconds = secondsOfLevels.get(entry.level) ?? noSeconds();
    secondsOfLevels.set(entry.level, seconds);
    addSecond(seconds, entry.second);

    if (entry.unpriced) addUnpriced((counters.unpriced ??= {}), field, entry);
    else {
      const model = rowOf<ModelCounters<number>>(counters.inference, field, noTokens);
      addTokens(model, entry);
      if (entry.inputEstimated) increase(model, 'estimatedEntries', 1);
      const ofLevel = rowOf(level.inference, field, noTokensOfEntries);
      addTokens(ofLevel, entry);
      ofLevel.entries += 1;
    }
  }

  #hourOf(start: number): TalliedHour {
    let hour = this.#hours.get(start);
    if (hour === undefined) {
      const sums = { logs: 0, sizeBytes: 0, queues: {}, functions: {}, inference: {}, levels: {} };
      const counters = { hour: new Date(start), ...sums };
      hour = { counters, timedSeconds: noSeconds(), secondsOfLevels: new Map() };
      this.#hours.set(start, hour);
    }
    return hour;
  }

  /** The usage added so far, sorted by hour. */
  hours(): BatchUsage {
    const sorted = [...this.#hours].sort(([one], [other]) => one - other);
    return sorted.map(([, { counters, timedSeconds, secondsOfLevels }]) => {
      for (const [name, seconds] of secondsOfLevels) {
        (counters.levels[name] as LevelCounters<number>).seconds = storeSeconds(seconds);
      }
      const timed = storeSeconds(timedSeconds);
      return timed.length > 0 ? { ...counters, timedSeconds: timed } : counters;
    });
  }
}

const noInvocations = (): FunctionCounters<number> => ({ invocations: 0, mbMs: 0 });
const noCalls = () => ({ calls: 0, inputTokens: 0, outputTokens: 0 });
const noTokens = (): ModelTokens<number> => ({ inputTokens: 0, outputTokens: 0 });
const noTokensOfEntries = () => ({ entries: 0, ...noTokens() });
const noEntries = (): LevelCounters<number> => ({
  entries: 0,
  sizeBytes: 0,
  chunks: 0,
  functions: {},
  inference: {},
  seconds: [],
});

/** Counts a call of a model that is not in the price book: under its name, or with the others. */
function addUnpriced(unpriced: Record<string, UnpricedCounters<number>>, field: string, entry: EntryUsage): void {
  const isFull = !Object.hasOwn(unpriced, field) && Object.keys(unpriced).length >= maxUnpriced;
  const row = rowOf(unpriced, isFull ? otherUnpriced : field, noCalls);
  row.calls += 1;
  row.inputTokens += entry.inputTokens;
  for (const name of cacheCounters) row.inputTokens += entry[name];
  row.outputTokens += entry.outputTokens ?? 0;
}

function addTokens(row: ModelTokens<number>, entry: EntryUsage): void {
  row.inputTokens += entry.inputTokens;
  for (const name of cacheCounters) increase(row, name, entry[name]);
  if (entry.outputTokens === null) increase(row, 'entriesWithoutOutput', 1);
  else row.outputTokens += entry.outputTokens;
}

/** A counter that is 0 is not stored. */
function increase<Name extends string>(counters: { [Key in Name]?: number }, name: Name, by: number): void {
  if (by > 0) counters[name] = (counters[name] ?? 0) + by;
}

/** A name of a model can be that of an inherited property. */
function rowOf<Row>(rows: Record<string, Row>, name: string, create: () => Row): Row {
  const known = Object.hasOwn(rows, name) ? rows[name] : undefined;
  return known ?? (rows[name] = create());
}

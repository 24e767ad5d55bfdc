import type { PiiType } from '../pii/pii-kind.ts';
import { addSecond, noSeconds, storeSeconds } from './active-seconds.ts';
import type { EntryUsage } from './entry-usage.ts';
import {
  type BatchHour,
  type BatchUsage,
  fieldOfModel,
  type LevelCounters,
  maxUnpriced,
  otherUnpriced,
  type UnpricedCounters,
} from './stored-hour.ts';

/** Findings of personal data in one entry; a type can occur several times, once per country. */
export type EntryPii = readonly { readonly type: PiiType; readonly count: number }[];

/**
 * Sums the entries of a batch by hour. Sums are numbers: those of a batch, 1,000 entries of at most
 * 2^34 units, stay below 2^53.
 */
export class UsageTally {
  readonly #hours = new Map<number, HourTally>();
  /** Most entries of a batch name the same model. */
  #model = { name: '', field: '' };

  add(entry: EntryUsage, pii: EntryPii = []): void {
    let hour = this.#hours.get(entry.hour);
    if (hour === undefined) {
      hour = new HourTally();
      this.#hours.set(entry.hour, hour);
    }
    if (entry.model !== this.#model.name) this.#model = { name: entry.model, field: fieldOfModel(entry.model) };
    hour.add(entry, pii, this.#model.field);
  }

  /** The usage added so far, sorted by hour. */
  hours(): BatchUsage {
    const sorted = [...this.#hours].sort(([one], [other]) => one - other);
    return sorted.map(([start, hour]) => hour.toUsage(start));
  }
}

/** Counters of which those that are 0 are absent. */
type Sums = Record<string, number>;

class HourTally {
  readonly #totals = { logs: 0, sizeBytes: 0 };
  readonly #pii: Sums = {};
  readonly #queues: Sums = {};
  readonly #functions = createByName<{ invocations: number; mbMs: number }>();
  readonly #inference = createByName<TokenSums>();
  readonly #unpriced = createByName<UnpricedCounters>();
  readonly #levels = createByName<LevelTally>();
  readonly #timedSeconds = noSeconds();

  add(entry: EntryUsage, pii: EntryPii, modelField: string): void {
    this.#totals.logs += 1;
    this.#totals.sizeBytes += entry.sizeBytes;
    if (pii.length > 0) increase(this.#totals, 'piiLogs', 1);
    for (const { type, count } of pii) increase(this.#pii, type, count);
    increase(this.#queues, entry.queueType, entry.queueRequests);
    const fn = (this.#functions[entry.architecture] ??= { invocations: 0, mbMs: 0 });
    fn.invocations += 1;
    fn.mbMs += entry.mbMs;
    if (!entry.ownMemory) increase(fn, 'otherMemoryInvocations', 1);
    if (entry.usageUnread) increase(this.#totals, 'usageUnread', 1);
    if (entry.unpriced) addUnpriced(this.#unpriced, modelField, entry);
    else {
      const model = (this.#inference[modelField] ??= { inputTokens: 0, outputTokens: 0 });
      addTokens(model, entry);
      if (entry.inputEstimated) increase(model, 'estimatedEntries', 1);
    }
    if (entry.timed) addSecond(this.#timedSeconds, entry.second);
    else increase(this.#totals, 'untimed', 1);
    (this.#levels[entry.level] ??= new LevelTally()).add(entry, modelField);
  }

  toUsage(start: number): BatchHour {
    const levels = Object.entries(this.#levels).map(([level, tally]) => [level, tally.toCounters()]);
    const timedSeconds = storeSeconds(this.#timedSeconds);
    return {
      hour: new Date(start),
      ...this.#totals,
      ...('piiLogs' in this.#totals && { pii: this.#pii }),
      queues: this.#queues,
      functions: this.#functions,
      inference: this.#inference,
      ...(Object.keys(this.#unpriced).length > 0 && { unpriced: this.#unpriced }),
      levels: Object.fromEntries(levels),
      ...(timedSeconds.length > 0 && { timedSeconds }),
    };
  }
}

class LevelTally {
  readonly #sums = { entries: 0, sizeBytes: 0, chunks: 0 };
  readonly #functions: Sums = {};
  readonly #inference = createByName<TokenSums & { entries: number }>();
  readonly #seconds = noSeconds();

  add(entry: EntryUsage, modelField: string): void {
    this.#sums.entries += 1;
    this.#sums.sizeBytes += entry.sizeBytes;
    this.#sums.chunks += entry.chunks;
    increase(this.#functions, entry.architecture, entry.mbMs);
    if (!entry.unpriced) {
      const model = (this.#inference[modelField] ??= { entries: 0, inputTokens: 0, outputTokens: 0 });
      model.entries += 1;
      addTokens(model, entry);
    }
    addSecond(this.#seconds, entry.second);
  }

  toCounters(): LevelCounters {
    const seconds = storeSeconds(this.#seconds);
    return { ...this.#sums, functions: this.#functions, inference: this.#inference, seconds };
  }
}

interface TokenSums {
  inputTokens: number;
  outputTokens: number;
}

/** Counts a call of a model that is not in the price book: under its name, or with the others. */
function addUnpriced(unpriced: Record<string, UnpricedCounters>, modelField: string, entry: EntryUsage): void {
  const isFull = !(modelField in unpriced) && Object.keys(unpriced).length >= maxUnpriced;
  const counters = (unpriced[isFull ? otherUnpriced : modelField] ??= { calls: 0, inputTokens: 0, outputTokens: 0 });
  increase(counters, 'calls', 1);
  const cached = entry.cacheReadTokens + entry.cacheWriteTokens + entry.cacheWrite1hTokens;
  increase(counters, 'inputTokens', entry.inputTokens + cached);
  increase(counters, 'outputTokens', entry.outputTokens ?? 0);
}

function addTokens(model: TokenSums, entry: EntryUsage): void {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens } = entry;
  model.inputTokens += inputTokens;
  if (cacheReadTokens > 0) increase(model, 'cacheReadTokens', cacheReadTokens);
  if (cacheWriteTokens > 0) increase(model, 'cacheWriteTokens', cacheWriteTokens);
  if (cacheWrite1hTokens > 0) increase(model, 'cacheWrite1hTokens', cacheWrite1hTokens);
  if (outputTokens === null) increase(model, 'entriesWithoutOutput', 1);
  else model.outputTokens += outputTokens;
}

function increase(counters: object, name: string, by: number): void {
  const sums = counters as Sums;
  sums[name] = (sums[name] ?? 0) + by;
}

/** A name of a model can be that of an inherited property. */
const createByName = <Value>(): Record<string, Value> => Object.create(null) as Record<string, Value>;

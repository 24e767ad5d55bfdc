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

class HourTally {
  readonly #totals = { logs: 0, sizeBytes: 0, piiLogs: 0, usageUnread: 0, untimed: 0 };
  readonly #pii = new Map<string, number>();
  readonly #queues = new Map<string, number>();
  readonly #functions = new Map<string, FunctionSums>();
  readonly #inference = new Map<string, TokenSums & { estimatedEntries: number }>();
  readonly #unpriced = new Map<string, UnpricedSums>();
  readonly #levels = new Map<string, LevelTally>();
  readonly #timedSeconds = noSeconds();

  add(entry: EntryUsage, pii: EntryPii, modelField: string): void {
    const totals = this.#totals;
    totals.logs += 1;
    totals.sizeBytes += entry.sizeBytes;
    if (pii.length > 0) totals.piiLogs += 1;
    for (const { type, count } of pii) increase(this.#pii, type, count);
    increase(this.#queues, entry.queueType, entry.queueRequests);
    const fn = sumsOf(this.#functions, entry.architecture, noInvocations);
    fn.invocations += 1;
    fn.mbMs += entry.mbMs;
    if (!entry.ownMemory) fn.otherMemoryInvocations += 1;
    if (entry.usageUnread) totals.usageUnread += 1;
    if (entry.unpriced) addUnpriced(this.#unpriced, modelField, entry);
    else {
      const model = sumsOf(this.#inference, modelField, noEstimatedTokens);
      addTokens(model, entry);
      if (entry.inputEstimated) model.estimatedEntries += 1;
    }
    if (entry.timed) addSecond(this.#timedSeconds, entry.second);
    else totals.untimed += 1;
    sumsOf(this.#levels, entry.level, createLevelTally).add(entry, modelField);
  }

  toUsage(start: number): BatchHour {
    const { logs, sizeBytes } = this.#totals;
    const timedSeconds = storeSeconds(this.#timedSeconds);
    return {
      hour: new Date(start),
      ...withoutZeros(this.#totals),
      logs,
      sizeBytes,
      ...(this.#pii.size > 0 && { pii: Object.fromEntries(this.#pii) }),
      queues: Object.fromEntries(this.#queues),
      functions: byName(this.#functions, ({ invocations, mbMs, ...others }) => ({
        invocations,
        mbMs,
        ...withoutZeros(others),
      })),
      inference: byName(this.#inference, storeTokens),
      ...(this.#unpriced.size > 0 && { unpriced: Object.fromEntries(this.#unpriced) }),
      levels: byName(this.#levels, (level) => level.toCounters()),
      ...(timedSeconds.length > 0 && { timedSeconds }),
    };
  }
}

class LevelTally {
  readonly #sums = { entries: 0, sizeBytes: 0, chunks: 0 };
  readonly #functions = new Map<string, number>();
  readonly #inference = new Map<string, TokenSums & { entries: number }>();
  readonly #seconds = noSeconds();

  add(entry: EntryUsage, modelField: string): void {
    const sums = this.#sums;
    sums.entries += 1;
    sums.sizeBytes += entry.sizeBytes;
    sums.chunks += entry.chunks;
    increase(this.#functions, entry.architecture, entry.mbMs);
    if (!entry.unpriced) {
      const model = sumsOf(this.#inference, modelField, noTokensOfEntries);
      model.entries += 1;
      addTokens(model, entry);
    }
    addSecond(this.#seconds, entry.second);
  }

  toCounters(): LevelCounters {
    return {
      ...this.#sums,
      functions: Object.fromEntries(this.#functions),
      inference: byName(this.#inference, ({ entries, ...tokens }) => ({ entries, ...storeTokens(tokens) })),
      seconds: storeSeconds(this.#seconds),
    };
  }
}

const createLevelTally = () => new LevelTally();

type FunctionSums = ReturnType<typeof noInvocations>;
const noInvocations = () => ({ invocations: 0, mbMs: 0, otherMemoryInvocations: 0 });

type UnpricedSums = ReturnType<typeof noCalls>;
const noCalls = () => ({ calls: 0, inputTokens: 0, outputTokens: 0 });

type TokenSums = ReturnType<typeof noTokens>;
const noTokens = () => ({
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  cacheWrite1hTokens: 0,
  entriesWithoutOutput: 0,
});
const noEstimatedTokens = () => ({ ...noTokens(), estimatedEntries: 0 });
const noTokensOfEntries = () => ({ entries: 0, ...noTokens() });

/** Counts a call of a model that is not in the price book: under its name, or with the others. */
function addUnpriced(unpriced: Map<string, UnpricedSums>, modelField: string, entry: EntryUsage): void {
  const isFull = !unpriced.has(modelField) && unpriced.size >= maxUnpriced;
  const sums = sumsOf(unpriced, isFull ? otherUnpriced : modelField, noCalls);
  sums.calls += 1;
  sums.inputTokens += entry.inputTokens + entry.cacheReadTokens + entry.cacheWriteTokens + entry.cacheWrite1hTokens;
  sums.outputTokens += entry.outputTokens ?? 0;
}

function addTokens(sums: TokenSums, entry: EntryUsage): void {
  sums.inputTokens += entry.inputTokens;
  sums.cacheReadTokens += entry.cacheReadTokens;
  sums.cacheWriteTokens += entry.cacheWriteTokens;
  sums.cacheWrite1hTokens += entry.cacheWrite1hTokens;
  if (entry.outputTokens === null) sums.entriesWithoutOutput += 1;
  else sums.outputTokens += entry.outputTokens;
}

const storeTokens = ({ inputTokens, outputTokens, ...others }: TokenSums) => ({
  inputTokens,
  outputTokens,
  ...withoutZeros(others),
});

function increase(counters: Map<string, number>, name: string, by: number): void {
  counters.set(name, (counters.get(name) ?? 0) + by);
}

function sumsOf<Sums>(all: Map<string, Sums>, name: string, create: () => Sums): Sums {
  let sums = all.get(name);
  if (sums === undefined) {
    sums = create();
    all.set(name, sums);
  }
  return sums;
}

const byName = <Sums, Stored>(all: Map<string, Sums>, store: (sums: Sums) => Stored): Record<string, Stored> =>
  Object.fromEntries(Array.from(all, ([name, sums]) => [name, store(sums)]));

/** A counter that is 0 is not stored. */
const withoutZeros = (counters: Readonly<Record<string, number>>): Partial<Record<string, number>> =>
  Object.fromEntries(Object.entries(counters).filter(([, count]) => count !== 0));

import type { PiiType } from '../pii/pii-kind.ts';
import { type ActiveSeconds, addSecond, noSeconds, storeSeconds } from './active-seconds.ts';
import type { EntryUsage } from './entry-usage.ts';
import {
  type BatchHour,
  type BatchUsage,
  type FunctionCounters,
  fieldOfModel,
  type LevelCounters,
  type LevelModelCounters,
  type ModelCounters,
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
      hour = new HourTally(entry.hour);
      this.#hours.set(entry.hour, hour);
    }
    if (entry.model !== this.#model.name) this.#model = { name: entry.model, field: fieldOfModel(entry.model) };
    hour.add(entry, pii, this.#model.field);
  }

  /** The usage added so far, sorted by hour. */
  hours(): BatchUsage {
    return Array.from(this.#hours.values(), (hour) => hour.toUsage()).sort(
      (a, b) => a.hour.getTime() - b.hour.getTime(),
    );
  }
}

/** Counters of which those that are 0 are absent. */
type Sums = Record<string, number>;

class HourTally {
  readonly #start: number;
  readonly #totals: Sums = { logs: 0, sizeBytes: 0 };
  readonly #pii: Sums = {};
  readonly #queues: Sums = {};
  readonly #functions: Record<string, FunctionCounters> = {};
  readonly #inference = createByModel<ModelCounters>();
  readonly #levels: Record<string, LevelTally> = {};
  #timedSeconds: ActiveSeconds | undefined;

  constructor(start: number) {
    this.#start = start;
  }

  add(entry: EntryUsage, pii: EntryPii, modelField: string): void {
    increase(this.#totals, 'logs', 1);
    increase(this.#totals, 'sizeBytes', entry.sizeBytes);
    if (pii.length > 0) increase(this.#totals, 'piiLogs', 1);
    for (const { type, count } of pii) increase(this.#pii, type, count);
    increase(this.#queues, entry.queueType, entry.queueRequests);
    const fn = (this.#functions[entry.architecture] ??= { invocations: 0, mbMs: 0 });
    increase(fn, 'invocations', 1);
    increase(fn, 'mbMs', entry.mbMs);
    if (!entry.ownMemory) increase(fn, 'otherMemoryInvocations', 1);
    const model = (this.#inference[modelField] ??= { inputTokens: 0, outputTokens: 0 });
    addTokens(model, entry);
    if (entry.inputEstimated) increase(model, 'estimatedEntries', 1);
    if (entry.timed) addSecond((this.#timedSeconds ??= noSeconds()), entry.second);
    else increase(this.#totals, 'untimed', 1);
    (this.#levels[entry.level] ??= new LevelTally()).add(entry, modelField);
  }

  toUsage(): BatchHour {
    const { logs = 0, sizeBytes = 0, ...others } = this.#totals;
    return {
      hour: new Date(this.#start),
      logs,
      sizeBytes,
      ...others,
      ...(others['piiLogs'] && { pii: this.#pii }),
      queues: this.#queues,
      functions: this.#functions,
      inference: this.#inference,
      levels: Object.fromEntries(Object.entries(this.#levels).map(([level, tally]) => [level, tally.toCounters()])),
      ...(this.#timedSeconds && { timedSeconds: storeSeconds(this.#timedSeconds) }),
    };
  }
}

class LevelTally {
  readonly #sums = { entries: 0, sizeBytes: 0, chunks: 0 };
  readonly #functions: Sums = {};
  readonly #inference = createByModel<LevelModelCounters>();
  readonly #seconds = noSeconds();

  add(entry: EntryUsage, modelField: string): void {
    this.#sums.entries += 1;
    this.#sums.sizeBytes += entry.sizeBytes;
    this.#sums.chunks += entry.chunks;
    increase(this.#functions, entry.architecture, entry.mbMs);
    const model = (this.#inference[modelField] ??= { entries: 0, inputTokens: 0, outputTokens: 0 });
    increase(model, 'entries', 1);
    addTokens(model, entry);
    addSecond(this.#seconds, entry.second);
  }

  toCounters(): LevelCounters {
    return {
      ...this.#sums,
      functions: this.#functions,
      inference: this.#inference,
      seconds: storeSeconds(this.#seconds),
    };
  }
}

function addTokens(model: ModelCounters | LevelModelCounters, { inputTokens, outputTokens }: EntryUsage): void {
  increase(model, 'inputTokens', inputTokens);
  if (outputTokens === null) increase(model, 'entriesWithoutOutput', 1);
  else increase(model, 'outputTokens', outputTokens);
}

/** The sums of a batch are numbers. */
function increase(counters: object, name: string, by: number): void {
  const sums = counters as Sums;
  sums[name] = (sums[name] ?? 0) + by;
}

/** A name of a model can be that of an inherited property. */
const createByModel = <Value>(): Record<string, Value> => Object.create(null) as Record<string, Value>;

import type { PiiType } from '../pii/pii-kind.ts';
import type { QueueType } from '../scenarios/assumptions.ts';
import type { LevelClass } from '../scenarios/level-class.ts';
import type { EntryUsage } from './entry-usage.ts';
import { PendingLevel } from './pending-level.ts';
import { addUsage, emptyUsage, type HourUsage, mergeHours } from './usage.ts';

/** Findings of personal data in one entry; a type can occur several times, once per country. */
export type EntryPii = readonly { readonly type: PiiType; readonly count: number }[];

/**
 * Sums entries by hour. Sums are numbers, which are several times faster than bigints, and are
 * converted to bigints before they can reach 2^53: `maxPendingEntries` entries of at most 2^34
 * units stay below it.
 */
export class UsageTally {
  readonly #flushed: HourUsage[] = [];
  #pending = new Map<number, PendingHour>();
  #pendingEntries = 0;

  add(entry: EntryUsage, pii: EntryPii = []): void {
    if (this.#pendingEntries === maxPendingEntries) this.#flush();
    this.#pendingEntries += 1;
    let hour = this.#pending.get(entry.hour);
    if (hour === undefined) {
      hour = new PendingHour();
      this.#pending.set(entry.hour, hour);
    }
    hour.add(entry, pii);
  }

  /** The usage added so far, sorted by hour. */
  hours(): HourUsage[] {
    this.#flush();
    return mergeHours(this.#flushed);
  }

  #flush(): void {
    for (const [start, hour] of this.#pending) this.#flushed.push({ hour: new Date(start), ...hour.toCounters() });
    this.#pending = new Map();
    this.#pendingEntries = 0;
  }
}

const maxPendingEntries = 500_000;

/** The sums of one hour of a `UsageTally`, in numbers. */
class PendingHour {
  readonly #sums = { piiLogs: 0 };
  readonly #pii = new Map<PiiType, number>();
  readonly #queues = new Map<QueueType, number>();
  readonly #levels = new Map<LevelClass, PendingLevel>();

  add(entry: EntryUsage, pii: EntryPii): void {
    if (pii.length > 0) {
      this.#sums.piiLogs += 1;
      for (const { type, count } of pii) this.#pii.set(type, (this.#pii.get(type) ?? 0) + count);
    }
    this.#queues.set(entry.queueType, (this.#queues.get(entry.queueType) ?? 0) + entry.queueRequests);
    let level = this.#levels.get(entry.level);
    if (level === undefined) {
      level = new PendingLevel();
      this.#levels.set(entry.level, level);
    }
    level.add(entry);
  }

  toCounters(): Omit<HourUsage, 'hour'> {
    const sum = emptyUsage();
    for (const level of this.#levels.values()) addUsage(sum, level.toUsage());
    return {
      ...sum,
      piiLogs: BigInt(this.#sums.piiLogs),
      pii: [...this.#pii].map(([type, count]) => ({ type, count: BigInt(count) })),
      queues: [...this.#queues].map(([type, requests]) => ({ type, requests: BigInt(requests) })),
      levels: [...this.#levels].map(([level, sums]) => sums.toLevel(level)),
    };
  }
}

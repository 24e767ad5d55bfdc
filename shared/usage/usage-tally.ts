import type { PiiType } from '../pii/pii-kind.ts';
import type { QueueType } from '../scenarios/assumptions.ts';
import { findRow } from './add-rows.ts';
import type { EntryUsage } from './entry-usage.ts';
import { sortLevels } from './merge-levels.ts';
import { PendingLevel } from './pending-level.ts';
import { addUsage, type HourUsage, sortLists } from './usage.ts';

/** Findings of personal data in one entry; a type can occur several times, once per country. */
export type EntryPii = readonly { readonly type: PiiType; readonly count: number }[];

/**
 * Sums the entries of a batch by hour. Sums are numbers, which are several times faster than
 * bigints: those of a batch, 1,000 entries of at most 2^34 units, stay below 2^53.
 */
export class UsageTally {
  readonly #hours = new Map<number, PendingHour>();

  add(entry: EntryUsage, pii: EntryPii = []): void {
    let hour = this.#hours.get(entry.hour);
    if (hour === undefined) {
      hour = new PendingHour(entry);
      this.#hours.set(entry.hour, hour);
    }
    hour.add(entry, pii);
  }

  /** The usage added so far, sorted by hour, with lists in their fixed order. */
  hours(): HourUsage[] {
    return Array.from(this.#hours.values(), (hour) => hour.toUsage()).sort(
      (a, b) => a.hour.getTime() - b.hour.getTime(),
    );
  }
}

/**
 * The sums of one hour of a `UsageTally`, in numbers. Rows are lists, because most have one
 * element, and a batch can have an hour for every entry.
 */
class PendingHour {
  readonly #start: number;
  readonly #levels: [PendingLevel, ...PendingLevel[]];
  readonly #queues: { type: QueueType; requests: number }[] = [];
  readonly #pii: { type: PiiType; count: number }[] = [];
  #piiLogs = 0;

  constructor({ hour, level }: EntryUsage) {
    this.#start = hour;
    this.#levels = [new PendingLevel(level)];
  }

  add(entry: EntryUsage, pii: EntryPii): void {
    if (pii.length > 0) this.#piiLogs += 1;
    for (const { type, count } of pii) {
      const found = findRow(this.#pii, 'type', type);
      if (found) found.count += count;
      else this.#pii.push({ type, count });
    }
    const queue = findRow(this.#queues, 'type', entry.queueType);
    if (queue) queue.requests += entry.queueRequests;
    else this.#queues.push({ type: entry.queueType, requests: entry.queueRequests });
    let level = findRow(this.#levels, 'level', entry.level);
    if (level === undefined) {
      level = new PendingLevel(entry.level);
      this.#levels.push(level);
    }
    level.add(entry);
  }

  toUsage(): HourUsage {
    const [first, ...others] = this.#levels;
    const sum = first.toUsage();
    for (const level of others) addUsage(sum, level.toUsage());
    const usage: HourUsage = {
      hour: new Date(this.#start),
      ...sum,
      piiLogs: BigInt(this.#piiLogs),
      pii: this.#pii.map(({ type, count }) => ({ type, count: BigInt(count) })),
      queues: this.#queues.map(({ type, requests }) => ({ type, requests: BigInt(requests) })),
    };
    const levels = this.#levels.map((level) => level.toLevel());
    sortLists(usage);
    sortLevels(levels);
    return { ...usage, levels };
  }
}

import type { PiiType } from '../pii/pii-kind.ts';
import type { Architecture, QueueType } from '../scenarios/assumptions.ts';
import { type HourUsage, mergeHours, type UsageCounters } from './usage.ts';

/** The usage of one log entry, in numbers far below 2^53. */
export interface EntryUsage {
  /** The start of the entry's UTC hour, in epoch milliseconds. */
  hour: number;
  sizeBytes: number;
  queueType: QueueType;
  queueRequests: number;
  architecture: Architecture;
  memoryMb: number;
  billedMs: number;
  /** memoryMb × billedMs, at most 9,216,000,000. */
  mbMs: number;
  /** Whether memoryMb is the memory size of the scenario. */
  ownMemory: boolean;
  model: string;
  inputTokens: number;
  /** Whether inputTokens were counted from the message, because the sender did not report them. */
  inputEstimated: boolean;
  outputTokens: number;
}

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
  readonly #sums = { logs: 0, sizeBytes: 0, piiLogs: 0 };
  readonly #pii = new Map<PiiType, number>();
  readonly #queues = new Map<QueueType, number>();
  readonly #functions = new Map<Architecture, { invocations: number; mbMs: number; otherMemoryInvocations: number }>();
  readonly #inference = new Map<string, { inputTokens: number; outputTokens: number; estimatedEntries: number }>();

  add(entry: EntryUsage, pii: EntryPii): void {
    this.#sums.logs += 1;
    this.#sums.sizeBytes += entry.sizeBytes;
    if (pii.length > 0) {
      this.#sums.piiLogs += 1;
      for (const { type, count } of pii) this.#pii.set(type, (this.#pii.get(type) ?? 0) + count);
    }
    this.#queues.set(entry.queueType, (this.#queues.get(entry.queueType) ?? 0) + entry.queueRequests);

    let fn = this.#functions.get(entry.architecture);
    if (fn === undefined) {
      fn = { invocations: 0, mbMs: 0, otherMemoryInvocations: 0 };
      this.#functions.set(entry.architecture, fn);
    }
    fn.invocations += 1;
    fn.mbMs += entry.mbMs;
    if (!entry.ownMemory) fn.otherMemoryInvocations += 1;

    let inference = this.#inference.get(entry.model);
    if (inference === undefined) {
      inference = { inputTokens: 0, outputTokens: 0, estimatedEntries: 0 };
      this.#inference.set(entry.model, inference);
    }
    inference.inputTokens += entry.inputTokens;
    inference.outputTokens += entry.outputTokens;
    if (entry.inputEstimated) inference.estimatedEntries += 1;
  }

  toCounters(): UsageCounters {
    return {
      logs: BigInt(this.#sums.logs),
      sizeBytes: BigInt(this.#sums.sizeBytes),
      piiLogs: BigInt(this.#sums.piiLogs),
      pii: [...this.#pii].map(([type, count]) => ({ type, count: BigInt(count) })),
      queues: [...this.#queues].map(([type, requests]) => ({ type, requests: BigInt(requests) })),
      functions: [...this.#functions].map(([architecture, sums]) => ({
        architecture,
        invocations: BigInt(sums.invocations),
        mbMs: BigInt(sums.mbMs),
        otherMemoryInvocations: BigInt(sums.otherMemoryInvocations),
      })),
      inference: [...this.#inference].map(([model, sums]) => ({
        model,
        inputTokens: BigInt(sums.inputTokens),
        outputTokens: BigInt(sums.outputTokens),
        estimatedEntries: BigInt(sums.estimatedEntries),
      })),
    };
  }
}

import { withoutWaitLimit } from '../connections/wait-limit.ts';
import { minute, second } from '../durations.ts';
import { notQueued, type OverflowedBatchModel } from './overflowed-batch.model.ts';

/** The overflowed batches that have no job yet: of an owner, or all. */
export interface OverflowUsage {
  batches: number;
  /** Charged bytes. */
  bytes: number;
  /** When the oldest was stored, in epoch milliseconds; Infinity without one. */
  oldest: number;
}

interface AllUsage extends OverflowUsage {
  owners: ReadonlyMap<string, OverflowUsage>;
}

/**
 * Usage that this process knows, which is at most some seconds old. Limits can be exceeded by what
 * others have stored since.
 */
export interface KnownUsage {
  /** The last known usage. Refreshes it in the background. */
  known(): AllUsage;
  /**
   * Whether this process has seen batches without a job within the last minutes. They can have a
   * job by now.
   */
  wasUsed(): boolean;
  /** Refreshes the usage first if it is old. */
  read(): Promise<AllUsage>;
  /** Adds what this process has stored to the known usage. */
  add(owner: string, bytes: number): void;
}

const refreshInterval = 1 * second;
/** Jobs of overflowed batches seldom wait longer. */
const usedFor = 5 * minute;
/** A refresh reads all batches, and takes no more than this share of the time. */
const refreshShare = 0.05;

export function createKnownUsage(model: OverflowedBatchModel): KnownUsage {
  const owners = new Map<string, OverflowUsage>();
  let current: AllUsage & { owners: Map<string, OverflowUsage> } = { ...noUsage(), owners };
  let refreshAt = 0;
  let usedUntil = Number.NEGATIVE_INFINITY;
  let refreshing: Promise<void> | undefined;

  const readAll = async () => {
    const startedAt = performance.now();
    const read = { ...noUsage(), owners: new Map<string, OverflowUsage>() };
    const projection = { _id: 0, owner: 1, chargedBytes: 1, createdAt: 1 };
    for await (const batch of model.collection.find({ queuedAt: notQueued }, { projection })) {
      addTo(read, batch['owner'] as string, batch['chargedBytes'] as number, (batch['createdAt'] as Date).getTime());
    }
    current = read;
    const endedAt = performance.now();
    if (read.batches > 0) usedUntil = endedAt + usedFor;
    refreshAt = endedAt + Math.max(refreshInterval, (endedAt - startedAt) / refreshShare);
  };
  const refresh = () => {
    if (performance.now() < refreshAt) return Promise.resolve();
    // Not on behalf of the request that comes first.
    refreshing ??= withoutWaitLimit(readAll).finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  };
  return {
    known: () => {
      refresh().catch(() => {});
      return current;
    },
    wasUsed: () => {
      refresh().catch(() => {});
      return performance.now() < usedUntil;
    },
    read: async () => {
      await refresh();
      return current;
    },
    add: (owner, bytes) => {
      addTo(current, owner, bytes, Date.now());
      usedUntil = performance.now() + usedFor;
    },
  };
}

export const noUsage = (): OverflowUsage => ({ batches: 0, bytes: 0, oldest: Number.POSITIVE_INFINITY });

function addTo(
  all: OverflowUsage & { owners: Map<string, OverflowUsage> },
  owner: string,
  bytes: number,
  at: number,
): void {
  const own = all.owners.get(owner) ?? noUsage();
  all.owners.set(owner, own);
  for (const usage of [all, own]) {
    usage.batches += 1;
    usage.bytes += bytes;
    usage.oldest = Math.min(usage.oldest, at);
  }
}

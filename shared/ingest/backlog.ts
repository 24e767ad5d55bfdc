import { second } from '../durations.ts';
import { unavailable } from '../errors.ts';
import type { Models } from '../models.ts';
import type { LogBatch } from './log-batch.model.ts';

/** Batches that are queued: of a caller, or all. */
export interface QueuedBatches {
  batches: number;
  /** As they count against the limits. */
  bytes: number;
  /** When the oldest was received, in epoch milliseconds; Infinity without one. */
  oldest: number;
}

interface Sum extends QueuedBatches {
  callers: Map<string, QueuedBatches>;
}

export type Backlog = ReturnType<typeof createBacklog>;

/** The least that a batch counts: it bounds the number of batches, a million for 4 GiB. */
export const leastBatchBytes = 4 * 1024;
const refreshInterval = 1 * second;
/** A sum takes at most this share of the time. */
const refreshShare = 1 / 50;
const retryAfter = 5;
const refusals = {
  all: 'Too many log entries are waiting to be processed; send these again later.',
  caller: 'Half of the log entries that can wait to be processed are of this caller; send these again later.',
};

/**
 * The queued batches, summed in MongoDB, and bounded by bytes. A caller has at most half of the
 * limit. Between two sums, a process adds what it accepts itself, so processes together can exceed
 * the limit by what they accept in that time.
 */
export function createBacklog({ logBatch }: Pick<Models, 'logBatch'>, { maxBytes }: { maxBytes: number }) {
  let sum = emptySum();
  let refreshAt = 0;
  let refreshing: Promise<void> | undefined;
  /** Added since the last sum began to be read, which can lack them. */
  let added: { caller: string; more: QueuedBatches }[] = [];

  const readSum = async () => {
    const startedAt = performance.now();
    added = [];
    const read = emptySum();
    const projection = { _id: 0, caller: 1, bytes: 1, receivedAt: 1 } as const;
    const rows = logBatch.collection.find<SummedRow>({ state: 'queued' }, { projection, batchSize: rowsPerReply });
    for await (const { caller, bytes, receivedAt } of rows) {
      addTo(read, caller, { batches: 1, bytes, oldest: receivedAt.getTime() });
    }
    for (const { caller, more } of added) addTo(read, caller, more);
    sum = read;
    const endedAt = performance.now();
    refreshAt = endedAt + Math.max(refreshInterval, (endedAt - startedAt) / refreshShare);
  };
  const refresh = () => {
    if (performance.now() < refreshAt) return Promise.resolve();
    refreshing ??= readSum().finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  };
  /** Which limit a further batch would exceed. */
  const exceeded = (caller: string, bytes: number) => {
    if (sum.bytes + bytes > maxBytes) return 'all';
    const own = sum.callers.get(caller);
    return own && own.bytes + bytes > maxBytes / 2 ? 'caller' : undefined;
  };
  const refuseBeyond = (caller: string, bytes: number) => {
    const limit = exceeded(caller, bytes);
    if (limit) throw unavailable(refusals[limit], retryAfter);
  };
  const requireWithin = async (caller: string, bytes: number) => {
    // Only the first request of a process, and one that would be refused, wait for a sum.
    if (refreshAt === 0 || exceeded(caller, bytes)) await refresh();
    else refresh().catch(() => {});
    refuseBeyond(caller, bytes);
  };

  return {
    /** @throws AppError SERVICE_UNAVAILABLE if any further batch exceeds a limit. */
    requireCapacity: (caller: string) => requireWithin(caller, leastBatchBytes),
    /**
     * Adds batches that are about to be inserted. A caller without queued batches is refused by the
     * limit of all only.
     * @returns the batches of the caller that were queued before.
     * @throws AppError SERVICE_UNAVAILABLE if they exceed a limit.
     */
    reserve: async (caller: string, batches: number, bytes: number): Promise<number> => {
      await requireWithin(caller, bytes);
      // Others that waited for the same sum can have reserved since.
      refuseBeyond(caller, bytes);
      const more = { batches, bytes, oldest: Date.now() };
      if (refreshing) added.push({ caller, more });
      return addTo(sum, caller, more).batches - batches;
    },
    /** The last sum. It is refreshed in the background if it is old. */
    known: (): Readonly<Sum> => {
      refresh().catch(() => {});
      return sum;
    },
    /** Refreshes the sum first if it is old. */
    read: async (): Promise<Readonly<Sum>> => {
      await refresh();
      return sum;
    },
  };
}

/** The fields of the index that serves the sum. */
type SummedRow = Pick<LogBatch, 'caller' | 'bytes' | 'receivedAt'>;

/** Decoded in a few milliseconds. */
const rowsPerReply = 2_000;

const nothing = (): QueuedBatches => ({ batches: 0, bytes: 0, oldest: Number.POSITIVE_INFINITY });

const emptySum = (): Sum => ({ ...nothing(), callers: new Map() });

/** @returns the queued batches of the caller, with these. */
function addTo(sum: Sum, caller: string, more: QueuedBatches): QueuedBatches {
  const own = sum.callers.get(caller) ?? nothing();
  sum.callers.set(caller, own);
  for (const queued of [sum, own]) {
    queued.batches += more.batches;
    queued.bytes += more.bytes;
    queued.oldest = Math.min(queued.oldest, more.oldest);
  }
  return own;
}

// The durable key-value store under everything: one lmdb environment, writes grouped into one synchronous commit.
import { mkdirSync } from 'node:fs';
import { type Database, open, type RootDatabase } from 'lmdb';
import { CommandError, toCommandError } from './errors.ts';
import { inSlices, type Work } from './slices.ts';

export type ByteStore = Database<Buffer, Buffer>;

interface PendingWrite {
  run: () => void;
  settle: () => void;
  abort: (error: unknown) => void;
}

export interface Storage {
  /** Catalogue: one entry per collection. */
  readonly catalogue: ByteStore;
  /** [collection number][record number] to the document's bytes. */
  readonly documents: ByteStore;
  /** [index number][encoded values][record number] to nothing. */
  readonly indexEntries: ByteStore;
  /**
   * Runs `work` in the next write transaction, in the order of the calls; resolves when the commit is on disk.
   * `work` must not await, and must check everything before its first write: a refusal concerns it alone, while a fault takes
   * back the whole group.
   */
  write<T>(work: () => T): Promise<T>;
  /** Long work in several such transactions, others in between. */
  writeInSlices<T>(work: Work<T>): Promise<T>;
  /** Long reading, others in between. */
  readInSlices<T>(work: Work<T>): Promise<T>;
  /** Called when a group was taken back, so that nothing remembered in memory outlives it. */
  onAbort(listener: () => void): void;
  close(): Promise<void>;
}

/** Short enough that nobody notices; writes take longer ones because each ends in a sync to disk. */
const readSliceMs = 15;
const writeSliceMs = 60;

const binary = { keyEncoding: 'binary', encoding: 'binary', cache: false } as const;

export function openStorage(directory: string): Storage {
  mkdirSync(directory, { recursive: true });
  const environment: RootDatabase<Buffer, Buffer> = open({
    path: directory,
    noSubdir: false,
    maxDbs: 8,
    // Every commit is complete on disk when it returns; with overlapping syncs it would only be visible.
    overlappingSync: false,
    ...binary,
  });
  const openStore = (name: string): ByteStore => environment.openDB<Buffer, Buffer>({ name, ...binary });
  let pending: PendingWrite[] = [];
  let closed = false;
  const abortListeners: (() => void)[] = [];

  function commit(): void {
    const group = pending;
    pending = [];
    if (group.length === 0) return;
    try {
      // lmdb's asynchronous transactions answer from another thread; one synchronous commit for all that waits is as
      // fast at our sizes, and lets reads and writes of one operation happen without a gap between them.
      environment.transactionSync(() => {
        for (const write of group) write.run();
      });
    } catch (error) {
      for (const listener of abortListeners) listener();
      for (const write of group) write.abort(error);
      return;
    }
    for (const write of group) write.settle();
  }

  function refuseWhenClosed(): void {
    if (closed) throw new CommandError('InternalError', 'the store is closing');
  }

  async function write<T>(work: () => T): Promise<T> {
    refuseWhenClosed();
    return new Promise<T>((resolve, reject) => {
      let settle = (): void => {};
      if (pending.length === 0) setImmediate(commit);
      pending.push({
        run: () => {
          try {
            const result = work();
            settle = () => resolve(result);
          } catch (error) {
            const refusal = toCommandError(error);
            if (refusal.codeName === 'InternalError') throw error;
            settle = () => reject(refusal);
          }
        },
        settle: () => settle(),
        abort: (error) => reject(toCommandError(error)),
      });
    });
  }

  return {
    catalogue: openStore('catalogue'),
    documents: openStore('documents'),
    indexEntries: openStore('indexes'),
    write,
    writeInSlices: (work) => inSlices(work, writeSliceMs, write),
    readInSlices: (work) =>
      inSlices(work, readSliceMs, (slice) => {
        refuseWhenClosed();
        return slice();
      }),
    onAbort(listener) {
      abortListeners.push(listener);
    },
    async close() {
      commit();
      closed = true;
      await environment.close();
    },
  };
}

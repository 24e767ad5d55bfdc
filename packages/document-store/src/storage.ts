// The durable key-value store under everything: one lmdb environment, writes grouped into one
// synchronous commit.
import { mkdirSync } from 'node:fs';
import { type Database, open, type RangeOptions } from 'lmdb';
import { CommandError, toCommandError } from './errors.ts';
import { type Deadline, inSlices, type Work } from './slices.ts';

/** Keys to bytes, in the order of the keys. */
export interface ByteStore {
  get(key: Buffer): Buffer | undefined;
  /**
   * Like `get`, without a copy: the bytes are valid until the next read of any store. Beyond their
   * `length` are others.
   */
  view(key: Buffer): Buffer | undefined;
  keys(range: RangeOptions): Iterable<Buffer>;
  countKeys(range: RangeOptions): number;
  /** `put` and `remove` must run inside a write. */
  put(key: Buffer, value: Buffer): void;
  remove(key: Buffer): void;
}

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
   * Runs `work` in the next write transaction, in the order of the calls; resolves when the commit
   * is on disk. `work` must not await and must check everything before its first write. An error
   * before the first write rejects this work only; an InternalError after it rolls back all work of
   * the transaction.
   */
  write<T>(work: () => T): Promise<T>;
  /** Runs long work in several transactions, with other work between them. */
  writeInSlices<T>(work: Work<T>, deadline: Deadline): Promise<T>;
  /** Runs long reading in slices, with other work between them. */
  readInSlices<T>(work: Work<T>, deadline: Deadline): Promise<T>;
  /**
   * The number of keys put or removed since the start. It shows whether failed work has written.
   */
  readonly writeCount: number;
  /** Calls the listener after a rollback, so that it discards what it keeps in memory. */
  onAbort(listener: () => void): void;
  close(): Promise<void>;
}

/** Slices of writes are longer because each ends in a sync to disk. */
const readSliceMs = 15;
const writeSliceMs = 60;

const binary = { keyEncoding: 'binary', encoding: 'binary', cache: false } as const;

function countingWrites(store: Database<Buffer, Buffer>, onWrite: () => void): ByteStore {
  return {
    get: (key) => store.getBinary(key),
    view: (key) => store.getBinaryFast(key),
    keys: (range) => store.getKeys(range),
    countKeys: (range) => store.getKeysCount(range),
    // Inside a synchronous transaction, both have finished when they return.
    put(key, value) {
      onWrite();
      void store.put(key, value);
    },
    remove(key) {
      onWrite();
      void store.remove(key);
    },
  };
}

/** Only the user who runs the store may read documents. */
const directoryMode = 0o700;
/** lmdb's types do not list its option. */
const fileMode = { permissionsMode: 0o600 };

/**
 * @param sync if false, a commit is in the file when it returns, but not on disk: it survives the
 * end of the process, not that of the machine.
 */
export function openStorage(directory: string, sync = true): Storage {
  mkdirSync(directory, { recursive: true, mode: directoryMode });
  const environment = open<Buffer, Buffer>({
    ...fileMode,
    path: directory,
    noSubdir: false,
    maxDbs: 8,
    // A commit is on disk when it returns. With overlapping syncs it would be visible before.
    overlappingSync: false,
    noSync: !sync,
    ...binary,
  });
  let writeCount = 0;
  const openStore = (name: string): ByteStore =>
    countingWrites(environment.openDB<Buffer, Buffer>({ name, ...binary }), () => {
      writeCount += 1;
    });
  const group = createGroupCommit(
    (work) => environment.transactionSync(work),
    () => writeCount,
  );

  return {
    catalogue: openStore('catalogue'),
    documents: openStore('documents'),
    indexEntries: openStore('indexes'),
    write: group.write,
    writeInSlices: (work, deadline) => inSlices(work, writeSliceMs, deadline, group.write),
    readInSlices: (work, deadline) =>
      inSlices(work, readSliceMs, deadline, (slice) => {
        group.refuseWhenClosed();
        return slice();
      }),
    get writeCount() {
      return writeCount;
    },
    onAbort: group.onAbort,
    async close() {
      group.close();
      await environment.close();
    },
  };
}

/**
 * Groups the writes that are requested in one turn of the event loop into one commit.
 * @param transact runs work in a transaction, and commits it unless the work throws.
 * @param countWrites the number of keys put or removed since the start.
 */
function createGroupCommit(transact: (work: () => void) => void, countWrites: () => number) {
  let pending: PendingWrite[] = [];
  let closed = false;
  const abortListeners: (() => void)[] = [];

  function commit(): void {
    const group = pending;
    pending = [];
    if (group.length === 0) return;
    try {
      // One synchronous commit for all pending work is as fast as lmdb's asynchronous transactions,
      // and nothing can run between the reads and the writes of one operation.
      transact(() => {
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
          const countBefore = countWrites();
          try {
            const result = work();
            settle = () => resolve(result);
          } catch (error) {
            const refusal = toCommandError(error);
            const isFault = refusal.codeName === 'InternalError' || refusal.codeName === 'OutOfDiskSpace';
            // LMDB can not undo the writes of one work alone.
            if (isFault && countWrites() > countBefore) throw error;
            settle = () => reject(refusal);
          }
        },
        settle: () => settle(),
        abort: (error) => reject(toCommandError(error)),
      });
    });
  }

  return {
    write,
    refuseWhenClosed,
    onAbort: (listener: () => void) => void abortListeners.push(listener),
    /** Commits the pending writes and refuses others. */
    close() {
      commit();
      closed = true;
    },
  };
}

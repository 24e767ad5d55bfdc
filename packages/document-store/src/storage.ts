// The durable key-value store under everything: one lmdb environment, writes grouped into one synchronous commit.
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, open, type RangeOptions } from 'lmdb';
import { CommandError, toCommandError } from './errors.ts';
import { type Deadline, inSlices, type Work } from './slices.ts';

/** Keys to bytes, in the order of the keys. */
export interface ByteStore {
  get(key: Buffer): Buffer | undefined;
  keys(range: RangeOptions): Iterable<Buffer>;
  countKeys(range: RangeOptions): number;
  /** Inside a write, as `remove`. */
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
   * Runs `work` in the next write transaction, in the order of the calls; resolves when the commit is on disk.
   * `work` must not await, and must check everything before its first write: an error before it rejects this work only, an
   * error after it rolls back all work of the transaction.
   */
  write<T>(work: () => T): Promise<T>;
  /** Long work in several such transactions, others in between. */
  writeInSlices<T>(work: Work<T>, deadline: Deadline): Promise<T>;
  /** Long reading, others in between. */
  readInSlices<T>(work: Work<T>, deadline: Deadline): Promise<T>;
  /** How many keys have been put or removed so far; tells whether failed work had written something. */
  readonly writeCount: number;
  /** Called after a rollback, so that nothing remembered in memory outlives it. */
  onAbort(listener: () => void): void;
  close(): Promise<void>;
}

/** Short enough that nobody notices. Slices of writes are longer because each ends in a sync to disk. */
const readSliceMs = 15;
const writeSliceMs = 60;

const binary = { keyEncoding: 'binary', encoding: 'binary', cache: false } as const;

function countingWrites(store: Database<Buffer, Buffer>, onWrite: () => void): ByteStore {
  return {
    get: (key) => store.getBinary(key),
    keys: (range) => store.getKeys(range),
    countKeys: (range) => store.getKeysCount(range),
    // Inside a synchronous transaction both are done when they return.
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

/** Documents are for the user who runs the store. */
const directoryMode = 0o700;
const fileMode = 0o600;

export function openStorage(directory: string): Storage {
  mkdirSync(directory, { recursive: true, mode: directoryMode });
  // An option of lmdb that its types do not have.
  const permissions = { permissionsMode: fileMode };
  const environment = open<Buffer, Buffer>({
    ...permissions,
    path: directory,
    noSubdir: false,
    maxDbs: 8,
    // Every commit is complete on disk when it returns; with overlapping syncs it would only be visible.
    overlappingSync: false,
    ...binary,
  });
  // Of earlier versions the files are readable for everybody.
  for (const file of ['data.mdb', 'lock.mdb']) chmodSync(join(directory, file), fileMode);
  let writeCount = 0;
  const openStore = (name: string): ByteStore =>
    countingWrites(environment.openDB<Buffer, Buffer>({ name, ...binary }), () => {
      writeCount += 1;
    });
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
          const countBefore = writeCount;
          try {
            const result = work();
            settle = () => resolve(result);
          } catch (error) {
            const refusal = toCommandError(error);
            // What has written in part can not be undone alone.
            if (refusal.codeName === 'InternalError' && writeCount > countBefore) throw error;
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
    writeInSlices: (work, deadline) => inSlices(work, writeSliceMs, deadline, write),
    readInSlices: (work, deadline) =>
      inSlices(work, readSliceMs, deadline, (slice) => {
        refuseWhenClosed();
        return slice();
      }),
    get writeCount() {
      return writeCount;
    },
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

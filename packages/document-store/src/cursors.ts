// Open cursors. A cursor without a request for ten minutes is closed.
import { CommandError } from './errors.ts';
import type { Deadline, Work } from './slices.ts';
import type { Storage } from './storage.ts';
import type { RawBatch } from './wire-message.ts';

const idleMs = 10 * 60_000;
const sweepMs = 60_000;
/** MongoDB's limit for the documents of one reply, for every batch size. */
const maxBatchBytes = 16 * 1024 * 1024;
const firstBatchSize = 101;

interface OpenCursor {
  namespace: string;
  /** Yields `undefined` where the search may pause. */
  documents: Iterator<Buffer | undefined>;
  /** The document that was read and did not fit into the last batch. */
  waiting: Buffer | undefined;
  /** The rest of `maxTimeMS`. Only time within requests counts. */
  remainingMs: number;
  usedAt: number;
  busy: boolean;
}

interface Taken {
  documents: Buffer[];
  done: boolean;
}

interface BatchRequest {
  namespace: string;
  batchSize?: number | undefined;
  singleBatch?: boolean;
  /** For the first batch. The time that it leaves is for the next ones. */
  deadline?: Deadline;
}

export class Cursors {
  readonly #storage: Pick<Storage, 'readInSlices'>;
  readonly #open = new Map<bigint, OpenCursor>();
  readonly #sweep: NodeJS.Timeout;
  #lastId = BigInt(Date.now()) << 16n;

  constructor(storage: Pick<Storage, 'readInSlices'>) {
    this.#storage = storage;
    this.#sweep = setInterval(() => this.closeIdle(Date.now() - idleMs), sweepMs);
    this.#sweep.unref();
  }

  get size(): number {
    return this.#open.size;
  }

  /** Returns the first batch and keeps the rest, if there is any. */
  async start(documents: OpenCursor['documents'], request: BatchRequest): Promise<RawBatch> {
    const { namespace, batchSize = firstBatchSize, singleBatch = false } = request;
    const remainingMs = (request.deadline ?? Number.POSITIVE_INFINITY) - performance.now();
    const cursor = { namespace, documents, waiting: undefined, remainingMs, usedAt: Date.now(), busy: false };
    const batch = await this.#read(cursor, batchSize);
    const reply = { namespace, field: 'firstBatch', documents: batch.documents } as const;
    if (batch.done || singleBatch) return { ...reply, cursorId: 0n };
    this.#lastId += 1n;
    this.#open.set(this.#lastId, cursor);
    return { ...reply, cursorId: this.#lastId };
  }

  async next(id: bigint, namespace: string, batchSize: number | undefined): Promise<RawBatch> {
    const cursor = this.#open.get(id);
    if (!cursor) throw new CommandError('CursorNotFound', `cursor id ${id} not found`);
    if (cursor.namespace !== namespace)
      throw new CommandError(
        13,
        `Requested getMore on namespace '${namespace}', but cursor belongs to a different namespace ${cursor.namespace}`,
      );
    if (cursor.busy) throw new CommandError(12051, `cursor id ${id} is already in use`);
    cursor.busy = true;
    try {
      const { documents, done } = await this.#read(cursor, batchSize || Number.POSITIVE_INFINITY);
      if (done) this.#open.delete(id);
      return { namespace, cursorId: this.#open.has(id) ? id : 0n, field: 'nextBatch', documents };
    } catch (error) {
      this.#open.delete(id);
      throw error;
    } finally {
      cursor.busy = false;
      cursor.usedAt = Date.now();
    }
  }

  async #read(cursor: OpenCursor, batchSize: number): Promise<Taken> {
    const startedAt = performance.now();
    const taken = await this.#storage.readInSlices(take(cursor, batchSize), startedAt + cursor.remainingMs);
    cursor.remainingMs -= performance.now() - startedAt;
    return taken;
  }

  kill(id: bigint): boolean {
    return this.#open.delete(id);
  }

  closeIdle(usedBefore: number): void {
    for (const [id, { usedAt, busy }] of this.#open) if (usedAt < usedBefore && !busy) this.#open.delete(id);
  }

  close(): void {
    clearInterval(this.#sweep);
    this.#open.clear();
  }
}

function* take(cursor: OpenCursor, batchSize: number): Work<Taken> {
  const documents: Buffer[] = [];
  let bytes = 0;
  if (batchSize === 0) return { documents, done: false };
  for (;;) {
    const step = cursor.waiting ? { value: cursor.waiting, done: false } : cursor.documents.next();
    cursor.waiting = undefined;
    if (step.done) return { documents, done: true };
    const document: Buffer | undefined = step.value;
    if (document) {
      // One more document is read to see whether this is the last batch, which saves the client a
      // getMore.
      if (documents.length >= batchSize || (documents.length > 0 && bytes + document.length > maxBatchBytes)) {
        cursor.waiting = document;
        return { documents, done: false };
      }
      documents.push(document);
      bytes += document.length;
    }
    yield 'pause';
  }
}

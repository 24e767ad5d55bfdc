// Open cursors: what is left to answer after the first batch. A cursor that nobody reads for ten minutes goes.
import { CommandError } from './errors.ts';
import type { Work } from './slices.ts';
import type { Storage } from './storage.ts';
import type { RawBatch } from './wire-message.ts';

const idleMs = 10 * 60_000;
const sweepMs = 60_000;
/** A reply must stay below the message limit, whatever batch size was asked for; MongoDB's own limit is 16 MiB. */
const maxBatchBytes = 16 * 1024 * 1024;
const firstBatchSize = 101;

interface OpenCursor {
  namespace: string;
  /** `undefined` where the search may pause. */
  documents: Iterator<Buffer | undefined>;
  /** Read but not sent, because it would have made the batch too large. */
  waiting: Buffer | undefined;
  usedAt: number;
  busy: boolean;
}

export interface BatchRequest {
  namespace: string;
  batchSize?: number | undefined;
  singleBatch?: boolean;
  /** Does not go when nobody reads it. */
  staysOpen?: boolean;
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

  /** Answers the first batch and keeps the rest, if there is any. */
  async start(
    documents: Iterator<Buffer | undefined>,
    { namespace, batchSize = firstBatchSize, singleBatch = false, staysOpen = false }: BatchRequest,
  ): Promise<RawBatch> {
    const usedAt = staysOpen ? Number.POSITIVE_INFINITY : Date.now();
    const cursor: OpenCursor = { namespace, documents, waiting: undefined, usedAt, busy: false };
    const { batch, done } = await this.#storage.readInSlices(this.#take(cursor, batchSize));
    if (done || singleBatch) return { namespace, cursorId: 0n, field: 'firstBatch', documents: batch };
    this.#lastId += 1n;
    this.#open.set(this.#lastId, cursor);
    return { namespace, cursorId: this.#lastId, field: 'firstBatch', documents: batch };
  }

  async next(id: bigint, namespace: string, batchSize: number | undefined): Promise<RawBatch> {
    const cursor = this.#open.get(id);
    if (!cursor) throw new CommandError('CursorNotFound', `cursor id ${id} not found`);
    if (cursor.namespace !== namespace) {
      throw new CommandError(
        13,
        `Requested getMore on namespace '${namespace}', but cursor belongs to a different namespace ${cursor.namespace}`,
      );
    }
    if (cursor.busy) throw new CommandError(12051, `cursor id ${id} is already in use`);
    cursor.busy = true;
    try {
      const { batch, done } = await this.#storage.readInSlices(
        this.#take(cursor, batchSize || Number.POSITIVE_INFINITY),
      );
      if (done) this.#open.delete(id);
      return { namespace, cursorId: this.#open.has(id) ? id : 0n, field: 'nextBatch', documents: batch };
    } catch (error) {
      this.#open.delete(id);
      throw error;
    } finally {
      cursor.busy = false;
      cursor.usedAt = Math.max(cursor.usedAt, Date.now());
    }
  }

  *#take(cursor: OpenCursor, batchSize: number): Work<{ batch: Buffer[]; done: boolean }> {
    const batch: Buffer[] = [];
    let bytes = 0;
    if (batchSize === 0) return { batch, done: false };
    for (;;) {
      const step = cursor.waiting ? { value: cursor.waiting, done: false } : cursor.documents.next();
      cursor.waiting = undefined;
      if (step.done) return { batch, done: true };
      const document: Buffer | undefined = step.value;
      if (!document) {
        yield;
        continue;
      }
      // One document further than asked for, to know whether it was the last: clients with a limit then need no getMore.
      if (batch.length >= batchSize || (batch.length > 0 && bytes + document.length > maxBatchBytes)) {
        cursor.waiting = document;
        return { batch, done: false };
      }
      batch.push(document);
      bytes += document.length;
      yield;
    }
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

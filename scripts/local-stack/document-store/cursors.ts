// Open cursors: what is left to answer after the first batch. A cursor that nobody reads for ten minutes goes.
import { CommandError } from './errors.ts';
import type { RawBatch } from './wire-message.ts';

const idleMs = 10 * 60_000;
const sweepMs = 60_000;
/** A reply must stay below the message limit, whatever batch size was asked for; MongoDB's own limit is 16 MiB. */
const maxBatchBytes = 16 * 1024 * 1024;
const firstBatchSize = 101;

interface OpenCursor {
  namespace: string;
  documents: Iterator<Buffer>;
  /** Read but not sent, because it would have made the batch too large. */
  waiting: Buffer | undefined;
  usedAt: number;
}

export interface BatchRequest {
  namespace: string;
  batchSize?: number | undefined;
  singleBatch?: boolean;
}

export class Cursors {
  readonly #open = new Map<bigint, OpenCursor>();
  readonly #sweep: NodeJS.Timeout;
  #lastId = BigInt(Date.now()) << 16n;

  constructor() {
    this.#sweep = setInterval(() => this.closeIdle(Date.now() - idleMs), sweepMs);
    this.#sweep.unref();
  }

  get size(): number {
    return this.#open.size;
  }

  /** Answers the first batch and keeps the rest, if there is any. */
  start(
    documents: Iterator<Buffer>,
    { namespace, batchSize = firstBatchSize, singleBatch = false }: BatchRequest,
  ): RawBatch {
    const cursor: OpenCursor = { namespace, documents, waiting: undefined, usedAt: Date.now() };
    const { batch, done } = this.#take(cursor, batchSize);
    if (done || singleBatch) return { namespace, cursorId: 0n, field: 'firstBatch', documents: batch };
    this.#lastId += 1n;
    this.#open.set(this.#lastId, cursor);
    return { namespace, cursorId: this.#lastId, field: 'firstBatch', documents: batch };
  }

  next(id: bigint, namespace: string, batchSize: number | undefined): RawBatch {
    const cursor = this.#open.get(id);
    if (!cursor) throw new CommandError('CursorNotFound', `cursor id ${id} not found`);
    if (cursor.namespace !== namespace) {
      throw new CommandError(
        13,
        `Requested getMore on namespace '${namespace}', but cursor belongs to a different namespace ${cursor.namespace}`,
      );
    }
    cursor.usedAt = Date.now();
    let taken: { batch: Buffer[]; done: boolean };
    try {
      taken = this.#take(cursor, batchSize || Number.POSITIVE_INFINITY);
    } catch (error) {
      this.#open.delete(id);
      throw error;
    }
    if (taken.done) this.#open.delete(id);
    return { namespace, cursorId: taken.done ? 0n : id, field: 'nextBatch', documents: taken.batch };
  }

  #take(cursor: OpenCursor, batchSize: number): { batch: Buffer[]; done: boolean } {
    const batch: Buffer[] = [];
    let bytes = 0;
    if (batchSize === 0) return { batch, done: false };
    for (;;) {
      const document = cursor.waiting ?? cursor.documents.next().value;
      cursor.waiting = undefined;
      if (document === undefined) return { batch, done: true };
      // One document further than asked for, to know whether it was the last: clients with a limit then need no getMore.
      if (batch.length >= batchSize || (batch.length > 0 && bytes + document.length > maxBatchBytes)) {
        cursor.waiting = document;
        return { batch, done: false };
      }
      batch.push(document);
      bytes += document.length;
    }
  }

  kill(id: bigint): boolean {
    return this.#open.delete(id);
  }

  closeIdle(usedBefore: number): void {
    for (const [id, { usedAt }] of this.#open) if (usedAt < usedBefore) this.#open.delete(id);
  }

  close(): void {
    clearInterval(this.#sweep);
    this.#open.clear();
  }
}

import { emptyUsage, type Span, type UsageCounters } from '../usage/usage.ts';
import type { Money } from './money.ts';

interface BucketCost {
  queue: Money | null;
  function: Money | null;
  inference: Money | null;
  total: Money | null;
}

export interface CostBucket {
  /** The start of the UTC hour or day, in epoch milliseconds. */
  start: number;
  usage: Readonly<UsageCounters>;
  cost: Readonly<BucketCost>;
}

/** The requested page of a period's buckets. */
export interface PageRequest {
  /** `next` of the previous page; absent for the first page. */
  cursor?: number | undefined;
  /** Maximum number of buckets on a page. */
  limit: number;
}

/** The usage of all buckets without entries. The object is shared. */
export const zeroUsage: Readonly<UsageCounters> = Object.freeze(emptyUsage());
/** The cost of all buckets without entries. The object is shared. */
export const zeroCost: Readonly<BucketCost> = Object.freeze({ queue: 0n, function: 0n, inference: 0n, total: 0n });

/**
 * One page of a series of buckets. A page contains the buckets without entries too, so its rows
 * have no gaps. A page without any entries is left out: two entries a century apart are two pages.
 */
export class BucketPage<Row = CostBucket> {
  readonly rows: Row[] = [];
  /** Where the next page begins, in epoch milliseconds; null on the last page. */
  next: number | null = null;
  readonly #limit: number;
  readonly #length: number;
  readonly #cursor: number;
  readonly #present: (bucket: CostBucket) => Row;
  /** The start of the next row; undefined before the first bucket with entries. */
  #following: number | undefined;

  /**
   * @param length length of a bucket, in milliseconds.
   * @param present makes the row of a bucket.
   */
  constructor({ cursor, limit }: PageRequest, length: number, present: (bucket: CostBucket) => Row) {
    this.#limit = limit;
    this.#length = length;
    this.#cursor = cursor ?? -Infinity;
    this.#present = present;
  }

  /**
   * Must be called for every bucket with entries of the series, in order. Buckets outside the page
   * are dropped.
   */
  add(bucket: CostBucket): void {
    this.#following ??= Math.max(bucket.start, this.#cursor);
    if (this.next !== null || bucket.start < this.#following) return;
    while (this.#following < bucket.start && this.rows.length < this.#limit) {
      this.#append({ start: this.#following, usage: zeroUsage, cost: zeroCost });
    }
    if (this.rows.length < this.#limit) {
      this.#append(bucket);
    } else {
      const endOfNextPage = this.#following + this.#limit * this.#length;
      this.next = bucket.start < endOfNextPage ? this.#following : bucket.start;
    }
  }

  /**
   * Whether the page can show a part of a span. All buckets before `first` must have been added,
   * but for the last one, and the next one begins within `first`, or later: then the page can also
   * show later spans. Buckets that are not on the page need not be as long as those of the page.
   */
  canShow(span: Span, first: Span): boolean {
    if (this.next !== null) return false;
    const start = this.#following ?? Math.max(first.start, this.#cursor);
    const latest = this.#following ?? Math.max(first.end, this.#cursor);
    const end = latest + (this.#limit - this.rows.length) * this.#length;
    return span.end > start && span.start < end;
  }

  #append(bucket: CostBucket): void {
    this.rows.push(this.#present(bucket));
    this.#following = bucket.start + this.#length;
  }
}

import { randomUUID } from 'node:crypto';

/** The last position that an id can contain. */
export const maxEntryIndex = 0xffff;

/**
 * The id of a log entry: a UUID of version 8 (RFC 9562, custom) from the batch's id and, in its
 * last 16 bits, the entry's position in the request, or in a batch of several requests. The id is
 * known before the entry is processed, and is not stored.
 * @param index at most `maxEntryIndex`.
 */
export function logEntryId(batchId: string, index: number): string {
  return `${batchId.slice(0, 14)}8${batchId.slice(15, 32)}${lastDigits(index)}`;
}

/**
 * The id of a batch that can have the entries of several requests: a UUID of version 4 whose last
 * 16 bits are 0.
 */
export const newBatchId = (): string => batchOf(randomUUID());

/**
 * The id by which a request reads the state of its entries: that of the batch with, in the last 16
 * bits, the position of the first of them. So the first request of a batch has the batch's id.
 */
export const requestPartId = (batchId: string, first: number): string =>
  first === 0 ? batchId : batchId.slice(0, 32) + lastDigits(first);

/** @returns the batch of a `requestPartId` and the position in it. */
export const readRequestPartId = (id: string): { batchId: string; first: number } => ({
  batchId: batchOf(id),
  first: Number.parseInt(id.slice(32), 16),
});

const batchOf = (id: string) => id.slice(0, 32) + lastDigits(0);

const lastDigits = (position: number) => position.toString(16).padStart(4, '0');

/** The last position that an id can contain. */
export const maxEntryIndex = 0xffff;

/**
 * The id of a log entry: a UUID of version 8 (RFC 9562, custom) from the batch's id and, in its
 * last 16 bits, the entry's position in the request. The id is known before the entry is processed,
 * and is not stored.
 * @param index at most `maxEntryIndex`.
 */
export function logEntryId(batchId: string, index: number): string {
  return logEntryIdStart(batchId) + index.toString(16).padStart(4, '0');
}

/** The common start of the ids of a batch: all but the last 4 hexadecimal digits. */
export function logEntryIdStart(batchId: string): string {
  return `${batchId.slice(0, 14)}8${batchId.slice(15, 32)}`;
}

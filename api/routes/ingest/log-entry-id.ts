import { hash } from 'node:crypto';

/**
 * The id of a log entry: a name-based UUID (RFC 9562, version 5) with the batch's id as namespace and the entry's
 * position in the request as name. Fixed before the entry is processed for the first time, and never stored.
 */
export function logEntryId(batchId: string, index: number): string {
  const namespace = Buffer.from(batchId.replaceAll('-', ''), 'hex');
  const digest = Buffer.from(hash('sha1', Buffer.concat([namespace, Buffer.from(String(index))]), 'hex'), 'hex');
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x50, 6);
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = digest.toString('hex', 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

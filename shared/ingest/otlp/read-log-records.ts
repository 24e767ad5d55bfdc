import { isSliceOver, nextSlice } from '../../process/time-slices.ts';
import type { EntryList, ReadEntry } from '../reading/entry-list.ts';
import { readJsonRecords } from './json-records.ts';
import { entryOfRecord, type SentRecord } from './log-record-entry.ts';
import { readProtobufRecords } from './protobuf-records.ts';

/**
 * Adds the log records of a request of OpenTelemetry to a list.
 * @throws AppError when the request as a whole is not valid.
 */
export async function addLogRecords(
  list: EntryList,
  bytes: Buffer,
  encoding: 'json' | 'protobuf',
  { now, maxBytes }: { now: number; maxBytes: number },
): Promise<void> {
  const records = encoding === 'json' ? readJsonRecords(bytes, maxBytes) : readProtobufRecords(bytes, maxBytes);
  for await (const record of records) {
    if (isSliceOver()) await nextSlice();
    list.add(convert(record, list, now));
  }
}

function convert({ path, origin, read }: SentRecord, { rules }: EntryList, now: number): ReadEntry {
  const rejected = (reason: string) => ({ errors: [{ field: path, error: reason }] });
  if ('rejected' in origin) return rejected(origin.rejected);
  const record = read();
  if ('rejected' in record) return rejected(record.rejected);
  const entry = entryOfRecord(record, origin, { usageReader: rules.usageReader, now });
  return typeof entry === 'object' && 'rejected' in entry ? rejected(entry.rejected) : entry;
}

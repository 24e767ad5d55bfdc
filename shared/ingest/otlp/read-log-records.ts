import { isSliceOver, nextSlice } from '../../process/time-slices.ts';
import type { LogEntryInput } from '../reading/entry-limits.ts';
import type { LooseEntry } from '../reading/loose-entry.ts';
import { entryOfRecord, type RecordTerms, type SentRecord } from './log-record-entry.ts';

export interface ReadLogRecords {
  entries: LogEntryInput[];
  rejected: number;
  /** Records without a message. */
  skipped: number;
  /** Entries with a time that is not used, because it is not plausible. */
  refusedTimes: number;
  /** Entries with a usage that is not understood. */
  usageUnread: number;
  /** The reasons of the first rejected records. */
  reasons: string[];
}

const maxReasons = 3;

/**
 * Reads the log records of a request. A record without a message, or with a blank one, is
 * skipped.
 * @throws AppError when the body as a whole is not valid.
 */
export async function readLogRecords(records: AsyncIterable<SentRecord>, terms: RecordTerms): Promise<ReadLogRecords> {
  const read: ReadLogRecords = { entries: [], rejected: 0, skipped: 0, refusedTimes: 0, usageUnread: 0, reasons: [] };
  for await (const sent of records) {
    if (isSliceOver()) await nextSlice();
    const result = convert(sent, terms);
    if (result === null) read.skipped += 1;
    else if ('entry' in result) {
      read.entries.push(result.entry);
      if (result.isTimeRefused) read.refusedTimes += 1;
      if (result.entry.usageUnread) read.usageUnread += 1;
    } else {
      read.rejected += 1;
      if (read.rejected <= maxReasons) read.reasons.push(`${sent.path} ${result.rejected}`);
    }
  }
  return read;
}

/** The log records of a request as entries of a list. */
export async function* entriesOfRecords(
  records: AsyncIterable<SentRecord>,
  terms: RecordTerms,
): AsyncGenerator<LooseEntry> {
  for await (const sent of records) {
    if (isSliceOver()) await nextSlice();
    const result = convert(sent, terms);
    if (result === null) yield 'blank';
    else if ('entry' in result) yield { value: result.entry };
    else yield { errors: [{ field: sent.path, error: result.rejected }] };
  }
}

function convert({ origin, read }: SentRecord, terms: RecordTerms) {
  if ('rejected' in origin) return origin;
  const record = read();
  return 'rejected' in record ? record : entryOfRecord(record, origin, terms);
}

import type { LogEntryInput } from '../batch-text.ts';
import { createUsageReader, type UsageReader } from '../entry-usage.ts';
import type { ModelNames } from '../model-name.ts';
import type { Envelope } from './envelopes.ts';
import { addUsage, entryOf, type LooseEntry, maxLevels, readLooseEntry } from './loose-entry.ts';

/** Bounds of what is read of a body. */
export interface EntryLimits {
  readonly entries: number;
  /** Of an entry, as are levels and fields; fields and items of all levels count. */
  readonly bytes: number;
  readonly levels: number;
  readonly fields: number;
}

/** A line of text with what it says about itself. */
export type TextLine = Pick<LogEntryInput, 'message' | 'timestamp' | 'level'>;

/** Rules that say which values are log entries, and what happens to the others. */
export interface EntryRules {
  readonly limits: EntryLimits;
  /** Whether a part that is not JSON or not UTF-8 only rejects the entry that it is in. */
  readonly isLenient: boolean;
  readonly usageReader: UsageReader;
  /**
   * @param text the JSON of the value.
   * @param onlyFirst whether the first error of the entry is enough.
   */
  read(value: unknown, text: string, onlyFirst: boolean): LooseEntry | { envelope: Envelope };
  readLine(line: TextLine, onlyFirst: boolean): LooseEntry;
}

/** An entry is whatever a log shipper sends, and an entry at fault is rejected by itself. */
export function looseRules(names: ModelNames, maxBytes: number): EntryRules {
  const usageReader = createUsageReader(names);
  return {
    // Only bytes limit a body, but each entry counts as 64 of them at least. A message of 256 KiB
    // takes up to six times as many bytes when escaped.
    limits: { entries: Math.floor(maxBytes / 64), bytes: 2 * 1024 * 1024, levels: maxLevels, fields: 10_000 },
    isLenient: true,
    usageReader,
    read: (value, text) => readLooseEntry(value, { text, usageReader, now: Date.now() }),
    readLine: ({ message, ...others }) => {
      addUsage(others, usageReader.readText(message));
      return entryOf(message, others);
    },
  };
}

import { createUsageReader, type UsageReader } from '../entry-usage.ts';
import type { ModelNames } from '../model-name.ts';
import { type EntryLimits, type LogEntryInput, looseLimits } from './entry-limits.ts';
import type { Envelope } from './envelopes.ts';
import { addUsage, entryOf, type LooseEntry, readLooseEntry } from './loose-entry.ts';

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
    limits: looseLimits(maxBytes),
    isLenient: true,
    usageReader,
    read: (value, text) => readLooseEntry(value, { text, usageReader, now: Date.now() }),
    readLine: ({ message, ...others }) => {
      addUsage(others, usageReader.readText(message));
      return entryOf(message, others);
    },
  };
}

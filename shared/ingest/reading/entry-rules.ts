import { AppError, type FieldError } from '../../errors.ts';
import { bodyError } from '../../json/field-errors.ts';
import type { BodyFault, JsonLimits } from '../../json/json-scanner.ts';
import { createUsageReader, type UsageReader } from '../entry-usage.ts';
import type { ModelNames } from '../model-name.ts';
import { type LogEntryInput, looseLimits, maxLooseEntryBytes } from './entry-limits.ts';
import type { Envelope } from './envelopes.ts';
import { addUsage, entryOf, type LooseEntry, readLooseEntry } from './loose-entry.ts';

/** The entries of a request body, each valid or with its errors. */
export interface ParsedEntries {
  /** Whether one entry was sent, not a list. */
  single: boolean;
  valid: LogEntryInput[];
  /** The positions of the valid entries in the request. */
  positions: number[];
  invalid: { index: number; errors: FieldError[] }[];
  /** Entries without a message, which are skipped. */
  blank: number;
  /** Valid entries whose own time is used. */
  timed: number;
  /** Valid entries with a usage that is not understood. */
  usageUnread: number;
}

/** A line of text with what it says about itself. */
export type TextLine = Pick<LogEntryInput, 'message' | 'timestamp' | 'level'>;

/** Rules that say which values are log entries, and what happens to the others. */
export interface EntryRules {
  readonly limits: JsonLimits;
  /** Bytes of an entry that is parsed. */
  readonly maxEntryBytes: number;
  /** Whether a part that is not JSON or not UTF-8 only rejects the entry that it is in. */
  readonly isLenient: boolean;
  readonly usageReader: UsageReader;
  read(value: unknown, facts: EntryFacts): LooseEntry | { envelope: Envelope };
  readLine(line: TextLine, facts: EntryFacts): LooseEntry;
}

export interface EntryFacts {
  /** The JSON of the value, or the line of text. */
  readonly text: string;
  /** Whether the value can have parts that no schema covers; see `forbiddenParts`. */
  readonly isSuspicious: boolean;
  /** Whether the text of the value can have the usage of a model call. */
  readonly canHaveUsage: boolean;
  /** Whether the first error of the entry is enough. */
  readonly onlyFirst: boolean;
}

export function faultError(fault: BodyFault, { limits, isLenient }: EntryRules): AppError {
  const most = `must hold at most ${limits.entries} log entries`;
  if (fault === 'values') return bodyError(`must have at most ${limits.values} fields in all log entries together`);
  return isLenient ? new AppError('PAYLOAD_TOO_LARGE', `The body ${most}.`) : bodyError(most);
}

export const tooLongError = ({ maxEntryBytes }: EntryRules): FieldError => ({
  field: 'body',
  error: `must be at most ${maxEntryBytes} bytes`,
});

/**
 * The errors of all entries as one list: `message` of a single entry, `[3].message` of the fourth
 * in a list.
 */
export function fieldErrorsOf({ single, invalid }: Pick<ParsedEntries, 'single' | 'invalid'>): FieldError[] {
  return invalid.flatMap(({ index, errors }) =>
    errors.map(({ field, error }) => ({ field: single ? field : fieldInList(index, field), error })),
  );
}

function fieldInList(index: number, field: string): string {
  return field === 'body' ? `[${index}]` : `[${index}].${field}`;
}

/** An entry is whatever a log shipper sends, and an entry at fault is rejected by itself. */
export function looseRules(names: ModelNames, maxBytes: number): EntryRules {
  const reader = createUsageReader(names);
  return {
    limits: looseLimits(maxBytes),
    maxEntryBytes: maxLooseEntryBytes,
    isLenient: true,
    usageReader: reader,
    read: (value, { text, canHaveUsage }) =>
      readLooseEntry(value, { text, usageReader: reader, canHaveUsage, now: Date.now() }),
    readLine: ({ message, ...others }, { canHaveUsage }) => {
      if (canHaveUsage) addUsage(others, reader.readText(message));
      return entryOf(message, others);
    },
  };
}

import type { ObjectSchema, Schema } from 'joi';
import type { KnownNames } from '../../shared/cost/price-book.ts';
import { AppError, type FieldError } from '../../shared/errors.ts';
import type { BodyFault, JsonLimits } from '../http/body/json-scanner.ts';
import { bodyError } from '../http/body/request-body.ts';
import { forbiddenParts } from '../http/field-errors.ts';
import { check } from '../http/validate.ts';
import { createEntryGuard } from './entry-guard.ts';
import type { Envelope } from './envelopes.ts';
import { bodyLimits, type LogEntryInput, looseLimits, maxLooseEntryBytes } from './ingest.schemas.ts';
import { entryOf, type LooseEntry, readLooseEntry } from './loose-entry.ts';

/** The entries of a request body, each valid or with its errors. */
export interface ParsedEntries {
  /** Whether one entry was sent, not a list. */
  single: boolean;
  valid: LogEntryInput[];
  /**
   * The valid entries as they were sent: JSON objects with a comma between each two. null if they
   * were sent in another form, had to be converted, or are hidden in much more than their values.
   */
  sent: Buffer | null;
  /** The positions of the valid entries in the request. */
  positions: number[];
  invalid: { index: number; errors: FieldError[] }[];
  /** Entries without a message, which are skipped. */
  blank: number;
  /** Valid lines of text whose time was read; null if the body is not text. */
  timed: number | null;
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
  read(value: unknown, facts: EntryFacts): LooseEntry | { envelope: Envelope };
  readLine(line: TextLine, facts: EntryFacts): LooseEntry;
}

interface EntryFacts {
  /** Whether the value can have parts that no schema covers; see `forbiddenParts`. */
  readonly isSuspicious: boolean;
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

/** An entry is a LogEntry, and a body of something else is refused. */
export function strictRules(schema: ObjectSchema<LogEntryInput>, names: KnownNames, maxBytes: number): EntryRules {
  const guard = createEntryGuard(names);
  const read = (value: unknown, { isSuspicious, onlyFirst }: EntryFacts) => {
    // Nearly all entries have no forbidden parts, which their text shows without a walk.
    const forbidden = isSuspicious ? forbiddenParts(value) : [];
    const accepted = forbidden.length === 0 ? guard(value) : undefined;
    return accepted ? { value: accepted } : check(schema, value, { forbidden, onlyFirst });
  };
  return { limits: bodyLimits, maxEntryBytes: maxBytes, isLenient: false, read, readLine: read };
}

/** An entry is whatever a log shipper sends, and an entry at fault is rejected by itself. */
export function looseRules(schema: ObjectSchema<LogEntryInput>, maxBytes: number): EntryRules {
  const usageSchema = schema.extract('usage') as Schema<LogEntryInput['usage']>;
  const readUsage = (value: unknown) => {
    const result = check(usageSchema, value, { onlyFirst: true });
    return 'value' in result ? result.value : undefined;
  };
  return {
    limits: looseLimits(maxBytes),
    maxEntryBytes: maxLooseEntryBytes,
    isLenient: true,
    read: (value) => readLooseEntry(value, readUsage),
    readLine: ({ message, ...others }) => entryOf(message, others),
  };
}

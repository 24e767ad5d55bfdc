import type { ObjectSchema, Schema } from 'joi';
import { compileGuard } from '../http/compile-guard.ts';
import { forbiddenParts } from '../http/field-errors.ts';
import { check } from '../http/validate.ts';
import type { EntryFacts, EntryRules } from './entry-reading.ts';
import { bodyLimits, type LogEntryInput, looseLimits, maxLooseEntryBytes } from './ingest.schemas.ts';
import { entryOf, readLooseEntry } from './loose-entry.ts';

/** An entry is a LogEntry, and a body of something else is refused. */
export function strictRules(schema: ObjectSchema<LogEntryInput>, maxBytes: number): EntryRules {
  const guard = compileGuard(schema);
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
    readLine: ({ message, ...told }) => entryOf(message, told),
  };
}

import type { ObjectSchema } from 'joi';
import type { KnownNames } from '../../shared/cost/price-book.ts';
import { unknownModel } from '../../shared/cost/unknown-name.ts';
import { AppError, type FieldError } from '../../shared/errors.ts';
import { createUsageReader, type UsageReader } from '../../shared/ingest/entry-usage.ts';
import { usageForms } from '../../shared/ingest/model-usage/usage-forms.ts';
import type { BodyFault, JsonLimits } from '../http/body/json-scanner.ts';
import { bodyError } from '../http/body/request-body.ts';
import { forbiddenParts } from '../http/field-errors.ts';
import { check } from '../http/validate.ts';
import { createEntryGuard } from './entry-guard.ts';
import { type Envelope, isObject } from './envelopes.ts';
import { bodyLimits, type LogEntryInput, looseLimits, maxLooseEntryBytes } from './ingest.schemas.ts';
import { addUsage, entryOf, type LooseEntry, readLooseEntry } from './loose-entry.ts';

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

interface EntryFacts {
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

/** An entry is a LogEntry, and a body of something else is refused. */
export function strictRules(schema: ObjectSchema<LogEntryInput>, names: KnownNames, maxBytes: number): EntryRules {
  const guard = createEntryGuard(names);
  const reader = createUsageReader(names);
  const checkEntry = (value: unknown, forbidden: FieldError[], onlyFirst: boolean): LooseEntry => {
    const result = check(schema, value, { forbidden, onlyFirst });
    return 'errors' in result ? (checkUsage(value, result.errors) ?? result) : result;
  };
  /** Reads a usage that the schema refuses, in the forms that it does not know. */
  const checkUsage = (value: unknown, errors: FieldError[]): LooseEntry | undefined => {
    const sent = isObject(value) ? value['usage'] : undefined;
    if (!isObject(value) || !isObject(sent) || !errors.some(({ field }) => /^usage\b/.test(field))) return undefined;
    const usage = reader.read(value);
    if (!usage) return undefined;
    const { usage: _, ...others } = value;
    const rest = check(schema, others, { forbidden: [] });
    const fault = usageError(usage, names);
    // The schema describes a fault of its own names better.
    if (fault) return hasOnlyOwnNames(sent) ? undefined : { errors: [...('errors' in rest ? rest.errors : []), fault] };
    return 'errors' in rest ? rest : { value: { ...rest.value, ...('unread' in usage ? {} : { usage }) } };
  };
  const readCalls = (entry: LogEntryInput): LooseEntry => {
    const usage = reader.read({ attributes: entry.attributes }) ?? undefined;
    if (!usage) return { value: entry };
    const fault = usageError(usage, names);
    if (fault || 'unread' in usage) return { errors: [fault ?? { field: 'usage', error: 'is not understood' }] };
    return { value: { ...entry, usage: { ...entry.usage, ...usage } } };
  };
  const read = (value: unknown, { isSuspicious, onlyFirst, canHaveUsage }: EntryFacts): LooseEntry => {
    // Nearly all entries have no forbidden parts, which their text shows without a walk.
    const forbidden = isSuspicious ? forbiddenParts(value) : [];
    const accepted = forbidden.length === 0 ? guard(value) : undefined;
    const result = accepted ? { value: accepted } : checkEntry(value, forbidden, onlyFirst);
    return canHaveUsage && typeof result === 'object' && 'value' in result && result.value.attributes
      ? readCalls(result.value)
      : result;
  };
  const readLine = (line: TextLine, facts: EntryFacts): LooseEntry => {
    const usage = facts.canHaveUsage ? reader.readText(line.message) : undefined;
    const fault = usage && usageError(usage, names);
    if (fault) return { errors: [fault] };
    const result = read(line, { ...facts, canHaveUsage: false });
    if (usage && typeof result === 'object' && 'value' in result) addUsage(result.value, usage);
    return result;
  };
  return { limits: bodyLimits, maxEntryBytes: maxBytes, isLenient: false, usageReader: reader, read, readLine };
}

/** Why a usage is an error in a strict request; undefined if it is none. */
function usageError(usage: NonNullable<ReturnType<UsageReader['read']>>, names: KnownNames): FieldError | undefined {
  if ('unread' in usage) {
    return { field: 'usage', error: `${usage.unread}; forms that are read: ${usageForms}` };
  }
  const { unknown_model: name } = usage;
  return name === undefined ? undefined : { field: 'usage.model', error: unknownModel(name, names) };
}

const ownNames = new Set([
  'function_duration_ms',
  'function_memory_mb',
  'input_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'cache_write_1h_tokens',
  'output_tokens',
  'model',
]);
const hasOnlyOwnNames = (usage: object) => Object.keys(usage).every((name) => ownNames.has(name));

/** An entry is whatever a log shipper sends, and an entry at fault is rejected by itself. */
export function looseRules(names: KnownNames, maxBytes: number): EntryRules {
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

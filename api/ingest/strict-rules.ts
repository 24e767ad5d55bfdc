import type { ObjectSchema } from 'joi';
import type { KnownNames } from '../../shared/cost/price-book.ts';
import { unknownModel } from '../../shared/cost/unknown-name.ts';
import type { FieldError } from '../../shared/errors.ts';
import { createUsageReader, type UsageReader } from '../../shared/ingest/entry-usage.ts';
import { usageForms } from '../../shared/ingest/model-usage/usage-forms.ts';
import { bodyLimits, type LogEntryInput } from '../../shared/ingest/reading/entry-limits.ts';
import type { EntryFacts, EntryRules, TextLine } from '../../shared/ingest/reading/entry-rules.ts';
import { isObject } from '../../shared/ingest/reading/envelopes.ts';
import { addUsage, type LooseEntry } from '../../shared/ingest/reading/loose-entry.ts';
import { forbiddenParts } from '../../shared/json/field-errors.ts';
import { fieldsToScan } from '../../shared/pii/entry-findings.ts';
import { check } from '../http/validate.ts';
import { createEntryGuard } from './entry-guard.ts';

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
  const readCalls = (entry: LogEntryInput): Exclude<LooseEntry, 'blank'> => {
    const usage = reader.read({ attributes: entry.attributes }) ?? undefined;
    if (!usage) return { value: entry };
    const fault = usageError(usage, names);
    if (fault || 'unread' in usage) return { errors: [fault ?? { field: 'usage', error: 'is not understood' }] };
    return { value: { ...entry, usage: { ...entry.usage, ...usage } } };
  };
  const read = (value: unknown, { text, isSuspicious, onlyFirst, canHaveUsage }: EntryFacts): LooseEntry => {
    // Nearly all entries have no forbidden parts, which their text shows without a walk.
    const forbidden = isSuspicious ? forbiddenParts(value) : [];
    const accepted = forbidden.length === 0 ? guard(value) : undefined;
    const result = accepted ? { value: accepted } : checkEntry(value, forbidden, onlyFirst);
    if (result === 'blank' || 'errors' in result) return result;
    const read = canHaveUsage && result.value.attributes ? readCalls(result.value) : result;
    if ('errors' in read) return read;
    const { source, level, attributes } = read.value;
    if (source === undefined && level === undefined && attributes === undefined) return read;
    const found = fieldsToScan({ source, level, attributes }, text);
    return found.fields === undefined ? read : { value: { ...read.value, ...found } };
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

import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { Pointer } from 'typebox/value';
import type { KnownNames } from '../../shared/cost/price-book.ts';
import { unknownModel } from '../../shared/cost/unknown-name.ts';
import type { FieldError } from '../../shared/errors.ts';
import type { LogEntryInput } from '../../shared/ingest/batch-text.ts';
import { createUsageReader } from '../../shared/ingest/model-usage/read-model-usage.ts';
import { maxTokens, usageForms } from '../../shared/ingest/model-usage/usage-forms.ts';
import type { EntryRules, ReadEntry } from '../../shared/ingest/reading/entry-list.ts';
import { addUsage, attributeBytesOf, lengthError, maxLevels } from '../../shared/ingest/reading/loose-entry.ts';
import { isPlausibleTime } from '../../shared/ingest/text-lines/time-formats.ts';
import { fieldPath, forbiddenParts, maxFieldErrors } from '../../shared/json/field-errors.ts';
import { isObject, type JsonObject } from '../../shared/json/parse-json.ts';
import { fieldsToScan } from '../../shared/pii/entry-findings.ts';
import { alternatives, kindOf, quoted } from '../../shared/quoted.ts';
import { parseTimestamp } from '../../shared/timestamp.ts';

const tokenCount = () => Type.Optional(Type.Integer({ minimum: 0, maximum: maxTokens }));

const ownUsage = Type.Object(
  {
    function_duration_ms: Type.Optional(Type.Number({ minimum: 0, maximum: 900_000 })),
    function_memory_mb: Type.Optional(Type.Integer({ minimum: 128, maximum: 10_240 })),
    input_tokens: tokenCount(),
    cache_read_tokens: tokenCount(),
    cache_write_tokens: tokenCount(),
    cache_write_1h_tokens: tokenCount(),
    output_tokens: tokenCount(),
    model: Type.Optional(Type.String({ minLength: 1, examples: ['amazon.nova-lite-v1:0'] })),
  },
  {
    additionalProperties: false,
    description:
      'The usage of a model call and of its function. Usage in the form of a vendor is converted: docs/model-usage.md has the forms, and the names of models.',
  },
);

const scalar = Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'] });

/** The one definition of a log entry, which checks entries and stands in the OpenAPI document. */
export const logEntry = Type.Object(
  {
    message: Type.String({
      minLength: 1,
      description: 'The log line: 1 byte to 256 KiB of UTF-8. `log` and `msg` are aliases.',
    }),
    timestamp: Type.Optional(
      Type.Unsafe<string | number>({
        description:
          'ISO 8601 (UTC if it names no zone), or Unix time in seconds or milliseconds, from 1990 to 24 h ahead of now. Default: now.',
      }),
    ),
    source: Type.Optional(Type.String({ maxLength: 256 })),
    level: Type.Optional(Type.String({ maxLength: 64 })),
    usage: Type.Optional(ownUsage),
    attributes: Type.Optional(
      Type.Unsafe<Record<string, Static<typeof scalar>>>({
        type: 'object',
        additionalProperties: scalar,
        description: 'A flat object. It counts towards `size_bytes` and is not stored.',
      }),
    ),
  },
  { additionalProperties: false },
);

const schema = Compile(logEntry);

/** An escape can encode any character. Nearly all texts show that no part is forbidden. */
const suspicious = /\\u|__proto__|\0/;

/** An entry is a LogEntry, and a body of something else is refused. */
export function strictRules(names: KnownNames, maxBytes: number): EntryRules {
  const readUsage = createUsageReader(names);
  const read = (value: unknown, text: string, onlyFirst: boolean): ReadEntry => {
    const errors = suspicious.test(text) ? forbiddenParts(value) : [];
    const entry = isObject(value) ? withoutAlias(value, errors) : value;
    if (!schema.Check(entry)) errors.push(...schemaErrors(entry));
    if (!isObject(entry)) return { errors };
    const { attributes, ...others } = entry;
    const { message, timestamp: sent, usage, source, level } = others;
    const tooLong = typeof message === 'string' && lengthError(message);
    if (tooLong) errors.push(tooLong);
    const timestamp = sent === undefined ? undefined : entryTimeOf(sent);
    if (sent !== undefined && timestamp === undefined) {
      const error = `must be an ISO 8601 time or a Unix time, from 1990 to 24 h ahead of now, not ${quoted(sent)}`;
      errors.push({ field: 'timestamp', error });
    }
    const isOwnUsage = !errors.some(isOfUsage) && (!isObject(usage) || isKnown(usage['model'], names));
    const reported = isOwnUsage ? undefined : readRefused(entry, errors, onlyFirst);
    const called = text.includes('gen_ai') && isObject(attributes) ? readValid({ attributes }, errors) : undefined;
    if (errors.length > 0) return { errors: onePerField(errors).slice(0, onlyFirst ? 1 : maxFieldErrors) };
    return {
      value: {
        ...(others as unknown as LogEntryInput),
        ...(isObject(attributes) && { attributeBytes: attributeBytesOf(Object.entries(attributes), Infinity) }),
        ...(timestamp !== undefined && { timestamp }),
        ...((reported ?? called) && { usage: { ...(reported ?? (usage as LogEntryInput['usage'])), ...called } }),
        ...((source ?? level ?? attributes) !== undefined && fieldsToScan({ source, level, attributes }, text)),
      },
    };
  };
  /** Reads the usage of a record, or adds its error. */
  const readValid = (record: JsonObject | string, errors: FieldError[], onlyFirst = false) => {
    const reported = readUsage(record);
    if (!reported) return undefined;
    if ('unread' in reported) {
      errors.push({ field: 'usage', error: `${reported.unread}; forms that are read: ${usageForms}` });
      return undefined;
    }
    const { unknown_model: name } = reported;
    if (name !== undefined) {
      // To find the nearest names for each of a thousand entries would take longer than the rest.
      const error = onlyFirst ? `${quoted(name)} is not a model` : unknownModel(name, names);
      errors.push({ field: 'usage.model', error });
    }
    return reported;
  };
  /** Reads a usage that the schema refuses, and leaves out the errors that it is no reason for. */
  const readRefused = (entry: JsonObject, errors: FieldError[], onlyFirst: boolean) => {
    const { usage } = entry;
    const ownErrors: FieldError[] = [];
    const reported = readValid(entry, ownErrors, onlyFirst);
    if (!isObject(usage) || (!reported && ownErrors.length === 0)) return undefined;
    // The schema describes a fault of its own names better.
    const isDescribed = errors.some(isOfUsage) && Object.keys(usage).every((name) => name in ownUsage.properties);
    if (ownErrors.length > 0 && isDescribed) return undefined;
    errors.splice(0, errors.length, ...errors.filter((error) => !isOfUsage(error)), ...ownErrors);
    return reported;
  };
  return {
    limits: { entries: 1000, bytes: maxBytes, levels: maxLevels, fields: 1000 },
    isLenient: false,
    readUsage,
    read,
    readLine: (line, onlyFirst): ReadEntry => {
      const errors: FieldError[] = [];
      const usage = readValid(line.message, errors, onlyFirst);
      if (errors.length > 0) return { errors };
      const result = read(line, line.message, onlyFirst);
      if (typeof result === 'object' && 'value' in result && usage) addUsage(result.value, usage);
      return result;
    },
  };
}

const isOfUsage = ({ field }: FieldError) => /^usage\b/.test(field);
const isKnown = (model: unknown, names: KnownNames) => typeof model !== 'string' || names.modelIds.has(model);

/** @returns undefined if the value is not a time at which an entry can count. */
function entryTimeOf(value: unknown): number | undefined {
  const time = parseTimestamp(value);
  return time !== undefined && isPlausibleTime(time, Date.now()) ? time : undefined;
}

/** Renames `log` or `msg`, the names that log shippers use, to `message`. */
function withoutAlias(value: JsonObject, errors: FieldError[]): JsonObject {
  let result = value;
  for (const alias of ['log', 'msg']) {
    const { [alias]: message, ...others } = result;
    if (message === undefined) continue;
    if ('message' in others) errors.push({ field: 'message', error: 'must be sent once, as message, log or msg' });
    result = { message, ...others };
  }
  return result;
}

/** The errors of the schema in the words of the service. */
function schemaErrors(entry: unknown): FieldError[] {
  return schema.Errors(entry).flatMap(({ instancePath, keyword, params }) => {
    const path = Pointer.Indices(instancePath);
    const sent = path.reduce<unknown>((value, name) => (value as JsonObject)[name], entry);
    const inFields = (names: readonly string[], error: string) =>
      names.map((name) => ({ field: fieldPath([...path, name]), error }));
    const inField = (error: string) => [{ field: fieldPath(path), error }];
    switch (keyword) {
      case 'required':
        return inFields(params.requiredProperties, 'is required');
      case 'additionalProperties': {
        const known = Object.keys(path.length === 0 ? logEntry.properties : ownUsage.properties);
        return inFields(params.additionalProperties, `is unknown; known are ${known.join(', ')}`);
      }
      case 'type': {
        const types = [params.type].flat();
        const isNumber = types.length === 1 && (types[0] === 'number' || types[0] === 'integer');
        const kinds = alternatives(types.map((type) => `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`));
        return inField(`must be ${kinds}, not ${isNumber ? quoted(sent) : kindOf(sent)}`);
      }
      case 'minLength':
        return inField('is not allowed to be empty');
      case 'maxLength':
        return inField(`must be at most ${params.limit} characters long`);
      case 'minimum':
      case 'maximum':
        return inField(`must be at ${keyword === 'minimum' ? 'least' : 'most'} ${params.limit}, not ${quoted(sent)}`);
      default:
        return [];
    }
  });
}

const onePerField = (errors: readonly FieldError[]) =>
  errors.filter(({ field }, at) => errors.findIndex((error) => error.field === field) === at);

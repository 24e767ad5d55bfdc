import type { ObjectSchema } from 'joi';
import type { KnownNames } from '../../shared/cost/price-book.ts';
import { isPlausibleTime } from '../../shared/ingest/entry-time.ts';
import { maxTokens } from '../../shared/ingest/model-usage/token-counts.ts';
import { type LineOptions, type LogEntryInput, maxMessageBytes } from '../../shared/ingest/reading/entry-limits.ts';
import { openTimeZone } from '../../shared/ingest/text-lines/time-zone.ts';
import { parseTimestamp } from '../../shared/timestamp.ts';
import { Joi, number, uuid } from '../http/joi.ts';
import { unknownZone } from '../http/validate.ts';
import { modelId } from '../scenarios/assumptions.schema.ts';

/** Bounds of the other fields of a log entry, which the schema and its guard share. */
export const entryBounds = {
  durationMs: { min: 0, max: 900_000 },
  memoryMb: { min: 128, max: 10_240 },
  tokens: { min: 0, max: maxTokens },
  sourceCharacters: 256,
  levelCharacters: 64,
} as const;

export interface IngestQuery extends LineOptions {
  partial: boolean;
  fields: 'strict' | 'loose';
  answer: 'full' | 'summary';
}

export const ingestQuery = (defaults: Pick<IngestQuery, 'fields' | 'answer'>) =>
  Joi.object<IngestQuery>({
    partial: Joi.boolean()
      .default(false)
      .description('Accept the valid entries of a list even if other entries are invalid. `fields=loose` always does.'),
    fields: Joi.string()
      .valid('strict', 'loose')
      .default(defaults.fields)
      .description(
        'What an entry may contain. `strict`: the fields of a LogEntry. `loose`: any fields; those of a LogEntry are also known by the names that log shippers use, and all others count as attributes.',
      ),
    answer: Joi.string()
      .valid('full', 'summary')
      .default(defaults.answer)
      .description(
        '`full`: the usage and the cost of every entry, after a worker has processed it; at most 1,000 entries, all among the first 65,536. `summary`: the numbers of accepted and rejected entries, as soon as they are in the database.',
      ),
    time: Joi.string()
      .valid('line', 'arrival')
      .default('line')
      .description(
        'The time of a line of text. `line`: the time that it begins with; otherwise that of the line before it in the request; otherwise that of arrival. The level of the line is read too. `arrival`: the time of arrival, without a level.',
      ),
    zone: Joi.name()
      .max(64)
      .known(
        (name) => openTimeZone(name) !== null,
        (name) => `${unknownZone(name)}; offsets belong into the lines`,
      )
      .default('UTC')
      .description('The zone of times in lines of text that name none, such as `Europe/Berlin`.')
      .example('UTC'),
    join: Joi.string()
      .valid('none', 'trace')
      .default('none')
      .description(
        '`trace`: lines of text that continue the entry before them are joined to it, up to 64 KiB: lines that begin with white space, `Caused by:` or `... 3 more`, and lines without a time if the others have one.',
      ),
  });

const scenarioId = uuid().description('Id of the scenario.').example('6f6fb4b1-5c0e-4d3c-9a53-3f2b8a6f1c11');

const prefer = Joi.string().description('`respond-async`: respond with 202 at once.').example('respond-async');

export const ingestHeaders = Joi.object<{ 'X-Scenario-ID': string; Prefer?: string }>({
  'X-Scenario-ID': scenarioId.required(),
  Prefer: prefer,
});

export const ingestPath = Joi.object<{ scenario_id: string }>({ scenario_id: scenarioId.required() });

export const preferHeader = Joi.object<{ Prefer?: string }>({ Prefer: prefer });

export const flushHeaders = Joi.object<{ 'X-Scenario-ID'?: string }>({
  'X-Scenario-ID': uuid().description('Id of the scenario. Default: all scenarios.'),
});

/**
 * @returns epoch milliseconds; undefined if the value is not a time at which an entry can count.
 */
export function entryTimeOf(value: unknown): number | undefined {
  const time = parseTimestamp(value);
  return time !== undefined && isPlausibleTime(time, Date.now()) ? time : undefined;
}

/** The schema of one log entry, with the models of the price books. */
export function logEntrySchema(names: KnownNames): ObjectSchema<LogEntryInput> {
  const { durationMs, memoryMb, tokens, sourceCharacters, levelCharacters } = entryBounds;
  const tokenCount = () => number().integer().min(tokens.min).max(tokens.max);
  return (
    Joi.object<LogEntryInput>({
      message: Joi.string()
        .max(maxMessageBytes, 'utf8')
        .required()
        .messages({ 'string.max': 'must be at most 262144 bytes of UTF-8' })
        .description('The log line: 1 byte to 256 KiB of UTF-8. `log` and `msg` are aliases.'),
      timestamp: Joi.any()
        .custom((value, helpers) => entryTimeOf(value) ?? helpers.error('time.form'))
        .messages({ 'time.form': 'must be an ISO 8601 time or a Unix time, from 1990 to 24 h ahead of now' })
        .description(
          'ISO 8601 (UTC if it names no zone), or Unix time in seconds or milliseconds, from 1990 to 24 h ahead of now. Default: now.',
        ),
      source: Joi.text().allow('').characters(0, sourceCharacters),
      level: Joi.text().allow('').characters(0, levelCharacters),
      usage: Joi.object({
        function_duration_ms: number().min(durationMs.min).max(durationMs.max),
        function_memory_mb: number().integer().min(memoryMb.min).max(memoryMb.max),
        input_tokens: tokenCount(),
        cache_read_tokens: tokenCount(),
        cache_write_tokens: tokenCount(),
        cache_write_1h_tokens: tokenCount(),
        output_tokens: tokenCount(),
        model: modelId(names),
      }).description(
        'The usage of a model call and of its function. Usage in the form of a vendor is converted: docs/model-usage.md has the forms, and the names of models.',
      ),
      attributes: Joi.object()
        .pattern(/.*/, Joi.scalar())
        .description('A flat object. It counts towards `size_bytes` and is not stored.'),
    })
      // The names that log shippers use.
      .rename('log', 'message', { ignoreUndefined: true })
      .rename('msg', 'message', { ignoreUndefined: true })
      .messages({
        'object.rename.multiple': 'must be sent once, as message, log or msg',
        'object.rename.override': 'must be sent once, as message, log or msg',
      })
  );
}

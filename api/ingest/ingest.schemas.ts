import type { LineOptions } from '../../shared/ingest/reading/entry-limits.ts';
import { openTimeZone } from '../../shared/ingest/text-lines/time-zone.ts';
import { Joi, uuid } from '../http/joi.ts';
import { unknownZone } from '../http/validate.ts';

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

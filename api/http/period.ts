import type { CustomHelpers, ObjectSchema } from 'joi';
import { endOfTimestamps, parseTimestamp } from '../../shared/timestamp.ts';
import type { Period } from '../../shared/usage/periods.ts';
import { Joi } from './joi.ts';

const form = 'must be an ISO 8601 date or time, such as 2026-05-01 or 2026-05-01T12:00:00Z';

const instant = (last?: number) =>
  Joi.string()
    .custom((text: string, helpers: CustomHelpers) => {
      const time = parseTimestamp(text, last);
      return time === undefined ? helpers.error('instant.form') : new Date(time);
    })
    .messages({ 'instant.form': form, 'string.base': form, 'string.empty': form });

export const periodFields = {
  from: instant()
    .description('Start of the period, inclusive; ISO 8601, UTC if it names no zone.')
    .example('2026-05-01'),
  to: instant(endOfTimestamps)
    .description('End of the period, exclusive; ISO 8601, UTC if it names no zone.')
    .example('2026-06-01T00:00:00Z'),
};

/** A query with the parameters of a period, which must be in order. */
export const withPeriod = <Query extends Period>(schema: ObjectSchema<Query>): ObjectSchema<Query> =>
  schema.custom(inOrder).messages({ 'period.order': 'must be before to' });

function inOrder(query: Period, helpers: CustomHelpers): unknown {
  const { from, to } = query;
  if (from === undefined || to === undefined || from < to) return query;
  return helpers.error('period.order', {}, helpers.state.localize?.(['from']));
}

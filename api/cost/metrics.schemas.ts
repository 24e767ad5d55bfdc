import type { CustomHelpers, ObjectSchema } from 'joi';
import type { PageOptions } from '../../shared/cost/paged-cost.ts';
import { type Interval, intervals, type Period } from '../../shared/usage/periods.ts';
import { Joi } from '../http/joi.ts';
import { endOfTimestamps, parseTimestamp } from '../http/timestamp.ts';
import { type MetricsCursor, parseCursor } from './metrics-cursor.ts';

/** Rows of a page: twelve weeks of hours, five years of days. */
export const maxRows = 2_000;
/** A month of hours, two years of days: less than 300 kB. */
const defaultRows = 744;

export interface MetricsQuery {
  /** Inclusive; rounded down to its hour. */
  from?: Date;
  /** Exclusive; rounded up to the next hour. */
  to?: Date;
  /** Absent: hours, or days where the hours would not fit on one page. */
  interval?: Interval;
  cursor?: MetricsCursor;
  limit: number;
}

export const instant = (last?: number) =>
  Joi.string()
    .custom((text: string, helpers: CustomHelpers) => {
      const time = parseTimestamp(text, last);
      return time === undefined ? helpers.error('instant.form') : new Date(time);
    })
    .messages(
      Object.fromEntries(
        ['instant.form', 'string.base', 'string.empty'].map((type) => [
          type,
          'must be an ISO 8601 date or time, such as 2026-05-01 or 2026-05-01T12:00:00Z',
        ]),
      ),
    );

/** The query parameters of a period. */
export const periodFields = {
  from: instant()
    .description('Start of the period, inclusive; ISO 8601, UTC if it names no zone.')
    .example('2026-05-01'),
  to: instant(endOfTimestamps)
    .description('End of the period, exclusive; ISO 8601, UTC if it names no zone.')
    .example('2026-06-01T00:00:00Z'),
};

export const intervalField = Joi.string()
  .valid(...intervals)
  .messages({ 'any.only': 'must be hour or day' });

/** A query with the parameters of a period, which must be in order. */
export const withPeriod = <Query extends Period>(schema: ObjectSchema<Query>): ObjectSchema<Query> =>
  schema.custom(inOrder).messages({ 'period.order': 'must be before to' });

export const metricsQuery = withPeriod(
  Joi.object<MetricsQuery>({
    ...periodFields,
    interval: intervalField.description(
      'Rows by hour or by day. Default: hour; day where the period has more than 2,000 hours.',
    ),
    cursor: Joi.string()
      .custom((text: string, helpers) => parseCursor(text) ?? helpers.error('cursor.form'))
      .messages({ 'cursor.form': 'must be `next` of the page before' })
      .description('Continues the time series: `next` of the page before, with the same period.')
      .example('hour:2026-05-15T00:00:00.000Z'),
    limit: Joi.number().integer().min(1).max(maxRows).default(defaultRows).description('The most rows of a page.'),
  }),
)
  .custom(ofOneInterval)
  .messages({ 'cursor.interval': 'is of another interval' });

/** The page of the time series that a query requests. */
export function pageOf({ interval, cursor, limit }: MetricsQuery): PageOptions {
  return { interval: cursor?.interval ?? interval, maxHours: maxRows, cursor: cursor?.start, limit };
}

function inOrder(query: Period, helpers: CustomHelpers): unknown {
  const { from, to } = query;
  if (from === undefined || to === undefined || from < to) return query;
  return helpers.error('period.order', {}, helpers.state.localize?.(['from']));
}

function ofOneInterval(query: MetricsQuery, helpers: CustomHelpers): unknown {
  const { interval, cursor } = query;
  if (interval === undefined || cursor === undefined || interval === cursor.interval) return query;
  return helpers.error('cursor.interval', {}, helpers.state.localize?.(['cursor']));
}

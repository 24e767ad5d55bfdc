import type { CustomHelpers } from 'joi';
import type { PageOptions } from '../../shared/cost/paged-cost.ts';
import { type Interval, intervals } from '../../shared/usage/periods.ts';
import { Joi } from '../http/joi.ts';
import { periodFields, withPeriod } from '../http/period.ts';
import { type MetricsCursor, parseCursor } from './metrics-cursor.ts';

/** Rows of a page: twelve weeks of hours, five years of days. */
const maxRows = 2_000;
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

export const intervalField = Joi.string().valid(...intervals);

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

function ofOneInterval(query: MetricsQuery, helpers: CustomHelpers): unknown {
  const { interval, cursor } = query;
  if (interval === undefined || cursor === undefined || interval === cursor.interval) return query;
  return helpers.error('cursor.interval', {}, helpers.state.localize?.(['cursor']));
}

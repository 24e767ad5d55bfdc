import type { CustomHelpers } from 'joi';
import type { Interval } from '../../../shared/pricing/periods.ts';
import { Joi } from '../../validation/joi.ts';
import { endOfTimestamps, parseTimestamp } from '../../validation/timestamp.ts';

export interface MetricsQuery {
  /** Inclusive; rounded down to its hour. */
  from?: Date;
  /** Exclusive; rounded up to the next hour. */
  to?: Date;
  /** Absent: hours, or days where there would be too many hours. */
  interval?: Interval;
}

const instant = (last?: number) =>
  Joi.any().custom((value: unknown, helpers) => {
    const time = typeof value === 'string' ? parseTimestamp(value, last) : undefined;
    return time === undefined
      ? helpers.message({ custom: 'must be an ISO 8601 date or time, such as 2026-05-01 or 2026-05-01T12:00:00Z' })
      : new Date(time);
  });

export const metricsQuery = Joi.object<MetricsQuery>({
  from: instant().description('Start of the period, inclusive; ISO 8601, UTC if it names no zone.'),
  to: instant(endOfTimestamps).description('End of the period, exclusive; ISO 8601, UTC if it names no zone.'),
  interval: Joi.string()
    .valid('hour', 'day')
    .messages({ 'any.only': 'must be hour or day' })
    .description('Rows by hour or by day. Default: hour; day where that would be more than 50,000 rows.'),
})
  .custom(inOrder)
  .messages({ 'period.order': 'must be before to' });

function inOrder(query: MetricsQuery, helpers: CustomHelpers): unknown {
  const { from, to } = query;
  if (from === undefined || to === undefined || from < to) return query;
  return helpers.error('period.order', {}, helpers.state.localize?.(['from']));
}

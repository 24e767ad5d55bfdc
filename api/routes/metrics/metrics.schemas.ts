import type { CustomHelpers } from 'joi';
import type { Interval } from '../../../shared/pricing/periods.ts';
import { Joi } from '../../validation/joi.ts';
import { parseTimestamp } from '../../validation/timestamp.ts';

export interface MetricsQuery {
  /** Inclusive; rounded down to its hour. */
  from?: Date;
  /** Exclusive; rounded up to the next hour. */
  to?: Date;
  interval: Interval;
}

const instant = Joi.any().custom((value: unknown, helpers) => {
  const time = typeof value === 'string' ? parseTimestamp(value) : undefined;
  return time === undefined
    ? helpers.message({ custom: 'must be an ISO 8601 date or time, such as 2026-05-01 or 2026-05-01T12:00:00Z' })
    : new Date(time);
});

export const metricsQuery = Joi.object<MetricsQuery>({
  from: instant.description('Start of the period, inclusive; ISO 8601, UTC where it names no zone.'),
  to: instant.description('End of the period, exclusive; ISO 8601, UTC where it names no zone.'),
  interval: Joi.string().valid('hour', 'day').default('hour').messages({ 'any.only': 'must be hour or day' }),
})
  .custom(inOrder)
  .messages({ 'period.order': 'must be before to' });

function inOrder(query: MetricsQuery, helpers: CustomHelpers): unknown {
  const { from, to } = query;
  if (from === undefined || to === undefined || from < to) return query;
  return helpers.error('period.order', {}, helpers.state.localize?.(['from']));
}

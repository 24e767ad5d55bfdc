import type { CustomHelpers } from 'joi';
import { parseTimestamp } from '../../shared/timestamp.ts';
import type { Period } from '../../shared/usage/periods.ts';
import { Joi } from '../http/joi.ts';
import { periodFields, withPeriod } from '../http/period.ts';

/** Ten years. */
const maxMonths = 120;

export interface ExplanationQuery extends Period {
  /** The start of a UTC month, in epoch milliseconds. */
  cursor?: number;
  limit: number;
}

export const explanationQuery = withPeriod(
  Joi.object<ExplanationQuery>({
    ...periodFields,
    cursor: Joi.string()
      .custom((text: string, helpers: CustomHelpers) => {
        const start = /^\d{4}-\d{2}$/.test(text) ? parseTimestamp(`${text}-01`) : undefined;
        return start ?? helpers.error('cursor.form');
      })
      .messages({ 'cursor.form': 'must be `next` of the page before' })
      .description('Continues the months: `next` of the page before, with the same period.')
      .example('2026-05'),
    limit: Joi.number().integer().min(1).max(maxMonths).default(maxMonths).description('The most months of a page.'),
  }),
);

/** The month of a cursor: `2026-05`. */
export function formatMonth(start: number): string {
  return new Date(start).toISOString().slice(0, 7);
}

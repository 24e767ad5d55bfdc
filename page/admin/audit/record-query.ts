import { day } from '../../../shared/durations.ts';

export const recordsPerPage = 20;

/** The API lists 10,000 records. */
const lastPage = 10_000 / recordsPerPage;

interface Wanted {
  /** Days of UTC; empty for an open end. */
  readonly from: string;
  readonly to: string;
  readonly page: number;
}

/**
 * The query of audit records. The end of a period is exclusive in the API; a day of the filter
 * belongs to it. Malformed days of an address are not sent.
 */
export function recordQuery<Filter extends Wanted>({ from, to, page, ...rest }: Filter) {
  return {
    ...rest,
    from: timeOf(from, 0),
    to: timeOf(to, 1),
    page: Math.min(page, lastPage),
    page_size: recordsPerPage,
  };
}

/** The start of a day, or of one that is later by a number of days. */
function timeOf(text: string, daysLater: number): string | undefined {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  // Some browsers read the 30th of February as a day of March.
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(text)) return undefined;
  return new Date(time + daysLater * day).toISOString();
}

import { addressQuery, changeQuery, pushQuery } from '../app/address.ts';
import { announce } from '../components/announcer.tsx';
import { formatSpan } from '../format/times.ts';
import { type Bounds, formatPeriod, type Period, parsePeriod } from './period.ts';

/** The period of the address. */
export const chosenPeriod = (): Period => parsePeriod(addressQuery());

export const choosePeriod = (period: Period): void => changeQuery(formatPeriod(period));

/** Shows a part of the present period. The browser's Back returns to the whole. */
export function zoomInto({ from, to }: Bounds): void {
  pushQuery(formatPeriod({ kind: 'own', from, to }));
  announce(`The period is now ${formatSpan(from, to)}.`);
}

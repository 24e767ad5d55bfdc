import { day, hour } from '../../../shared/durations.ts';
import type { Interval } from '../../format/times.ts';

/** Rows of one response of the API. */
export const maxRows = 2_000;

/** In ms: longer periods have narrower bars than a person can point at. */
const longestByHour = 14 * day;

/** The steps in which a period of this length can be shown, from the shortest. */
export const stepsFor = (length: number): Interval[] => (length <= maxRows * hour ? ['hour', 'day'] : ['day']);

/** @param wanted is shown if it fits. */
export const stepFor = (length: number, wanted: string | null): Interval =>
  stepsFor(length).find((step) => step === wanted) ?? (length <= longestByHour ? 'hour' : 'day');

/** In ms. */
export const lengthOf = (step: Interval): number => (step === 'hour' ? hour : day);

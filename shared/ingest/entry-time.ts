import { earliestTime, mostAhead } from './text-lines/time-formats.ts';

/**
 * Whether an entry counts at this time: from 1990 to a day ahead of `now`, all in epoch
 * milliseconds. Any other time is that of a clock that was not set, so the entry counts at its
 * arrival.
 */
export const isPlausibleTime = (time: number, now: number): boolean => time >= earliestTime && time <= now + mostAhead;

import { type Bounds, earliest, isReversed, latest } from './period.ts';

/**
 * Reads the bounds of two fields: local times without a zone, empty for an open end.
 * @returns a sentence if they are not a period.
 */
export function readBounds(typed: Bounds, isUtc: boolean): Bounds | string {
  if (typed.from === '' && typed.to === '') return 'Give one of the two times, or choose All.';
  const [from, to] = [isoOf(typed.from, isUtc), isoOf(typed.to, isUtc)];
  if (from === undefined || to === undefined) return 'Give times from 1970 to 2099.';
  if (isReversed({ from, to })) return 'The first time must be before the second.';
  return { from, to };
}

/** @returns undefined for a time that a bound cannot have. */
function isoOf(local: string, isUtc: boolean): string | undefined {
  if (local === '') return '';
  const time = Date.parse(isUtc ? `${local}Z` : local);
  // False for a malformed time, too.
  return time >= earliest && time <= latest ? new Date(time).toISOString() : undefined;
}

/** A time in the form of a field, in the chosen zone. */
export function localOf(iso: string, isUtc: boolean): string {
  if (iso === '') return '';
  const time = new Date(iso);
  const shift = isUtc ? 0 : time.getTimezoneOffset() * 60_000;
  return new Date(time.getTime() - shift).toISOString().slice(0, 16);
}

// The period that all views of a scenario show, and its form in addresses.
import { day, hour } from '../../shared/durations.ts';

/** Lengths that can be chosen, up to the last entry. In ms. */
const lastLengths = { hour, day, week: 7 * day, month: 30 * day } as const;
type LastLength = keyof typeof lastLengths;

export type Period =
  | { readonly kind: 'all' }
  | { readonly kind: 'last'; readonly length: LastLength }
  | ({ readonly kind: 'own' } & Bounds);

/** ISO times of whole hours, `from` inclusive and `to` exclusive; empty for an open end. */
export interface Bounds {
  readonly from: string;
  readonly to: string;
}

/** The hours with entries of a scenario; null without entries. */
export interface EntrySpan {
  readonly from: string | null;
  readonly to: string | null;
}

/** The times that a bound can have. In ms. */
const earliest = Date.UTC(1970, 0);
const latest = Date.UTC(2100, 0);

/** All entries. */
export const unbounded: Bounds = { from: '', to: '' };

/** The period of an address. A malformed part is left out; the rest can be reversed. */
export function parsePeriod(query: URLSearchParams): Period {
  const length = query.get('period') ?? '';
  if (isLastLength(length)) return { kind: 'last', length };
  const from = parseHour(query.get('from'), Math.floor);
  const to = parseHour(query.get('to'), Math.ceil);
  return from === '' && to === '' ? { kind: 'all' } : { kind: 'own', from, to };
}

/** Whether the first time is not before the second one, so that there is no such period. */
export const isReversed = ({ from, to }: Bounds): boolean => from !== '' && to !== '' && from >= to;

/** The parameters of a period in an address. */
export function formatPeriod(period: Period): Readonly<Record<'period' | 'from' | 'to', string | undefined>> {
  const { from, to }: Bounds = period.kind === 'own' ? period : unbounded;
  const short = (iso: string) => (iso === '' ? undefined : iso.replace(':00.000Z', 'Z'));
  return { period: period.kind === 'last' ? period.length : undefined, from: short(from), to: short(to) };
}

/**
 * The bounds of a period. A last hour, day, week or month ends with the last entry, so that a log
 * of last year has one, too.
 */
export function boundsOf(period: Period, entries: EntrySpan): Bounds {
  if (period.kind === 'own') return { from: period.from, to: period.to };
  if (period.kind === 'all' || entries.to === null) return unbounded;
  return { from: new Date(Date.parse(entries.to) - lastLengths[period.length]).toISOString(), to: entries.to };
}

/** The part of a period that has entries; null without entries in it. */
export function spanWithin({ from, to }: Bounds, entries: EntrySpan): { start: number; end: number } | null {
  if (entries.from === null || entries.to === null) return null;
  const start = Math.max(from === '' ? -Infinity : Date.parse(from), Date.parse(entries.from));
  const end = Math.min(to === '' ? Infinity : Date.parse(to), Date.parse(entries.to));
  return start < end ? { start, end } : null;
}

export const isLastLength = (text: string): text is LastLength => Object.hasOwn(lastLengths, text);

/** Dates, and times in UTC. */
const isoForm = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z)?$/;

function parseHour(text: string | null, round: (hours: number) => number): string {
  if (text === null || !isoForm.test(text)) return '';
  const time = round(Date.parse(text) / hour) * hour;
  return time >= earliest && time <= latest ? new Date(time).toISOString() : '';
}

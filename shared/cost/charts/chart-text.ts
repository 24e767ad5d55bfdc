import { day, hour } from '../../durations.ts';
import type { Interval } from '../../usage/periods.ts';
import { formatAmount, type Money, moneyDecimals, parseDecimal } from '../money.ts';
import type { ChartData, ChartKind } from './chart-data.ts';

export const kindTitles: Readonly<Record<ChartKind, string>> = {
  'cost-over-time': 'Cost over time',
  'cost-by-service': 'Cost by service',
  'logs-over-time': 'Log entries over time',
  'pii-by-type': 'Personal data by type',
};

export const serviceNames = { queue: 'Queue', function: 'Function', inference: 'Inference' } as const;
export const piiNames = { email: 'Email address', national_id: 'National ID', payment_card: 'Payment card' } as const;

/**
 * Characters that XML forbids, line breaks, and characters that change the direction of the text
 * after them.
 */
const unsafe = /[\p{Cc}\p{Cs}\uFFFE\uFFFF\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]+/gu;

/**
 * A name as one line of XML text. The writing direction of its letters stays, and changes nothing
 * around it.
 */
export function plainText(name: string): string {
  return name.replace(unsafe, ' ').replace(/\s+/g, ' ').trim();
}

const counts = new Intl.NumberFormat('en');
export const formatCount = (count: number | bigint): string => counts.format(count);

const ticks = new Intl.NumberFormat('en', { maximumSignificantDigits: 6 });
/**
 * A value of an axis in USD. It has as many decimals as tell it from its neighbours, which can be
 * less than a cent.
 */
export const formatAxisAmount = (usd: number): string => ticks.format(usd);

export const moneyOf = (amount: string): Money => parseDecimal(amount, moneyDecimals);

export const formatCost = (amount: string | null): string =>
  amount === null ? 'no price' : `${grouped(formatAmount(moneyOf(amount)))} USD`;

/** "0.1234" as "12.34 %", without arithmetic. */
export function formatPercent(share: string): string {
  const digits = share.replace('.', '');
  return `${digits.slice(0, -2).replace(/^0+(?=\d)/, '')}.${digits.slice(-2)} %`;
}

const grouped = (amount: string) => amount.replace(/\B(?=(\d{3})+\.)/g, ',');

/** Start of an hour or day in UTC: `2026-05-01 13:00`, `2026-05-01`. */
export function formatStart(start: number | Date, interval: Interval): string {
  const text = new Date(start).toISOString();
  return interval === 'day' ? text.slice(0, 10) : `${text.slice(0, 10)} ${text.slice(11, 16)}`;
}

/** Describes the chart in a line: period, unit and total. */
export function describeChart(kind: ChartKind, { period, totals, interval, rows, rowsTruncated }: ChartData): string {
  const last = rows.at(-1);
  const from = period.from ?? rows[0]?.start;
  const to = period.to ?? (last && last.start + (interval === 'hour' ? hour : day));
  const ends = [from, to].map((end) => (end === undefined ? undefined : formatStart(end, 'hour')));
  const span = ends[0] && ends[1] ? `${ends[0]} to ${ends[1]} UTC` : 'no entries';
  const cut = rowsTruncated && kind.endsWith('-over-time') && last !== undefined;
  return [
    span,
    describeTotal(kind, totals),
    ...(cut ? [`only the first ${formatCount(rows.length)} ${interval}s are shown`] : []),
  ].join(' · ');
}

function describeTotal(kind: ChartKind, { cost, status, incomplete, ...totals }: ChartData['totals']): string {
  if (kind === 'logs-over-time') return `${formatCount(totals.logs)} entries`;
  if (kind === 'pii-by-type') {
    return `${formatCount(totals.pii_logs)} of ${formatCount(totals.logs)} entries have personal data`;
  }
  const part = incomplete && cost !== null ? ', some usage has no price' : '';
  return `total ${formatCost(cost)} (${status}${part})`;
}

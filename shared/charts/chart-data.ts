import type { CostBucket } from '../pricing/bucket-page.ts';
import type { Interval } from '../pricing/periods.ts';
import type { CostBreakdownLine, CostTotals } from '../pricing/present-cost.ts';

export const chartKinds = ['cost-over-time', 'cost-by-service', 'logs-over-time', 'pii-by-type'] as const;
export type ChartKind = (typeof chartKinds)[number];

export const chartThemes = ['light', 'dark'] as const;
export type ChartTheme = (typeof chartThemes)[number];

/** What charts show: usage and cost of a period, as in its metrics. */
export interface ChartData {
  readonly scenario: { readonly name: string };
  /** In whole UTC hours, `to` is exclusive; null for an open end of a scenario without entries. */
  readonly period: { readonly from: Date | null; readonly to: Date | null };
  readonly totals: Pick<CostTotals, 'logs' | 'pii_logs' | 'pii' | 'cost' | 'status' | 'incomplete'>;
  /** Queue, function, inference, in this order. */
  readonly breakdown: readonly Pick<CostBreakdownLine, 'service' | 'cost' | 'share'>[];
  readonly interval: Interval;
  /** Ascending and without gaps, those without entries included. */
  readonly rows: readonly CostBucket[];
  /** Whether later rows are left out. Totals include them. */
  readonly rowsTruncated: boolean;
}

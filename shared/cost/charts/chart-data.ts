import type { PeriodCost } from '../paged-cost.ts';
import type { CostBreakdownLine, CostTotals } from '../present-cost.ts';

export const chartKinds = ['cost-over-time', 'cost-by-service', 'logs-over-time', 'pii-by-type'] as const;
export type ChartKind = (typeof chartKinds)[number];

export const chartThemes = ['light', 'dark'] as const;
export type ChartTheme = (typeof chartThemes)[number];

/**
 * Part of the tags of charts: a change of how charts look increases it, so that stored copies are
 * not shown any more.
 */
export const drawingVersion = 1;

/** Content of charts: usage and cost of a period, as in its metrics. */
export interface ChartData extends Pick<PeriodCost, 'period' | 'interval' | 'rows' | 'rowsTruncated'> {
  /** Without a name, the kind of the chart is its title. */
  readonly scenario: { readonly name: string };
  readonly totals: Pick<CostTotals, 'logs' | 'pii_logs' | 'pii' | 'cost' | 'status' | 'incomplete'>;
  /** Queue, function, inference, in this order. */
  readonly breakdown: readonly Pick<CostBreakdownLine, 'service' | 'cost' | 'share'>[];
}

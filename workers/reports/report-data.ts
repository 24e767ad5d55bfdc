import type { CompleteAssumptions } from '../../shared/pricing/assumptions.ts';
import type { CostBucket } from '../../shared/pricing/bucket-page.ts';
import type { Interval } from '../../shared/pricing/periods.ts';
import type { CostBreakdownLine, CostTotals } from '../../shared/pricing/present-cost.ts';

/**
 * What a PDF report shows. Amounts and counts of `totals` and `breakdown` are those of the metrics of the same period, to
 * the last digit: a template prints them as they are.
 */
export interface ReportData {
  readonly reportId: string;
  readonly title: string;
  /** When the report was requested. */
  readonly createdAt: Date;
  readonly scenario: {
    readonly id: string;
    readonly name: string;
    readonly description: string;
    readonly region: { readonly code: string; readonly name: string };
    /** With all defaults. */
    readonly assumptions: CompleteAssumptions;
  };
  /** In whole UTC hours, `to` is exclusive; null for an open end of a scenario without entries. */
  readonly period: { readonly from: Date | null; readonly to: Date | null };
  readonly currency: string;
  readonly priceBook: { readonly version: string; readonly asOf: string };
  readonly totals: CostTotals;
  /** Queue, function, inference, in this order. */
  readonly breakdown: readonly CostBreakdownLine[];
  /** Hours, or days where there are more than `maxReportRows` hours from the first to the last one with entries. */
  readonly interval: Interval;
  /**
   * At most `maxReportRows`, ascending and without gaps: from the first to the last one with entries, those without entries
   * included. `shared/pricing/present-cost.ts` formats usage and amounts.
   */
  readonly rows: readonly CostBucket[];
  /** Whether rows are left out, because there are more than `maxReportRows` days. Totals include them. */
  readonly rowsTruncated: boolean;
}

/** The same number as on a page of metrics. */
export const maxReportRows = 2_000;

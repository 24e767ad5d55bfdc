import type { PeriodCost } from '../../shared/cost/read-period-cost.ts';
import type { CompleteAssumptions } from '../../shared/scenarios/assumptions.ts';

/**
 * Content of a PDF report. Amounts and counts of `totals` and `breakdown` are those of the metrics
 * of the same period, to the last digit: a template prints them as they are.
 * `shared/cost/present-cost.ts` formats those of `rows`.
 */
export interface ReportData extends PeriodCost {
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
  readonly currency: string;
  readonly priceBook: { readonly version: string; readonly asOf: string };
  /** The own prices and discounts that apply to the period, in words. */
  readonly overrides: readonly string[];
}

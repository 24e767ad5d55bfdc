import type { CostPart, SentencePart } from '../../shared/cost/cost-sentence.ts';
import type { PeriodCost } from '../../shared/cost/paged-cost.ts';
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
  /** What it costs and why, as the page says it. */
  readonly sentence: readonly SentencePart[];
  /** The parts of the cost, the largest first. */
  readonly parts: readonly CostPart[];
  readonly designs: ReportDesigns;
  /** The lines that the cost consists of, by month. */
  readonly lines: readonly ReportLine[];
  /** Entries that count at their arrival. */
  readonly untimed: number;
}

type Amounts = Readonly<Record<'queue' | 'function' | 'inference' | 'total', string | null>>;

interface ReportDesign {
  readonly cost: Amounts;
  /** Null without a rate. */
  readonly month: (Amounts & { readonly low: string | null; readonly high: string | null }) | null;
  readonly year: Amounts | null;
  readonly assumptions: CompleteAssumptions;
  readonly flow: { readonly model_entries: number };
}

/** The scenario as it is, and the standard designs. */
export interface ReportDesigns {
  readonly basis: string;
  readonly cheapest: string | null;
  readonly present: ReportDesign;
  readonly items: readonly (ReportDesign & { readonly name: string })[];
}

export interface ReportLine {
  /** `2026-05` */
  readonly month: string;
  readonly service: 'queue' | 'function' | 'inference';
  readonly item: string;
  /** The queue type, the architecture or the model as it is called. */
  readonly of: string;
  readonly quantity: string;
  /** Exact, in USD; null without a price. */
  readonly unitPrice: string | null;
  readonly amount: string | null;
  /** The date and the publishers of the price; null for free units and unknown prices. */
  readonly source: { readonly asOf: string; readonly publishers: readonly string[] } | null;
}

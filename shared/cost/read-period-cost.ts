import type { Interval } from '../usage/periods.ts';
import type { UsageDeps } from '../usage/read-usage.ts';
import type { CostBucket } from './bucket-page.ts';
import { priceByPage } from './paged-cost.ts';
import { type CostBreakdownLine, type CostTotals, presentServices, presentTotals } from './present-cost.ts';
import { readScenarioUsage } from './read-scenario-usage.ts';
import type { ScenarioPricing } from './scenario-cost.ts';

/** Rows of a report or a chart: the same number as on a page of metrics. */
const maxCostRows = 2_000;

/** Usage and cost of a period as in its metrics, to the last digit. */
export interface PeriodCost {
  /** In whole UTC hours, `to` is exclusive; null for an open end of a scenario without entries. */
  readonly period: { readonly from: Date | null; readonly to: Date | null };
  readonly totals: CostTotals;
  /** Queue, function, inference, in this order. */
  readonly breakdown: readonly CostBreakdownLine[];
  readonly interval: Interval;
  /**
   * At most `maxCostRows`, ascending and without gaps: from the first to the last one with entries.
   */
  readonly rows: readonly CostBucket[];
  /** Whether later rows are left out. Totals include them. */
  readonly rowsTruncated: boolean;
}

/**
 * Reads the usage of a scenario and prices it.
 * @param interval absent: hours, or days if there are more than `maxCostRows` hours from the first
 * to the last one with entries.
 */
export async function readPeriodCost(
  deps: UsageDeps,
  scenarioId: string,
  pricing: ScenarioPricing,
  interval?: Interval,
): Promise<PeriodCost> {
  const page = { interval, limit: maxCostRows, maxHours: maxCostRows };
  const cost = await readScenarioUsage(deps, scenarioId, pricing, (readDays) =>
    priceByPage(readDays, pricing, page, ({ start, usage, cost: costOfRow }) => ({ start, usage, cost: costOfRow })),
  );
  return {
    period: cost.period,
    totals: presentTotals(cost),
    breakdown: presentServices(cost),
    interval: cost.interval,
    rows: cost.rows,
    rowsTruncated: cost.next !== null,
  };
}

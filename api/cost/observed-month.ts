import { priceMonths } from '../../shared/cost/monthly-usage.ts';
import { hasPipeline } from '../../shared/cost/pipeline/derive-hour.ts';
import { monthOfPipeline } from '../../shared/cost/pipeline/pipeline-month.ts';
import { type ProjectedMonth, projectMonth, type Ratio } from '../../shared/cost/projection.ts';
import type { Terms } from '../../shared/cost/what-if.ts';
import { sumUsage, type UsageCounters } from '../../shared/usage/usage.ts';
import type { PriceSettings } from './priced-usage.ts';

interface MonthRatios {
  /** The hours of a month over the observed ones. */
  ofHours: Ratio;
  /** The entries of a month over the observed ones. */
  ofEntries: Ratio;
}

/**
 * Prices a month of observed usage.
 * @param parts the usage of a pipeline must be that at the volume of the month.
 */
export async function priceObservedMonth(
  parts: readonly UsageCounters[],
  { region, assumptions, asModel }: Terms,
  ratios: MonthRatios,
  { priceBook, config }: PriceSettings,
): Promise<ProjectedMonth> {
  const pricing = { region, assumptions, asModel, book: priceBook, fallback: config.priceFallback };
  if (!hasPipeline(assumptions)) return projectMonth(sumUsage(parts), ratios.ofEntries, pricing);
  const month = { hour: new Date(0), ...monthOfPipeline(parts, ratios) };
  return { ...(await priceMonths({ months: [month], period: {} }, pricing)), over: 1n };
}

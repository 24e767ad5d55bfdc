import type { CostBucket } from '../../shared/cost/bucket-page.ts';
import { overridesIn } from '../../shared/cost/overridden-book.ts';
import { summarizeOverride } from '../../shared/cost/override-texts.ts';
import type { PricedScenario } from '../../shared/cost/price-books.ts';
import { readPeriodCost } from '../../shared/cost/read-period-cost.ts';
import { readScenarioUsage } from '../../shared/cost/read-scenario-usage.ts';
import { ScenarioPricer, type ScenarioPricing } from '../../shared/cost/scenario-cost.ts';
import { isSliceOver, nextSlice } from '../../shared/process/time-slices.ts';
import type { Report } from '../../shared/reports/report.model.ts';
import { applyDefaults } from '../../shared/scenarios/assumptions.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import type { HourUsage } from '../../shared/usage/usage.ts';
import type { WorkerDeps } from '../worker-deps.ts';
import { createHourLines } from './csv/hour-rows.ts';
import type { ReportData } from './report-data.ts';

/**
 * Usage of all days that timestamps can have: a report has few attempts, and nothing waits for it.
 */
const maxPendingBytes = 24 * 1024 * 1024;

export type CostDeps = Pick<WorkerDeps, 'models' | 'queues' | 'config' | 'priceBooks'>;

/** The terms that determine the prices of a report. */
export async function pricingOf(
  { from, to }: Pick<Report, 'from' | 'to'>,
  scenario: PricedScenario & Pick<Scenario, 'region'>,
  { priceBooks, config }: Pick<CostDeps, 'priceBooks' | 'config'>,
): Promise<ScenarioPricing> {
  const { region, assumptions } = scenario;
  const book = await priceBooks.ofScenario(scenario);
  return { region, assumptions, book, fallback: config.priceFallback, from, to };
}

/** Usage and cost of a scenario for a PDF: the same figures as its metrics. */
export async function readReportData(report: Report, scenario: Scenario, deps: CostDeps): Promise<ReportData> {
  const pricing = await pricingOf(report, scenario, deps);
  const { book } = pricing;
  const cost = await readPeriodCost({ ...deps, maxPendingBytes }, scenario._id, pricing);
  return {
    ...cost,
    reportId: report._id,
    title: report.title,
    createdAt: report.createdAt,
    scenario: {
      id: scenario._id,
      name: scenario.name,
      description: scenario.description,
      region: {
        code: scenario.region,
        name: book.regions.find(({ code }) => code === scenario.region)?.name ?? scenario.region,
      },
      assumptions: applyDefaults(scenario.assumptions),
    },
    currency: book.currency,
    priceBook: { version: book.version, asOf: book.asOf },
    overrides: overridesIn(book, cost.period).map(summarizeOverride),
  };
}

/**
 * Writes the lines of a CSV report by hour, priced while the hours are read.
 * @param write is called again with all lines if a roll-up overtakes the read.
 */
export async function writeHourLines<Written>(
  report: Report,
  scenario: Scenario,
  deps: CostDeps,
  write: (lines: AsyncIterable<Buffer>) => Promise<Written>,
): Promise<Written> {
  const pricing = await pricingOf(report, scenario, deps);
  const usage = { ...deps, maxPendingBytes };
  return readScenarioUsage(usage, scenario._id, pricing, (readDays) =>
    write(
      hourLines(
        readDays(() => 'hours'),
        pricing,
      ),
    ),
  );
}

async function* hourLines(days: AsyncIterable<readonly HourUsage[]>, pricing: ScenarioPricing): AsyncGenerator<Buffer> {
  const { region, book, assumptions } = pricing;
  const hasPipeline = assumptions?.pipeline !== undefined;
  const hasOverrides = overridesIn(book, { from: pricing.from ?? null, to: pricing.to ?? null }).length > 0;
  const lines = createHourLines({ region, priceBook: book.version, hasPipeline, hasOverrides });
  let priced: CostBucket[] = [];
  const pricer = new ScenarioPricer(pricing, 'hour', (bucket) => priced.push(bucket));
  const takePriced = () => {
    const formatted = lines.hours(priced);
    priced = [];
    return formatted;
  };
  yield lines.header();
  for await (const hours of days) {
    if (isSliceOver()) await nextSlice();
    for (const hour of hours) pricer.add(hour);
    if (priced.length > 0) yield takePriced();
  }
  const cost = pricer.finish();
  if (priced.length > 0) yield takePriced();
  yield lines.totals(cost);
}

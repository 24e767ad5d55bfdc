import type { Report } from '../../shared/models/report.model.ts';
import type { Scenario } from '../../shared/models/scenario.model.ts';
import { applyDefaults } from '../../shared/pricing/assumptions.ts';
import { type CostBucket, zeroUsage } from '../../shared/pricing/bucket-page.ts';
import { countBuckets, type Interval, usageNeededFor } from '../../shared/pricing/periods.ts';
import { presentLines, presentTotals } from '../../shared/pricing/present-cost.ts';
import { priceHours, type ScenarioPricing } from '../../shared/pricing/scenario-cost.ts';
import { inSlices } from '../../shared/runtime/time-slices.ts';
import { readUsage } from '../../shared/services/usage-ledger.ts';
import type { WorkerDeps } from '../worker-deps.ts';
import { createHourLines } from './csv/hour-rows.ts';
import { maxReportRows, type ReportData } from './report-data.ts';

export type CostDeps = Pick<WorkerDeps, 'models' | 'config' | 'priceBook'>;

/** What determines the prices of a report. */
export function pricingOf(
  { from, to }: Pick<Report, 'from' | 'to'>,
  { region, assumptions }: Pick<Scenario, 'region' | 'assumptions'>,
  { priceBook, config }: Pick<CostDeps, 'priceBook' | 'config'>,
) {
  return { region, assumptions, book: priceBook, fallback: config.priceFallback, from, to } as const;
}

/** Usage and cost of a scenario for a PDF: the same figures as its metrics. */
export async function readReportData(report: Report, scenario: Scenario, deps: CostDeps): Promise<ReportData> {
  const { priceBook: book } = deps;
  const hours = await readUsage(deps.models, scenario._id, usageNeededFor(report));
  const interval: Interval = countBuckets(hours, 'hour', report) <= maxReportRows ? 'hour' : 'day';
  const page = { limit: maxReportRows };
  const cost = await inSlices(priceHours(hours, { ...pricingOf(report, scenario, deps), interval, page }));
  return {
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
    period: cost.period,
    currency: book.currency,
    priceBook: { version: book.version, asOf: book.asOf },
    totals: presentTotals(cost),
    breakdown: presentLines(cost),
    interval,
    rows: cost.buckets,
    rowsTruncated: cost.next !== null,
  };
}

/** The lines of a CSV report by hour. */
export async function* hourLines(report: Report, scenario: Scenario, deps: CostDeps): AsyncGenerator<Buffer> {
  const hours = await readUsage(deps.models, scenario._id, usageNeededFor(report));
  const lines = createHourLines({ region: scenario.region, priceBook: deps.priceBook.version });
  yield lines.header();
  const pricing = pricingOf(report, scenario, deps);
  for (let cursor: number | undefined; ; ) {
    const terms: ScenarioPricing = { ...pricing, interval: 'hour', page: { cursor, limit: hoursPerPage } };
    const cost = await inSlices(priceHours(hours, terms));
    const used = cost.buckets.filter(({ usage }: CostBucket) => usage !== zeroUsage);
    for (let first = 0; first < used.length; first += hoursPerChunk) {
      yield lines.hours(used.slice(first, first + hoursPerChunk));
    }
    if (cost.next === null) {
      yield lines.totals(cost);
      return;
    }
    cursor = cost.next;
  }
}

const hoursPerPage = 100_000;
const hoursPerChunk = 100;

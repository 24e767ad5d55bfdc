import { compareDesigns } from '../../shared/cost/compare-designs.ts';
import {
  comparableDesigns,
  costPartsByShare,
  costSentence,
  type SentenceInput,
} from '../../shared/cost/cost-sentence.ts';
import { formatExactGbSeconds, formatExactMoney, mbMsPerGbSecond } from '../../shared/cost/money.ts';
import { readAtRate } from '../../shared/cost/months-on-terms.ts';
import { summarizeOverride } from '../../shared/cost/own-prices.ts';
import { readPeriodCost } from '../../shared/cost/paged-cost.ts';
import { cheapestDesign } from '../../shared/cost/pipeline/standard-designs.ts';
import { presentParts, presentRemarks } from '../../shared/cost/present-cost.ts';
import type { PriceBook } from '../../shared/cost/price-book.ts';
import { type MonthsCost, priceMonths, readMonths, type ScenarioPricing } from '../../shared/cost/scenario-cost.ts';
import type { Report } from '../../shared/reports/report.model.ts';
import { applyDefaults } from '../../shared/scenarios/assumptions.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import type { WorkerDeps } from '../worker-deps.ts';
import { readPiiFields } from './stored-entries.ts';

export type ReportData = Awaited<ReturnType<typeof readReportData>>;

/**
 * Reads usage and cost of a scenario for a PDF. The amounts and counts of `totals` and `breakdown`
 * are those of the metrics of the same period, to the last digit.
 */
export async function readReportData(
  report: Report,
  scenario: Scenario,
  pricing: ScenarioPricing,
  deps: Pick<WorkerDeps, 'models' | 'queues' | 'config' | 'priceBooks'> & { maxUncounted: number },
) {
  const { book, from, to } = pricing;
  const cost = await readPeriodCost(deps, scenario._id, pricing);
  const months = await priceMonths(await readMonths(deps, scenario._id, pricing), pricing);
  const designs = await compareDesigns(
    scenario._id,
    pricing,
    { from, to },
    { priceBooks: deps.priceBooks, readRated: readAtRate(deps, scenario._id) },
  );
  const remarks = presentRemarks(months.usage);
  const assumptions = applyDefaults(scenario.assumptions);
  const lines = reportLines(months, book);
  const sentenceInput: SentenceInput = {
    metrics: {
      totals: { ...cost.totals, ...remarks, pending_entries: 0, failed_entries: 0 },
    },
    explanation: {
      assumptions,
      months: [{ lines, pipeline: months.months.flatMap(({ work }) => presentParts(work)) }],
    },
    designs,
    models: book.models,
  };
  return {
    ...cost,
    reportId: report._id,
    title: report.title,
    createdAt: report.createdAt,
    scenario: {
      name: scenario.name,
      description: scenario.description,
      regionName: book.region(scenario.region)?.name ?? scenario.region,
      assumptions,
    },
    priceBook: { version: book.version, asOf: book.asOf },
    /** The own prices and discounts that apply, in words. */
    overrides: book.overrides.map(summarizeOverride),
    /** The cost and its reason, as the page says it. */
    sentence: costSentence(sentenceInput),
    parts: costPartsByShare(sentenceInput),
    /** The scenario as it is, and the standard designs. */
    designs: {
      basis: designs.basis,
      cheapest: cheapestDesign(comparableDesigns(designs.present, designs.items)),
      present: designs.present,
      items: designs.items,
    },
    lines,
    /** The number of entries that count at their arrival. */
    untimed: remarks.untimed,
    /** Null if there is no personal data. */
    piiFields: cost.totals.pii_logs > 0 ? await readPiiFields(deps.models, scenario._id, { from, to }) : null,
  };
}

function reportLines({ months }: MonthsCost, book: PriceBook) {
  const publishers = new Map(book.sources.map(({ id, publisher }) => [id, publisher]));
  return months.flatMap(({ month, lines }) =>
    lines.map(({ service, item, of, units, price, amount, source }) => {
      const origin = source && book.origin(source);
      const isCompute = item === 'compute';
      return {
        /** `2026-05` */
        month: new Date(month).toISOString().slice(0, 7),
        service,
        item,
        /** The queue type, the architecture or the model as it is called. */
        of,
        quantity: isCompute ? formatExactGbSeconds(units) : String(units),
        /** Exact, in USD; null without a price. */
        unitPrice: price === null ? null : formatExactMoney(isCompute ? price * mbMsPerGbSecond : price),
        amount: amount === null ? null : formatExactMoney(amount),
        /** The date and the publishers of the price; null for free units and unknown prices. */
        source: origin
          ? { asOf: origin.as_of, publishers: [...new Set(origin.sources.flatMap((id) => publishers.get(id) ?? []))] }
          : null,
      };
    }),
  );
}

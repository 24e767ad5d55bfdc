import { Readable } from 'node:stream';
import { compareDesigns } from '../../shared/cost/compare-designs.ts';
import {
  comparableDesigns,
  costPartsByShare,
  costSentence,
  type SentenceInput,
} from '../../shared/cost/cost-sentence.ts';
import { formatExactGbSeconds, formatExactMoney, mbMsPerGbSecond } from '../../shared/cost/money.ts';
import { type MonthlyUsage, type MonthsCost, monthsInPeriod } from '../../shared/cost/monthly-usage.ts';
import { readAtRate, readMonthsOn } from '../../shared/cost/months-on-terms.ts';
import { summarizeOverride } from '../../shared/cost/own-prices.ts';
import { readPeriodCost } from '../../shared/cost/paged-cost.ts';
import { partsOf } from '../../shared/cost/pipeline/pipeline-sums.ts';
import { cheapestDesign } from '../../shared/cost/pipeline/standard-designs.ts';
import { priceOnTerms } from '../../shared/cost/present-cost.ts';
import type { PriceBook } from '../../shared/cost/price-book.ts';
import type { PricedScenario } from '../../shared/cost/price-books.ts';
import { readScenarioUsage } from '../../shared/cost/read-scenario-usage.ts';
import type { ScenarioPricing } from '../../shared/cost/scenario-cost.ts';
import { ownTerms } from '../../shared/cost/terms.ts';
import type { FileId, FileStore, StoredFile } from '../../shared/files/file-store.ts';
import type { Report } from '../../shared/reports/report.model.ts';
import { applyDefaults } from '../../shared/scenarios/assumptions.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import type { WorkerDeps } from '../worker-deps.ts';
import { type PdfDeps, renderPdf } from './pdf/render-pdf.ts';
import type { ReportData, ReportLine } from './pdf/report-document.ts';
import { entryLines, hourLines } from './report-csv.ts';
import { readPiiFields } from './stored-entries.ts';

export type RenderDeps = CostDeps & PdfDeps & { reportFiles: FileStore };

/** One attempt at rendering a report. */
interface Rendering {
  report: Report;
  scenario: Scenario;
  fileId: FileId;
  signal: AbortSignal;
  /** @param progress in per cent */
  setProgress: (progress: number) => void;
  /** Called for every part of the file. */
  onPart: () => void;
}

/** Renders a report into its file. */
export async function renderReport(rendering: Rendering, deps: RenderDeps): Promise<StoredFile> {
  const { report, scenario, fileId, signal } = rendering;
  const write = (bytes: AsyncIterable<Uint8Array>) =>
    deps.reportFiles.put(
      fileId,
      observed(report.dialect === 'excel' ? markedAsUtf8(bytes) : bytes, rendering.onPart),
      signal,
    );
  if (report.format === 'pdf') {
    const data = await readReportData(report, scenario, deps);
    rendering.setProgress(25);
    const pdf = await renderPdf(data, deps, signal, () => rendering.setProgress(50));
    rendering.setProgress(90);
    return write(pdf instanceof Readable ? pdf : Readable.from([pdf]));
  }
  const pricing = await pricingOf(report, scenario, deps);
  if (report.detail === 'entries') {
    const total = await deps.models.logBatch.countDocuments({ scenarioId: scenario._id });
    let done = 0;
    const onBatch = () => {
      done += 1;
      rendering.setProgress(Math.min(99, Math.floor((100 * done) / total)));
    };
    return write(entryLines(deps.models, scenario._id, pricing, onBatch));
  }
  // All lines are written again if a roll-up overtakes the read.
  return readScenarioUsage({ ...deps, maxUncounted }, scenario._id, pricing, (readDays) =>
    write(
      hourLines(
        readDays(() => 'hours'),
        pricing,
      ),
    ),
  );
}

/** Adds a byte order mark: without it, Excel reads a CSV by the code page of the machine. */
async function* markedAsUtf8(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield Buffer.from('\uFEFF');
  yield* bytes;
}

async function* observed(bytes: AsyncIterable<Uint8Array>, onPart: () => void): AsyncGenerator<Uint8Array> {
  for await (const part of bytes) {
    onPart();
    yield part;
  }
}

/**
 * Usage of all days that timestamps can have: a report has few attempts, and nothing waits for it.
 */
const maxUncounted = 50_000;

type CostDeps = Pick<WorkerDeps, 'models' | 'queues' | 'config' | 'priceBooks'>;

/** The terms that determine the prices of a report. */
async function pricingOf(
  { from, to }: Pick<Report, 'from' | 'to'>,
  scenario: PricedScenario & Pick<Scenario, 'region'>,
  { priceBooks, config }: Pick<CostDeps, 'priceBooks' | 'config'>,
): Promise<ScenarioPricing> {
  const { region, assumptions } = scenario;
  const book = await priceBooks.ofScenario(scenario);
  return { region, assumptions, book, fallback: config.priceFallback, from, to };
}

/** Usage and cost of a scenario for a PDF: the same figures as its metrics. */
async function readReportData(report: Report, scenario: Scenario, deps: CostDeps): Promise<ReportData> {
  const pricing = await pricingOf(report, scenario, deps);
  const { book } = pricing;
  const usageDeps = { ...deps, maxUncounted };
  const period = { from: report.from, to: report.to };
  const prices = { config: deps.config, priceBook: book };
  const cost = await readPeriodCost(usageDeps, scenario._id, pricing);
  const terms = ownTerms(scenario, book);
  const usage = await readMonthsOn(usageDeps, scenario, terms, period);
  const months = await priceOnTerms(usage, terms, prices);
  const designs = await compareDesigns(scenario, period, {
    ...prices,
    priceBooks: deps.priceBooks,
    readRated: (allTerms, rated) => readAtRate(usageDeps, scenario, allTerms, rated),
  });
  const { untimed = 0n, usageUnread = 0n, unpriced = [] } = months.usage;
  const sentenceInput: SentenceInput = {
    metrics: {
      totals: {
        ...cost.totals,
        incomplete: cost.totals.incomplete || unpriced.length > 0,
        usage_unread: Number(usageUnread),
        unpriced: unpriced.map(({ name, calls }) => ({ model: name, calls: Number(calls) })),
        pending_entries: 0,
        failed_entries: 0,
      },
    },
    explanation: {
      assumptions: applyDefaults(scenario.assumptions),
      months: [{ lines: reportLines(months, book), pipeline: pipelineParts(usage) }],
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
    overrides: book.overrides.map(summarizeOverride),
    sentence: costSentence(sentenceInput),
    parts: costPartsByShare(sentenceInput),
    designs: { ...designs, cheapest: cheapestDesign(comparableDesigns(designs.present, designs.items)) },
    lines: reportLines(months, book),
    untimed: Number(untimed),
    piiFields: cost.totals.pii_logs > 0 ? await readPiiFields(deps.models, scenario._id, period) : null,
  };
}

function reportLines({ months }: MonthsCost, book: PriceBook): ReportLine[] {
  const publishers = new Map(book.sources.map(({ id, publisher }) => [id, publisher]));
  return months.flatMap(({ month, lines }) =>
    lines.map(({ service, item, of, units, price, amount, source }): ReportLine => {
      const origin = source && book.origin(source);
      const isCompute = item === 'compute';
      return {
        month: new Date(month).toISOString().slice(0, 7),
        service,
        item,
        of,
        quantity: isCompute ? formatExactGbSeconds(units) : String(units),
        unitPrice: price === null ? null : formatExactMoney(isCompute ? price * mbMsPerGbSecond : price),
        amount: amount === null ? null : formatExactMoney(amount),
        source: origin
          ? { asOf: origin.asOf, publishers: [...new Set(origin.sources.flatMap((id) => publishers.get(id) ?? []))] }
          : null,
      };
    }),
  );
}

function pipelineParts(usage: MonthlyUsage) {
  return monthsInPeriod(usage).flatMap(({ pipeline }) =>
    pipeline ? Object.entries(partsOf(pipeline)).map(([part, quantity]) => ({ part, quantity: String(quantity) })) : [],
  );
}

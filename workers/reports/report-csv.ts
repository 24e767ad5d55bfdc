import { string as quoted } from '@json2csv/formatters';
import { type FieldInfo, Parser } from '@json2csv/plainjs';
import {
  createEntryPricer,
  type EntryCost,
  type PricedUsage,
  resolvePricedUsage,
} from '../../shared/cost/entry-cost.ts';
import { formatExactGbSeconds, formatExactMoney, formatGbSeconds, type Money } from '../../shared/cost/money.ts';
import { presentPipeline, presentUsage } from '../../shared/cost/present-cost.ts';
import { presentRemarks, remarkSentences } from '../../shared/cost/present-remarks.ts';
import type { Service } from '../../shared/cost/price-line.ts';
import type { CostStatus, PricingTerms } from '../../shared/cost/price-month.ts';
import type { PricedBucket, ScenarioPricing } from '../../shared/cost/scenario-cost.ts';
import {
  asStored,
  type LogEntry,
  type ProcessedLogBatch,
  processedFields,
} from '../../shared/ingest/log-batch.model.ts';
import { entriesOf } from '../../shared/ingest/log-entries.ts';
import { logEntryId } from '../../shared/ingest/log-entry-id.ts';
import type { Models } from '../../shared/models.ts';
import type { PiiCount } from '../../shared/pii/entry-findings.ts';
import { nextSlice } from '../../shared/process/time-slices.ts';
import { applyDefaults } from '../../shared/scenarios/assumptions.ts';
import { epochPeriod, type Period } from '../../shared/usage/periods.ts';

type CsvCell = string | number | null;

/** Columns by their names in the header, in order; the function takes the cell of a row. */
type CsvColumns<Row> = Readonly<Record<string, (row: Row) => CsvCell>>;

interface CsvTable<Row> {
  header(): Buffer;
  lines(rows: readonly Row[]): Buffer;
}

/** RFC 4180: lines end with CR and LF. */
const lineEnd = '\r\n';
const quote = quoted();

/**
 * A spreadsheet reads a cell that begins with one of these as a formula, also after white space and
 * in full width. A tab or line break at the start can move a formula into a cell of its own.
 */
const formulaStart = /^(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/;
/** A number with a sign is no formula. */
const signedNumber = /^[+-]\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** With an apostrophe before it, a spreadsheet shows a cell as text. */
const harmless = (cell: string): string => (formulaStart.test(cell) && !signedNumber.test(cell) ? `'${cell}` : cell);

/** Formats rows as CSV in UTF-8 without a byte order mark. Text is quoted, numbers are not. */
function createCsvTable<Row extends object>(columns: CsvColumns<Row>): CsvTable<Row> {
  const fields: FieldInfo<Row, unknown>[] = Object.entries(columns).map(([label, value]) => ({ label, value }));
  const parser = new Parser<Row, Row>({
    fields,
    header: false,
    eol: lineEnd,
    includeEmptyRows: true,
    formatters: { string: (cell) => quote(harmless(cell)) },
  });
  return {
    header: () => Buffer.from(Object.keys(columns).join(',') + lineEnd),
    lines: (rows) => (rows.length === 0 ? Buffer.alloc(0) : Buffer.from(parser.parse([...rows]) + lineEnd)),
  };
}

/** An hour of a service. Every quantity is on one row of its hour, so each column adds up. */
interface HourRow {
  hour: string;
  service: Service;
  /** Entries are on the row of the queue, which all of them pass. */
  logs?: CsvCell;
  size_bytes?: CsvCell;
  pii_logs?: CsvCell;
  requests?: CsvCell;
  invocations?: CsvCell;
  gb_seconds?: CsvCell;
  input_tokens?: CsvCell;
  output_tokens?: CsvCell;
  empty_receives?: CsvCell;
  inference_calls?: CsvCell;
  cache_read_tokens?: CsvCell;
  cache_write_tokens?: CsvCell;
  /** With all decimals; null if none of the usage has a price. */
  cost: string | null;
  status: CostStatus;
  /** Sentences about entries that were not counted as their senders may have meant. */
  remarks?: string;
}

interface Terms {
  region: string;
  priceBook: string;
  /** Whether the usage is that of a pipeline, which has more columns. */
  hasPipeline: boolean;
  /** Whether own prices or discounts apply to a part of the period, which a column then says. */
  hasOverrides: boolean;
}

const hourColumns: CsvColumns<HourRow & Terms> = {
  hour: ({ hour }) => hour,
  service: ({ service }) => service,
  logs: ({ logs }) => logs ?? null,
  size_bytes: ({ size_bytes }) => size_bytes ?? null,
  pii_logs: ({ pii_logs }) => pii_logs ?? null,
  requests: ({ requests }) => requests ?? null,
  invocations: ({ invocations }) => invocations ?? null,
  gb_seconds: ({ gb_seconds }) => gb_seconds ?? null,
  input_tokens: ({ input_tokens }) => input_tokens ?? null,
  output_tokens: ({ output_tokens }) => output_tokens ?? null,
  cost: ({ cost }) => cost,
  status: ({ status }) => status,
  region: ({ region }) => region,
  price_book: ({ priceBook }) => priceBook,
  remarks: ({ remarks }) => remarks ?? null,
};

const pipelineColumns: CsvColumns<HourRow & Terms> = {
  ...hourColumns,
  empty_receives: ({ empty_receives }) => empty_receives ?? null,
  inference_calls: ({ inference_calls }) => inference_calls ?? null,
  cache_read_tokens: ({ cache_read_tokens }) => cache_read_tokens ?? null,
  cache_write_tokens: ({ cache_write_tokens }) => cache_write_tokens ?? null,
};

/** Formats the hours of a scenario. Hours without entries have no lines. */
export function createHourLines(terms: Terms) {
  const table = createCsvTable({
    ...(terms.hasPipeline ? pipelineColumns : hourColumns),
    ...(terms.hasOverrides && { own_prices: () => 'true' }),
  });
  return {
    header: () => table.header(),
    hours: (buckets: readonly PricedBucket[]) =>
      table.lines(buckets.flatMap((bucket) => rowsOfHour(bucket, terms)).map((row) => ({ ...row, ...terms }))),
  };
}

function rowsOfHour({ start, usage, services }: PricedBucket, { hasPipeline }: Terms): HourRow[] {
  const { logs, size_bytes, pii_logs, ...shown } = presentUsage(usage);
  const { empty_receives = null, ...calls } = hasPipeline ? presentPipeline(usage) : {};
  const remarks = remarkSentences(presentRemarks(usage));
  const hour = new Date(start).toISOString();
  const rowOf = (service: HourRow['service'], quantities: Partial<HourRow>): HourRow => ({
    hour,
    service,
    ...quantities,
    cost: exactAmount(services[service].amount),
    status: services[service].status,
  });
  return [
    rowOf('queue', {
      logs,
      size_bytes,
      pii_logs,
      requests: shown.queue_requests,
      empty_receives,
      ...(remarks.length > 0 && { remarks: remarks.join(' ') }),
    }),
    rowOf('function', {
      invocations: shown.function_invocations,
      gb_seconds: formatExactGbSeconds(usage.functions.reduce((sum, { mbMs }) => sum + mbMs, 0n)),
    }),
    rowOf('inference', { input_tokens: shown.input_tokens, output_tokens: shown.output_tokens, ...calls }),
  ];
}

const exactAmount = (amount: Money | null) => (amount === null ? null : formatExactMoney(amount));

interface EntryRow {
  batch: ProcessedLogBatch;
  entry: LogEntry;
  id: string;
  usage: PricedUsage;
  cost: EntryCost;
  priceBook: string;
  /** Whether own prices or discounts apply to the month of receipt. */
}

/** At first-tier prices, like the response to the request that sent the entry. */
const entryColumns: CsvColumns<EntryRow> = {
  id: ({ id }) => id,
  timestamp: ({ entry, batch }) => timeOf(entry, batch).toISOString(),
  received_at: ({ batch }) => batch.receivedAt.toISOString(),
  message_hash: ({ entry }) => entry.hash,
  message_preview: ({ entry }) => entry.preview,
  source: ({ entry }) => entry.source ?? null,
  level: ({ entry }) => entry.level ?? null,
  size_bytes: ({ entry }) => entry.sizeBytes,
  pii: ({ entry }) => (entry.pii ?? []).map(formatPii).join('; '),
  queue_requests: ({ usage }) => usage.queueRequests,
  function_invocations: () => 1,
  function_gb_seconds: ({ usage }) => formatGbSeconds(BigInt(usage.mbMs)),
  model: ({ usage }) => usage.model,
  input_tokens: ({ usage }) => usage.inputTokens,
  output_tokens: ({ usage }) => usage.outputTokens,
  queue_cost: ({ cost }) => cost.queue,
  function_cost: ({ cost }) => cost.function,
  inference_cost: ({ cost }) => cost.inference,
  total_cost: ({ cost }) => cost.total,
  price_book: ({ priceBook }) => priceBook,
};

/** A batch has up to 1,000 entries. */
const batchesPerQuery = 1;
/** Small buffers, because the collector frees large ones late. */
const rowsPerPart = 100;

/**
 * One line per log entry of a scenario in the order of receipt. It holds a few batches at a time,
 * however many there are.
 * @param onBatch is called after each batch.
 */
export async function* entryLines(
  models: Pick<Models, 'logBatch'>,
  scenarioId: string,
  period: Period,
  terms: PricingTerms & Pick<ScenarioPricing, 'assumptions'>,
  onBatch: () => void,
): AsyncGenerator<Buffer> {
  const { book } = terms;
  const hasOverrides = book.overrides.length > 0;
  const table = createCsvTable(hasOverrides ? { ...entryColumns, own_prices: () => 'true' } : entryColumns);
  const pricer = createEntryPricer(terms);
  const { output_tokens_per_entry: assumedOutput } = applyDefaults(terms.assumptions).inference;
  const { from, to } = epochPeriod(period);
  yield table.header();
  const batches = models.logBatch.collection
    .find<ProcessedLogBatch>({ scenarioId, state: 'stored' }, { ...asStored, projection: processedFields })
    .sort({ receivedAt: 1 })
    .batchSize(batchesPerQuery);
  for await (const batch of batches) {
    let rows: EntryRow[] = [];
    const common = { batch, priceBook: book.version };
    for (const [position, entry] of entriesOf(batch).entries()) {
      const time = timeOf(entry, batch).getTime();
      if (time < from || time >= to) continue;
      const usage = resolvePricedUsage(batch, entry, assumedOutput);
      const id = logEntryId(batch._id, entry.index ?? position);
      rows.push({ ...common, entry, id, usage, cost: pricer.price(usage) });
      if (rows.length < rowsPerPart) continue;
      yield table.lines(rows);
      rows = [];
    }
    if (rows.length > 0) yield table.lines(rows);
    onBatch();
    await nextSlice();
  }
}

/** The time that decides the hour of an entry. */
function timeOf(entry: LogEntry, batch: ProcessedLogBatch): Date {
  return entry.timestamp ?? batch.receivedAt;
}

/** `email 2`, `national_id AT 1`. */
function formatPii({ type, country, count }: PiiCount): string {
  return [type, ...(country === undefined ? [] : [country]), count].join(' ');
}

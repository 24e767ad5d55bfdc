import { string as quoted } from '@json2csv/formatters';
import { type FieldInfo, Parser } from '@json2csv/plainjs';
import {
  createEntryPricer,
  type EntryCost,
  type PricedUsage,
  resolvePricedUsage,
} from '../../shared/cost/entry-cost.ts';
import { formatExactGbSeconds, formatExactMoney, formatGbSeconds } from '../../shared/cost/money.ts';
import { presentPipeline, presentRemarks, presentUsage, remarkSentences } from '../../shared/cost/present-cost.ts';
import { type Service, services as serviceNames } from '../../shared/cost/price-line.ts';
import { createScenarioPricer, type PricedBucket, type ScenarioPricing } from '../../shared/cost/scenario-cost.ts';
import { type LogEntry, logEntryId } from '../../shared/ingest/log-batch.model.ts';
import type { Models } from '../../shared/models.ts';
import type { PiiCount } from '../../shared/pii/entry-findings.ts';
import { isSliceOver, nextSlice } from '../../shared/process/time-slices.ts';
import { applyDefaults } from '../../shared/scenarios/assumptions.ts';
import type { UsagePart } from '../../shared/usage/stored-hour.ts';
import { storedEntries } from './stored-entries.ts';

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

/** The cells of a row by column. An absent one is empty. */
type HourRow = Readonly<Record<string, CsvCell>>;

const hourHeader =
  'hour,service,logs,size_bytes,pii_logs,requests,invocations,gb_seconds,input_tokens,output_tokens,cost,status,region,price_book,remarks';
const pipelineHeader = 'empty_receives,inference_calls,cache_read_tokens,cache_write_tokens';

/**
 * The lines of a CSV report by hour, priced while the hours are read. Hours without entries have no
 * lines.
 */
export async function* hourLines(
  days: AsyncIterable<readonly UsagePart[]>,
  pricing: ScenarioPricing,
): AsyncGenerator<Buffer> {
  const { region, book, assumptions } = pricing;
  const hasPipeline = assumptions?.pipeline !== undefined;
  const hasOverrides = book.overrides.length > 0;
  const header = [hourHeader, ...(hasPipeline ? [pipelineHeader] : []), ...(hasOverrides ? ['own_prices'] : [])].join(
    ',',
  );
  const columns = header.split(',').map((name) => [name, (row: HourRow) => row[name] ?? null]);
  const table = createCsvTable<HourRow>(Object.fromEntries(columns));
  let rows: HourRow[] = [];
  const pricer = createScenarioPricer(pricing, 'hour', (bucket) => {
    const terms = { region, price_book: book.version, own_prices: 'true' };
    for (const row of rowsOfHour(bucket, hasPipeline)) rows.push({ ...row, ...terms });
  });
  const takeLines = () => {
    const lines = table.lines(rows);
    rows = [];
    return lines;
  };
  yield table.header();
  for await (const hours of days) {
    if (isSliceOver()) await nextSlice();
    for (const hour of hours) pricer.add(hour);
    if (rows.length > 0) yield takeLines();
  }
  pricer.finish();
  if (rows.length > 0) yield takeLines();
}

/** The rows of the services. Every quantity is on one of them, so that each column adds up. */
function rowsOfHour({ start, usage, cost: { services } }: PricedBucket, hasPipeline: boolean): HourRow[] {
  const { logs, size_bytes, pii_logs, queue_requests, function_invocations, input_tokens, output_tokens } =
    presentUsage(usage);
  const { empty_receives = null, ...calls } = hasPipeline ? presentPipeline(usage) : {};
  const remarks = remarkSentences(presentRemarks(usage)).join(' ');
  const mbMs = Object.values(usage.functions).reduce((sum, used) => sum + BigInt(used.mbMs), 0n);
  const quantities: Record<Service, HourRow> = {
    // All entries pass the queue.
    queue: { logs, size_bytes, pii_logs, requests: queue_requests, empty_receives, remarks: remarks || null },
    function: { invocations: function_invocations, gb_seconds: formatExactGbSeconds(mbMs) },
    inference: { input_tokens, output_tokens, ...calls },
  };
  return serviceNames.map((service) => {
    const { amount, status } = services[service];
    const cost = amount === null ? null : formatExactMoney(amount);
    return { hour: new Date(start).toISOString(), service, ...quantities[service], cost, status };
  });
}

interface EntryRow {
  entry: LogEntry;
  id: string;
  time: Date;
  receivedAt: Date;
  usage: PricedUsage;
  cost: EntryCost;
  priceBook: string;
}

/** At first-tier prices, like the response to the request that sent the entry. */
const entryColumns: CsvColumns<EntryRow> = {
  id: ({ id }) => id,
  timestamp: ({ time }) => time.toISOString(),
  received_at: ({ receivedAt }) => receivedAt.toISOString(),
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

/** Small buffers, because the collector frees large ones late. */
const rowsPerPart = 100;

/**
 * One line per log entry of a scenario in the order of receipt.
 * @param onBatch is called after each batch.
 */
export async function* entryLines(
  models: Pick<Models, 'logBatch'>,
  scenarioId: string,
  pricing: ScenarioPricing,
  onBatch: () => void,
): AsyncGenerator<Buffer> {
  const { book, assumptions } = pricing;
  const hasOverrides = book.overrides.length > 0;
  const table = createCsvTable(hasOverrides ? { ...entryColumns, own_prices: () => 'true' } : entryColumns);
  const pricer = createEntryPricer(pricing);
  const { output_tokens_per_entry: assumedOutput } = applyDefaults(assumptions).inference;
  yield table.header();
  for await (const { batch, entries } of storedEntries(models, scenarioId, pricing, 'oldest first')) {
    const rows = entries.map(({ entry, position, time }): EntryRow => {
      const usage = resolvePricedUsage(batch, entry, assumedOutput);
      const id = logEntryId(batch._id, entry.index ?? position);
      const { receivedAt } = batch;
      return { entry, id, time, receivedAt, usage, cost: pricer.price(usage), priceBook: book.version };
    });
    for (let at = 0; at < rows.length; at += rowsPerPart) yield table.lines(rows.slice(at, at + rowsPerPart));
    onBatch();
  }
}

/** `email 2`, `national_id AT 1`. */
function formatPii({ type, country, count }: PiiCount): string {
  return [type, ...(country === undefined ? [] : [country]), count].join(' ');
}

import {
  createEntryPricer,
  type EntryCost,
  type PricedUsage,
  resolvePricedUsage,
} from '../../../shared/cost/entry-cost.ts';
import { formatGbSeconds } from '../../../shared/cost/money.ts';
import type { PricingTerms } from '../../../shared/cost/price-month.ts';
import type { ScenarioPricing } from '../../../shared/cost/scenario-cost.ts';
import {
  asStored,
  type LogEntry,
  type ProcessedLogBatch,
  processedFields,
} from '../../../shared/ingest/log-batch.model.ts';
import { entriesOf } from '../../../shared/ingest/log-entries.ts';
import { logEntryId } from '../../../shared/ingest/log-entry-id.ts';
import type { Models } from '../../../shared/models.ts';
import type { PiiCount } from '../../../shared/pii/entry-findings.ts';
import { nextSlice } from '../../../shared/process/time-slices.ts';
import { applyDefaults } from '../../../shared/scenarios/assumptions.ts';
import { epochPeriod, type Period } from '../../../shared/usage/periods.ts';
import { type CsvColumns, createCsvTable } from './csv-table.ts';

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
const columns: CsvColumns<EntryRow> = {
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
  const table = createCsvTable(hasOverrides ? { ...columns, own_prices: () => 'true' } : columns);
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

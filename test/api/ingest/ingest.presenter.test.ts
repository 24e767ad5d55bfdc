import { expect } from 'chai';
import { BSON } from 'mongodb';
import type { LogResponse } from '../../../api/ingest/ingest.schema.ts';
import { presentEntries } from '../../../api/ingest/ingest.schema.ts';
import { createEntryPricer, resolvePricedUsage } from '../../../shared/cost/entry-cost.ts';
import { formatGbSeconds } from '../../../shared/cost/money.ts';
import { loadPriceBook } from '../../../shared/cost/price-book.ts';
import type { AcceptedEntry } from '../../../shared/ingest/batch-text.ts';
import { asStored, entriesOf, type ProcessedLogBatch } from '../../../shared/ingest/log-batch.model.ts';
import { logEntryId } from '../../../shared/ingest/log-entry-id.ts';
import { readTokenRanks } from '../../../shared/metering/token-ranks.ts';
import { createBatchTools, processBatch } from '../../../workers/ingest/process-batch.ts';

const { deserialize, serialize } = BSON;
const tools = createBatchTools({ tokenRanks: readTokenRanks() });
const priceBook = loadPriceBook();
const terms = { book: priceBook, fallback: 'off' } as const;
const region = 'us-east-1';
const assumedOutput = 30;
const assumptions = { inference: { output_tokens_per_entry: assumedOutput } };
const scenario = { region, assumptions };
const receivedAt = Date.UTC(2026, 4, 1, 12, 34, 56, 789);

type Entry = Omit<AcceptedEntry, 'timed'>;

/** A batch as the database returns it. */
function storedBatch(entries: Entry[]): ProcessedLogBatch {
  const { usage: _, ...processed } = processBatch(
    { receivedAt, entries: entries.map((entry) => ({ ...entry, timed: false })) },
    { assumptions: {}, tokenMultipliers: priceBook.tokenMultipliers, callLimits: priceBook.callLimits },
    tools,
  );
  const _id = 'a3bb189e-8bf9-4f88-9912-ace4e6543002';
  const scenarioId = '6f6fb4b1-5c0e-4d3c-9a53-3f2b8a6f1c11';
  const batch: ProcessedLogBatch = { _id, scenarioId, receivedAt: new Date(receivedAt), ...processed };
  return deserialize(serialize(batch), asStored) as ProcessedLogBatch;
}

/** The response of the entries from `first` to `end`, each made by itself. */
function presentPlainly(batch: ProcessedLogBatch, first: number, end: number) {
  const prices = createEntryPricer({ ...terms, region });
  const entries = entriesOf(batch).slice(first, end);
  const usages = entries.map((entry) => resolvePricedUsage(batch, entry, assumedOutput));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const results = entries.map((entry, position): LogResponse => {
    const usage = resolvePricedUsage(batch, entry, assumedOutput);
    return {
      id: logEntryId(batch._id, entry.index ?? first + position),
      scenario_id: batch.scenarioId,
      received_at: batch.receivedAt.toISOString(),
      message_hash: entry.hash,
      message_preview: entry.preview,
      source: entry.source ?? null,
      level: entry.level ?? null,
      size_bytes: entry.sizeBytes,
      has_pii: entry.pii !== undefined,
      pii: entry.pii ?? [],
      metrics: {
        queue_requests: usage.queueRequests,
        function_invocations: 1,
        function_gb_seconds: formatGbSeconds(BigInt(usage.mbMs)),
        input_tokens: usage.inputTokens,
        output_tokens: usage.outputTokens,
      },
      cost: prices.price(usage),
    };
  });
  const totals = {
    logs: entries.length,
    size_bytes: sum(entries.map(({ sizeBytes }) => sizeBytes)),
    pii_logs: entries.filter(({ pii }) => pii !== undefined).length,
    metrics: {
      queue_requests: sum(usages.map(({ queueRequests }) => queueRequests)),
      function_invocations: entries.length,
      function_gb_seconds: formatGbSeconds(BigInt(sum(usages.map(({ mbMs }) => mbMs)))),
      input_tokens: sum(usages.map(({ inputTokens }) => inputTokens)),
      output_tokens: sum(usages.map(({ outputTokens }) => outputTokens)),
    },
    cost: prices.sum(usages),
  };
  return { results, totals };
}

const awkward = 'quote " backslash \\ newline \n tab \t \u2028 \u{1f600} é \u0001 </script>';

const batches: Readonly<Record<string, Entry[]>> = {
  'of plain entries': Array.from({ length: 50 }, (_, index) => ({
    index,
    message: `GET /cart/${index} 200`,
    timestamp: receivedAt,
  })),
  'of entries far back in their request': [255, 256, 4096, 0xffff].map((index) => ({
    index,
    message: `entry ${index}`,
    timestamp: receivedAt,
  })),
  'of texts that JSON escapes': [
    { index: 0, message: awkward, timestamp: receivedAt, source: awkward, level: awkward },
  ],
  'of entries with all fields, and gaps between their positions': [
    { index: 1, message: 'mail sent to jane@example.com and joe@example.com', timestamp: receivedAt, level: 'info' },
    { index: 4, message: 'a', timestamp: receivedAt - 7_200_000, source: 'web-1', level: '' },
    {
      index: 5,
      message: 'own usage',
      timestamp: receivedAt,
      usage: { function_memory_mb: 512, function_duration_ms: 12.5, input_tokens: 0, output_tokens: 7 },
    },
    { index: 6, message: 'a model of its own', timestamp: receivedAt, usage: { model: 'amazon.nova-micro-v1:0' } },
    { index: 7, message: 'SSN 212-45-6789 of a customer', timestamp: receivedAt, attributes: { a: 1 } },
  ],
  'of entries of which the first differs from all others': Array.from({ length: 5 }, (_, index) => ({
    index,
    message: 'x'.repeat(index + 1),
    timestamp: receivedAt,
    ...(index === 0 ? { usage: { output_tokens: 0 } } : {}),
  })),
};

describe('the response of a batch', () => {
  for (const [kind, entries] of Object.entries(batches)) {
    it(`the response ${kind} has each entry and their sums, for all and for a part`, () => {
      const batch = storedBatch(entries);
      for (const first of entries.length > 2 ? [0, 1] : [0]) {
        const { results, totals } = presentEntries(
          batch,
          { first, count: entries.length - 2 * first },
          scenario,
          terms,
        );
        const plain = presentPlainly(batch, first, entries.length - first);
        expect(results).to.deep.equal(plain.results);
        expect(totals()).to.deep.equal(plain.totals);
      }
      const positions = entries.map(({ index }) => index);
      expect(entriesOf(batch).map((entry, at) => entry.index ?? at)).to.deep.equal(positions);
    });
  }

  it('has the prices of its region and of its own usage', () => {
    const batch = storedBatch([{ index: 0, message: 'x', timestamp: receivedAt }]);
    const { commonUsage } = batch;
    const variants: Partial<ProcessedLogBatch>[] = [
      {},
      { queueType: batch.queueType === 'fifo' ? 'standard' : 'fifo' },
      { architecture: batch.architecture === 'arm64' ? 'x86_64' : 'arm64' },
      { commonUsage: { ...commonUsage, queueRequests: 7 } },
      { commonUsage: { ...commonUsage, memoryMb: 256 } },
      { commonUsage: { ...commonUsage, billedMs: 77 } },
      { commonUsage: { ...commonUsage, model: 'amazon.nova-micro-v1:0' } },
      { commonUsage: { ...commonUsage, outputTokens: 777 } },
    ];
    for (const of of [region, 'eu-south-1']) {
      const responses = variants.map((variant) => {
        const range = { first: 0, count: 1 };
        return JSON.stringify(
          presentEntries({ ...batch, ...variant }, range, { region: of, assumptions }, terms).results,
        );
      });
      // The other region lacks the models, so that they cost the same there.
      expect(new Set(responses).size).to.equal(of === region ? variants.length : variants.length - 1);
    }
  });

  it('has the hashes of the messages, whatever the driver makes of bytes', () => {
    const batch = storedBatch(batches['of plain entries'] ?? []);
    const asBinary = deserialize(serialize(batch)) as ProcessedLogBatch;
    expect(asBinary.packed.hashes).to.not.be.instanceOf(Uint8Array);
    expect(entriesOf(asBinary)).to.deep.equal(entriesOf(batch));
    // sha256sum of "GET /cart/0 200".
    expect(entriesOf(batch)[0]?.hash).to.equal('699f803a0c45abd6079daadc87aefa0d5c654faff9350667660d7d1f2a5857e1');
  });

  it('is not made of a damaged batch', () => {
    const packed = { hashes: new Uint8Array(32), text: Buffer.from('{"sizeBytes":[1]}') };
    expect(() => entriesOf({ packed })).to.throw(TypeError, 'The entries of a log batch are damaged.');
  });
});

import { expect } from 'chai';
import { BSON } from 'mongodb';
import type { LogResponse } from '../../../api/ingest/ingest.schema.ts';
import { presentEntries } from '../../../api/ingest/ingest.schema.ts';
import { loadPriceBook } from '../../../shared/cost/price-book.ts';
import type { AcceptedEntry } from '../../../shared/ingest/batch-text.ts';
import { asStored, entriesOf, logEntryId, type ProcessedLogBatch } from '../../../shared/ingest/log-batch.model.ts';
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
    { index: 7, message: 'SSN 212-45-6789 of a customer', timestamp: receivedAt, attributeBytes: 8 },
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
    it(`the response ${kind} has each entry as it is by itself, and their sums`, () => {
      const batch = storedBatch(entries);
      const present = (first: number, count: number) => presentEntries(batch, { first, count }, scenario, terms);
      const alone = entries.map((_, at) => present(at, 1).results[0] as LogResponse);
      const { results, totals } = present(0, entries.length);
      expect(results).to.deep.equal(alone);
      expect(present(1, entries.length - 1).results).to.deep.equal(alone.slice(1));
      expect(results.map(({ id }) => id)).to.deep.equal(entries.map(({ index }) => logEntryId(batch._id, index)));
      const { metrics, cost, ...counts } = totals();
      const sum = (valueOf: (result: LogResponse) => number) =>
        results.reduce((total, result) => total + valueOf(result), 0);
      expect(counts).to.deep.equal({
        logs: entries.length,
        size_bytes: sum(({ size_bytes: bytes }) => bytes),
        pii_logs: results.filter(({ has_pii: isFound }) => isFound).length,
      });
      for (const name of ['queue_requests', 'function_invocations', 'input_tokens', 'output_tokens'] as const) {
        expect(metrics[name], name).to.equal(sum((result) => result.metrics[name]));
      }
      expect(Number(metrics.function_gb_seconds)).to.be.closeTo(
        sum((one) => Number(one.metrics.function_gb_seconds)),
        1e-9,
      );
      expect(Number(cost.total)).to.be.closeTo(
        sum((result) => Number(result.cost.total)),
        1e-9,
      );
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

  it('has the hashes of the messages', () => {
    const batch = storedBatch(batches['of plain entries'] ?? []);
    // sha256sum of "GET /cart/0 200".
    expect(entriesOf(batch)[0]?.hash).to.equal('699f803a0c45abd6079daadc87aefa0d5c654faff9350667660d7d1f2a5857e1');
  });

  it('is not made of a damaged batch', () => {
    const packed = { hashes: new Uint8Array(32), text: Buffer.from('{"sizeBytes":[1]}') };
    expect(() => entriesOf({ packed })).to.throw(TypeError, 'The entries of a log batch are damaged.');
  });
});

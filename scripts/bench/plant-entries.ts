import { randomUUID } from 'node:crypto';
import { loadPriceBook } from '../../shared/cost/price-book.ts';
import { hour, minute } from '../../shared/durations.ts';
import type { Models } from '../../shared/models.ts';
import { createBatchTools, processBatch } from '../../workers/ingest/process-batch.ts';
import { readTokenRanks } from '../../workers/ingest/token-ranks.ts';
import { generateDayOfLogLines } from '../demo/generate-log-lines.ts';

const entriesPerBatch = 1_000;
const seed = 20_261_122;
/** A thousand batches are spread over 30 days. */
const interval = 43 * minute;

/**
 * Stores batches of 1,000 generated entries with their usage as the worker stores them, but
 * directly, because ingesting a million lines takes minutes. All batches have the same entries.
 */
export async function plantEntries(
  { logBatch, usageRecord }: Pick<Models, 'logBatch' | 'usageRecord'>,
  scenarioId: string,
  batches: number,
): Promise<void> {
  const start = Date.UTC(2026, 4, 1);
  const lines = generateDayOfLogLines(seed, entriesPerBatch);
  const entries = lines.map((message, index) => ({ index, message, timestamp: start, source: `web-${index % 7}` }));
  const tools = createBatchTools({ tokenRanks: readTokenRanks() });
  const { tokenMultipliers } = loadPriceBook();
  const { usage, ...batch } = processBatch(
    { receivedAt: start, entries },
    { assumptions: {}, tokenMultipliers },
    tools,
  );
  for (let made = 0; made < batches; made += 1) {
    const _id = randomUUID();
    const received = start + made * interval;
    const inHour = { hour: new Date(received - (received % hour)) };
    const hours = usage.hours.map((counters) => ({ ...counters, ...inHour }));
    await logBatch.collection.insertOne({ ...batch, _id: _id as never, scenarioId, receivedAt: new Date(received) });
    await usageRecord.collection.insertOne({ _id: _id as never, scenarioId, open: true, ...usage, hours });
  }
}

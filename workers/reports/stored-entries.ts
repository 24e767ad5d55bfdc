import { asStored, entriesOf, type ProcessedLogBatch, processedFields } from '../../shared/ingest/log-batch.model.ts';
import type { Models } from '../../shared/models.ts';
import type { PiiType } from '../../shared/pii/pii-kind.ts';
import { nextSlice } from '../../shared/process/time-slices.ts';
import { epochPeriod, type Period } from '../../shared/usage/periods.ts';

/** Batches that one query of the cursor reads; a batch has up to 1,000 entries. */
const batchesPerQuery = 1;

/**
 * The entries of a scenario that are still kept, batch by batch, without those outside the period.
 * It holds a few batches at a time, however many there are. An entry has its position in its batch,
 * and the time that decides its hour.
 */
export async function* storedEntries(
  { logBatch }: Pick<Models, 'logBatch'>,
  scenarioId: string,
  period: Period,
  order: 'newest first' | 'oldest first',
) {
  const { from, to } = epochPeriod(period);
  const batches = logBatch.collection
    .find<ProcessedLogBatch>({ scenarioId, state: 'stored' }, { ...asStored, projection: processedFields })
    .sort({ receivedAt: order === 'newest first' ? -1 : 1 })
    .batchSize(batchesPerQuery);
  for await (const batch of batches) {
    const entries = entriesOf(batch)
      .map((entry, position) => ({ entry, position, time: entry.timestamp ?? batch.receivedAt }))
      .filter(({ time }) => time.getTime() >= from && time.getTime() < to);
    yield { batch, entries };
    await nextSlice();
  }
}

/** Findings of text without fields name none. */
const messageText = 'message';
const maxReadForFields = 100_000;

/**
 * Where personal data was found.
 * @returns `entriesRead`: the number of the newest entries of the period that are still kept.
 * `byType`: fields, with the number of entries that have such data in them, the most first.
 */
export async function readPiiFields(models: Pick<Models, 'logBatch'>, scenarioId: string, period: Period) {
  const counts = new Map<PiiType, Map<string, number>>();
  let entriesRead = 0;
  for await (const { entries } of storedEntries(models, scenarioId, period, 'newest first')) {
    for (const { type, fields = [messageText] } of entries.flatMap(({ entry }) => entry.pii ?? [])) {
      const byField = counts.get(type) ?? new Map<string, number>();
      counts.set(type, byField);
      for (const field of fields) byField.set(field, (byField.get(field) ?? 0) + 1);
    }
    entriesRead += entries.length;
    if (entriesRead >= maxReadForFields) break;
  }
  const byType: ReadonlyMap<PiiType, readonly (readonly [field: string, entries: number])[]> = new Map(
    [...counts].map(([type, byField]) => [type, [...byField].sort(([, one], [, other]) => other - one)]),
  );
  return { entriesRead, byType };
}

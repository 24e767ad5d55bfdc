import { randomUUID } from 'node:crypto';
import type { LogBatch } from '../../shared/ingest/log-batch.model.ts';
import type { Models } from '../../shared/models.ts';
import type { BatchUsage } from '../../shared/usage/stored-hour.ts';

/** A processed batch with this usage, and without entries. */
export function buildStoredBatch(scenarioId: string, usage: BatchUsage, overrides: Partial<LogBatch> = {}): LogBatch {
  return {
    _id: randomUUID(),
    scenarioId,
    caller: 'test',
    state: 'stored',
    receivedAt: new Date(),
    requestId: randomUUID(),
    count: usage.reduce((sum, { logs }) => sum + Number(logs), 0),
    bytes: 4_096,
    usage,
    counted: false,
    ...overrides,
  };
}

/** Stores processed batches, which no roll-up has counted. */
export async function storeBatches(
  { logBatch }: Pick<Models, 'logBatch'>,
  scenarioId: string,
  ...usages: BatchUsage[]
): Promise<void> {
  const batches = usages.map((usage) => buildStoredBatch(scenarioId, usage));
  await logBatch.collection.insertMany(batches as never[]);
}

/** Whether a roll-up has counted everything that a scenario has stored. */
export async function isRolledUp({ logBatch, usagePlan }: Models, scenarioId: string): Promise<boolean> {
  if (await logBatch.exists({ scenarioId, counted: false })) return false;
  return (await usagePlan.exists({ _id: scenarioId, open: false })) !== null;
}

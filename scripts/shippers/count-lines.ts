import { hash } from 'node:crypto';
import { openMongo } from '../../shared/connections/mongo.ts';
import { second } from '../../shared/durations.ts';
import { asStored, type ProcessedLogBatch } from '../../shared/ingest/log-batch.model.ts';
import { entriesOf } from '../../shared/ingest/log-entries.ts';

/** How often the lines of a run were counted. */
export interface LineCounts {
  /** Lines that were not counted. */
  lost: number;
  /** Lines that were counted more than once. */
  twice: number;
  /** Counted lines that were not sent: messages that a tool has changed. */
  foreign: number;
}

/**
 * Compares the messages that a scenario has counted, which are stored as hashes, with the lines
 * that were sent.
 */
export async function countLines(
  mongodbUrl: string,
  scenarioId: string,
  lines: readonly string[],
): Promise<LineCounts> {
  const mongo = await openMongo(mongodbUrl, { timeoutMs: 20 * second, role: 'worker' });
  try {
    const batches = mongo.collection<ProcessedLogBatch>('log_batches');
    const counts = new Map(lines.map((line) => [hash('sha256', line), 0]));
    let foreign = 0;
    for await (const batch of batches.find({ scenarioId }, asStored)) {
      for (const entry of entriesOf(batch)) {
        const count = counts.get(entry.hash);
        if (count === undefined) foreign += 1;
        else counts.set(entry.hash, count + 1);
      }
    }
    const all = [...counts.values()];
    const twice = all.reduce((sum, count) => sum + Math.max(0, count - 1), 0);
    return { lost: all.filter((count) => count === 0).length, twice, foreign };
  } finally {
    await mongo.close();
  }
}

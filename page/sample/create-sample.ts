import { signal } from '@preact/signals';
import { day } from '../../shared/durations.ts';
import { generateLogLines } from '../../shared/generate-log-lines.ts';
import { write } from '../client/api.ts';
import type { Scenario } from '../client/responses.ts';
import { accountId } from '../client/session.ts';
import { formatTime } from '../format/times.ts';
import { sendBatch } from '../scenario/send-batch.ts';
import { refreshScenarios, scenariosPath } from '../scenarios/scenario-queries.ts';

/** The sample that is being created, or whose creation has failed. */
export const sample = signal<{ readonly isBusy: boolean; readonly error: unknown } | null>(null);

/** Lines of the last 24 hours. */
const sampleSize = 3_000;

/**
 * Creates a running scenario with sample lines.
 * @returns its id; null after an error, which `sample` then has.
 */
export async function createSample(): Promise<string | null> {
  sample.value = { isBusy: true, error: null };
  try {
    const id = await sendSample(new Date());
    sample.value = null;
    return id;
  } catch (error) {
    sample.value = { isBusy: false, error };
    return null;
  }
}

async function sendSample(now: Date): Promise<string> {
  const key = crypto.randomUUID();
  // Names are unique.
  const name = `Sample of ${formatTime(now.toISOString())}, ${key.slice(0, 4)}`;
  const description = `${sampleSize.toLocaleString('en-US')} generated lines of a small web shop`;
  const { id } = await write<Scenario>('POST', scenariosPath, { name, description, region: 'eu-west-1' });
  await write('POST', `${scenariosPath}/${id}/start`);
  const lines = [...generateLogLines(1, sampleSize, new Date(now.getTime() - day), now)];
  const bytes = new TextEncoder().encode(`${lines.join('\n')}\n`);
  const batch = { path: `/ingest/${id}`, query: {}, type: 'text/plain', bytes, key };
  await sendBatch(batch, new AbortController().signal, () => {});
  await refreshScenarios();
  return id;
}

/** The sample of one account is not shown to another. */
accountId.subscribe(() => {
  sample.value = null;
});

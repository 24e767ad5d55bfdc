import { signal } from '@preact/signals';
import { write } from '../client/api.ts';
import { ApiError } from '../client/api-error.ts';
import type { Scenario } from '../client/responses.ts';
import { accountId } from '../client/session.ts';
import { formatTime } from '../format/times.ts';
import { sendBatch } from '../scenario/send-batch.ts';
import { refreshScenarios, scenariosPath } from '../scenarios/scenario-queries.ts';
import { generateSampleLines, sampleSize } from './sample-lines.ts';

/** The sample that is being created, or whose creation has failed. */
export const sample = signal<{ readonly isBusy: boolean; readonly error: unknown } | null>(null);

/** The attempt that has failed; the next one continues it. */
let pending: ReturnType<typeof openSample> | null = null;

/**
 * Creates a running scenario with sample lines.
 * @returns its id; null after an error, which `sample` then has.
 */
export async function createSample(): Promise<string | null> {
  const create = pending ?? openSample(new Date());
  pending = create;
  sample.value = { isBusy: true, error: null };
  try {
    const id = await create();
    pending = null;
    sample.value = null;
    return id;
  } catch (error) {
    if (pending === create) {
      sample.value = { isBusy: false, error };
      // The scenario was deleted, or somebody has stopped it: only another one can get the lines.
      if (isGone(error)) pending = null;
    }
    return null;
  }
}

const isGone = (error: unknown) =>
  error instanceof ApiError && (error.status === 404 || error.code === 'INVALID_STATE');

/** The same keys in every attempt, so that nothing is created or counted twice. */
function openSample(now: Date): () => Promise<string> {
  const key = crypto.randomUUID();
  let scenario: Scenario | null = null;
  return async () => {
    scenario ??= await createScenario(now, key);
    const { id } = scenario;
    await write('POST', `${scenariosPath}/${id}/start`, undefined, { 'Idempotency-Key': `${key}-start` });
    const batch = {
      path: `/ingest/${id}`,
      query: {},
      type: 'text/plain',
      bytes: new TextEncoder().encode(`${generateSampleLines(now).join('\n')}\n`),
      key: `${key}-lines`,
    };
    await sendBatch(batch, new AbortController().signal, () => {});
    await refreshScenarios();
    return id;
  };
}

/** Names are unique: a sample of the same minute gets a number. */
async function createScenario(now: Date, key: string): Promise<Scenario> {
  const name = `Sample of ${formatTime(now.toISOString())}`;
  const description = `${sampleSize.toLocaleString('en-US')} generated lines of a small web shop`;
  for (let number = 1; ; number += 1) {
    try {
      return await write<Scenario>(
        'POST',
        scenariosPath,
        { name: number === 1 ? name : `${name} (${number})`, description, region: 'eu-west-1' },
        { 'Idempotency-Key': `${key}-${number}` },
      );
    } catch (error) {
      const isTaken = error instanceof ApiError && error.fields.some(({ field }) => field === 'name');
      if (!isTaken || number === maxNames) throw error;
    }
  }
}

const maxNames = 20;

/** The sample of one account is not continued for another. */
accountId.subscribe(() => {
  pending = null;
  sample.value = null;
});

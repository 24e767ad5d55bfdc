import { useLocation } from 'wouter-preact';
import { day } from '../../shared/durations.ts';
import { generateLogLines } from '../../shared/generate-log-lines.ts';
import { write } from '../client/api.ts';
import type { Scenario } from '../client/responses.ts';
import { announce } from '../components/announcer.tsx';
import { ErrorNote } from '../components/states.tsx';
import { useAction } from '../components/use-action.ts';
import { formatTime } from '../format/times.ts';
import { sendBatch } from '../scenario/send-batch.ts';
import { refreshScenarios, scenariosPath } from '../scenarios/scenario-queries.ts';

/** Lines of the last 24 hours. */
const sampleSize = 3_000;

/** Shows what the service does to somebody who has no log at hand. */
export function TrySample() {
  const [, go] = useLocation();
  const { start, isBusy, error } = useAction(async () => {
    announce('Sending sample lines.');
    const startedAt = location.hash;
    const id = await createSample(new Date());
    // Not if the person has gone elsewhere.
    if (location.hash === startedAt) go(`/scenarios/${id}`);
  });
  return (
    <>
      <button type="button" class="primary" aria-disabled={isBusy} aria-busy={isBusy} onClick={() => start()}>
        {isBusy ? 'Sending sample lines…' : 'Try it with sample lines'}
      </button>
      {error !== null && <ErrorNote error={error} />}
    </>
  );
}

/** Creates a running scenario with sample lines. @returns its id. */
async function createSample(now: Date): Promise<string> {
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

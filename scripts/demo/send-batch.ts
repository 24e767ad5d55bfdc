import { setTimeout as delay } from 'node:timers/promises';
import { second } from '../../shared/durations.ts';
import { type ApiClient, retryAfter } from './api-client.ts';
import { DemoError } from './demo-error.ts';

const pollEvery = 0.2 * second;
const jobPatience = 120 * second;
const busyPatience = 300 * second;

interface Accepted {
  job_id: string;
  status: string;
  status_url: string;
}

interface IngestJob {
  status: string;
  error?: { message?: string } | null;
}

interface Patience {
  /** Ends a wait. */
  signal: AbortSignal;
  /** Hears of each wait that the service asks for. */
  onBusy: () => void;
}

/**
 * Sends one body to POST /ingest and returns when its entries are counted: a 503 is waited out as Retry-After says and the
 * same body sent again (nothing of it was stored), a 202 is followed until its job is done.
 * @throws DemoError when the entries are refused, the job fails, or the service stays busy for minutes.
 */
export async function sendBatch(
  client: ApiClient,
  scenarioId: string,
  body: string,
  patience: Patience,
): Promise<void> {
  const { signal, onBusy } = patience;
  const giveUpAt = Date.now() + busyPatience;
  for (;;) {
    const answer = await client.post<Accepted>('ingest', {
      body,
      headers: { 'x-scenario-id': scenarioId },
      accept: [503],
      onLimited: onBusy,
    });
    if (answer.status === 202) return untilCounted(client, answer.body.status_url, patience);
    if (answer.status !== 503) return;
    if (Date.now() > giveUpAt) throw new DemoError('The service has been busy for five minutes: is a worker running?');
    onBusy();
    await delay(retryAfter(answer.headers), undefined, { signal });
  }
}

async function untilCounted(client: ApiClient, statusUrl: string, { signal, onBusy }: Patience): Promise<void> {
  const giveUpAt = Date.now() + jobPatience;
  while (Date.now() < giveUpAt) {
    const { status, headers, body } = await client.get<IngestJob>(statusUrl, { accept: [503], onLimited: onBusy });
    if (status === 503) {
      onBusy();
      await delay(retryAfter(headers), undefined, { signal });
      continue;
    }
    if (body.status === 'completed') return;
    if (body.status === 'failed')
      throw new DemoError(`The worker gave up on a batch: ${body.error?.message ?? 'no reason given'}`);
    await delay(pollEvery, undefined, { signal });
  }
  throw new DemoError(`The worker has not finished a batch in two minutes, see ${client.url}${statusUrl}.`);
}

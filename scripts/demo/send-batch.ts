import { setTimeout as delay } from 'node:timers/promises';
import { second } from '../../shared/durations.ts';
import type { ApiClient } from './api-client.ts';
import { DemoError } from './demo-error.ts';

const pollEvery = 0.2 * second;
const jobPatience = 120 * second;
const busyPatience = 300 * second;
/** Answers that say in Retry-After when to ask again. */
const waits = [429, 503];

interface Accepted {
  job_id: string;
  status: string;
  status_url: string;
}

interface IngestJob {
  status: string;
  error?: { message?: string } | null;
}

/**
 * Sends one body to POST /ingest and returns when its entries are counted: a 429 or 503 is waited out as Retry-After says and the
 * same body sent again (nothing of it was stored), a 202 is followed until its job is done. `onBusy` hears of each wait.
 * @throws DemoError when the entries are refused, the job fails, or the service stays busy for minutes.
 */
export async function sendBatch(
  client: ApiClient,
  scenarioId: string,
  body: string,
  options: { signal: AbortSignal; onBusy: () => void },
): Promise<void> {
  const giveUpAt = Date.now() + busyPatience;
  for (;;) {
    const headers = { 'x-scenario-id': scenarioId };
    const answer = await client.post<Accepted>('ingest', { body, headers, accept: waits });
    if (answer.status === 202) return untilCounted(client, answer.body.status_url, options.signal);
    if (!waits.includes(answer.status)) return;
    if (Date.now() > giveUpAt) throw new DemoError('The service has been busy for five minutes: is a worker running?');
    options.onBusy();
    await delay(retryAfter(answer.headers), undefined, { signal: options.signal });
  }
}

async function untilCounted(client: ApiClient, statusUrl: string, signal: AbortSignal): Promise<void> {
  const giveUpAt = Date.now() + jobPatience;
  while (Date.now() < giveUpAt) {
    const { status, headers, body } = await client.get<IngestJob>(statusUrl, { accept: waits });
    if (waits.includes(status)) {
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

/** Milliseconds that a 429 or 503 asks to wait; one second when it does not say. */
function retryAfter(headers: Headers): number {
  const seconds = Number(headers.get('retry-after') ?? 1);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * second : second;
}

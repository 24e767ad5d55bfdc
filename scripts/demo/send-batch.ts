import { setTimeout as delay } from 'node:timers/promises';
import { second } from '../../shared/durations.ts';
import { type ApiClient, retryAfter } from './api-client.ts';
import { DemoError } from './demo-error.ts';

const pollInterval = 0.2 * second;
const maxJobWait = 120 * second;
const maxBusyWait = 300 * second;

/** The response to a batch, or that it is queued. */
interface Accepted {
  accepted: number;
  job_id: string;
  status: string;
  status_url: string;
}

interface IngestJob {
  status: string;
  error?: { message?: string } | null;
}

interface SendOptions {
  /** Aborts a wait in progress. */
  signal: AbortSignal;
  /** Called before each wait that the service requests. */
  onBusy: () => void;
}

/**
 * Sends lines of text to POST /ingest, stack traces as one entry, and waits until the entries are
 * counted. After a 503, which stores nothing, it waits for the time in Retry-After and sends the
 * body again. After a 202, it polls the job.
 * @returns the number of entries.
 * @throws DemoError if the entries are refused, the job fails, or a time limit is exceeded.
 */
export async function sendBatch(
  client: ApiClient,
  scenarioId: string,
  body: string,
  options: SendOptions,
): Promise<number> {
  const { signal, onBusy } = options;
  const deadline = Date.now() + maxBusyWait;
  for (;;) {
    const response = await client.post<Accepted>('ingest?join=trace', {
      body,
      headers: { 'x-scenario-id': scenarioId, 'content-type': 'text/plain' },
      accept: [503],
      onRateLimited: onBusy,
    });
    if (response.status === 202) await waitForJob(client, response.body.status_url, options);
    if (response.status !== 503) return response.body.accepted;
    if (Date.now() > deadline) throw new DemoError('The service has been busy for five minutes: is a worker running?');
    onBusy();
    await delay(retryAfter(response.headers), undefined, { signal });
  }
}

async function waitForJob(client: ApiClient, statusUrl: string, { signal, onBusy }: SendOptions): Promise<void> {
  const deadline = Date.now() + maxJobWait;
  while (Date.now() < deadline) {
    const { status, headers, body } = await client.get<IngestJob>(statusUrl, { accept: [503], onRateLimited: onBusy });
    if (status === 503) {
      onBusy();
      await delay(retryAfter(headers), undefined, { signal });
      continue;
    }
    if (body.status === 'completed') return;
    if (body.status === 'failed') throw new DemoError(`A batch failed: ${body.error?.message ?? 'no reason given'}`);
    await delay(pollInterval, undefined, { signal });
  }
  throw new DemoError(`A batch was not processed within two minutes, see ${client.url}${statusUrl}.`);
}

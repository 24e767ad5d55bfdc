import { sendRequest } from './test-service.ts';
import { waitUntil } from './wait-until.ts';

/** Waits until `web` takes entries at this address, and a worker runs. */
export async function waitUntilReady(url: string): Promise<void> {
  await waitUntil('the service to be ready', async () => {
    const ready = await sendRequest(url, 'GET', '/health/ready?for=ingest').catch(() => undefined);
    return ready?.status === 200 && ready.body.checks.worker === 'up';
  });
}

import { sendRequest } from './test-service.ts';
import { waitUntil } from './wait-until.ts';

/**
 * Waits until `/health/ready?for=ingest` responds with 200: `web` listens at this address, and a
 * worker runs.
 */
export async function waitUntilReady(url: string): Promise<void> {
  const isReady = async () =>
    (await sendRequest(url, 'GET', '/health/ready?for=ingest').catch(() => undefined))?.status === 200;
  await waitUntil('the service to be ready', isReady);
}

import { sendRequest } from './test-service.ts';
import { waitUntil } from './wait-until.ts';

/** Waits until the processes that have been started are of use: `web` at this address answers, and a worker runs. */
export async function untilReady(url: string): Promise<void> {
  const isReady = async () => (await sendRequest(url, 'GET', '/health/ready').catch(() => undefined))?.status === 200;
  await waitUntil('the service to be ready', isReady, 60_000);
}

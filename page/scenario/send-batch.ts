import type { QueryValue } from '../client/api-client.ts';
import { ApiError, isTemporary } from '../client/api-error.ts';
import type { IngestSummary } from '../client/responses.ts';
import { authorized } from '../client/session.ts';

interface Batch {
  readonly path: string;
  readonly query: Readonly<Record<string, QueryValue>>;
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Its Idempotency-Key, with which it is counted once. */
  readonly key: string;
}

/**
 * Sends a batch, until it is accepted or refused permanently.
 * @param wait called when the service accepts no more at the moment.
 */
export async function sendBatch(
  { path, query, type, bytes, key }: Batch,
  signal: AbortSignal,
  wait: (isWaiting: boolean) => void,
): Promise<IngestSummary> {
  if (bytes.length === 0) return { accepted: 0, rejected: 0, skipped: 0, timed: 0, usage_unread: 0, errors: [] };
  const headers = { 'Content-Type': type, 'Idempotency-Key': key };
  for (;;) {
    try {
      const body = new Blob([bytes]);
      const response = await authorized(path, { method: 'POST', query, body, headers, signal });
      return (await response.json()) as IngestSummary;
    } catch (error) {
      // The first attempt of a repeated request can still be in progress.
      const isInProgress = error instanceof ApiError && error.code === 'CONFLICT';
      if (!isTemporary(error) && !isInProgress) throw error;
      wait(true);
      await pause((error instanceof ApiError && error.retryAfter ? error.retryAfter : 2) * 1_000, signal);
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason);
      },
      { once: true },
    );
  });
}

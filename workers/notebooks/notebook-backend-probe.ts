import { randomUUID } from 'node:crypto';
import { second } from '../../shared/durations.ts';
import { errorFields } from '../../shared/process/log.ts';
import type { WorkerDeps } from '../worker-deps.ts';
import { startAttemptTimer } from './attempt-timer.ts';

type ProbeDeps = Pick<WorkerDeps, 'notebookBackend' | 'notebookBreaker' | 'log'>;

const interval = 1 * second;
const timeout = 2 * second;

/**
 * Starts to probe the backend. While the circuit is open, no other call reaches the backend. One of
 * all workers then pings the backend once a second. A response closes the circuit.
 * @returns a function that ends the probing.
 */
export function startBackendProbe(deps: ProbeDeps): () => void {
  const timer = setInterval(() => {
    probe(deps).catch((error: unknown) => deps.log.warn('probe of the notebook backend failed', errorFields(error)));
  }, interval);
  return () => clearInterval(timer);
}

async function probe({ notebookBackend, notebookBreaker, log }: ProbeDeps): Promise<void> {
  if (!(await notebookBreaker.claimProbe())) return;
  const timer = startAttemptTimer(timeout);
  const call = { requestId: randomUUID(), signal: timer.signal, repeated: false };
  try {
    await notebookBackend.ping(call);
  } catch (error) {
    await notebookBreaker.recordFailure((error as Error).message);
    return;
  } finally {
    timer.end();
  }
  await notebookBreaker.recordSuccess();
  log.info('the notebook backend is available again');
}

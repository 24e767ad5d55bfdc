import { randomUUID } from 'node:crypto';
import { second } from '../../shared/durations.ts';
import { errorFields } from '../../shared/log.ts';
import type { WorkerDeps } from '../worker-deps.ts';

type ProbeDeps = Pick<WorkerDeps, 'notebookBackend' | 'notebookBreaker' | 'log'>;

const interval = 1 * second;
const timeout = 2 * second;

/**
 * While the circuit is open no request reaches the backend, so the workers try it: one of them, once a second. An answer
 * closes the circuit, even without traffic. Returns the function that ends the probing.
 */
export function startBackendProbe(deps: ProbeDeps): () => void {
  const timer = setInterval(() => {
    probe(deps).catch((error: unknown) => deps.log.warn('probe failed', errorFields(error)));
  }, interval);
  return () => clearInterval(timer);
}

async function probe({ notebookBackend, notebookBreaker, log }: ProbeDeps): Promise<void> {
  if (!(await notebookBreaker.claimProbe())) return;
  const call = { requestId: randomUUID(), signal: AbortSignal.timeout(timeout), repeated: false };
  try {
    await notebookBackend.ping(call);
  } catch (error) {
    await notebookBreaker.recordFailure((error as Error).message);
    return;
  }
  await notebookBreaker.recordSuccess();
  log.info('the notebook backend is back');
}

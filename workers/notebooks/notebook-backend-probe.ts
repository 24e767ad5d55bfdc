import { randomUUID } from 'node:crypto';
import { second } from '../../shared/durations.ts';
import { errorFields } from '../../shared/log.ts';
import type { WorkerDeps } from '../worker-deps.ts';

type ProbeDeps = Pick<WorkerDeps, 'notebookBackend' | 'notebookBreaker' | 'log'>;

const interval = 1 * second;
const patience = 2 * second;

/**
 * While the circuit is open nobody's request reaches the backend, so the workers try it: one of them, once a second. Its
 * answer closes the circuit, also when there are no requests. Returns the function that ends it.
 */
export function startBackendProbe(deps: ProbeDeps): () => void {
  const timer = setInterval(() => {
    probe(deps).catch((error: unknown) => deps.log.warn('probe failed', errorFields(error)));
  }, interval);
  return () => clearInterval(timer);
}

async function probe({ notebookBackend, notebookBreaker, log }: ProbeDeps): Promise<void> {
  if (!(await notebookBreaker.takeProbe())) return;
  const call = { requestId: randomUUID(), signal: AbortSignal.timeout(patience), repeated: false };
  try {
    await notebookBackend.ping(call);
  } catch (error) {
    await notebookBreaker.failed((error as Error).message);
    return;
  }
  await notebookBreaker.succeeded();
  log.info('the notebook backend is back');
}

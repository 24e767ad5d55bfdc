import { randomUUID } from 'node:crypto';
import { second } from '../../shared/durations.ts';
import { errorFields } from '../../shared/process/log.ts';
import type { WorkerDeps } from '../worker-deps.ts';
import { UpstreamError } from './backends/upstream-error.ts';

type ProbeDeps = Pick<WorkerDeps, 'notebookBackend' | 'notebookBreaker' | 'log'>;

const interval = 1 * second;
const timeout = 2 * second;

/**
 * Starts to probe the backend: at once, so that its state is known before the first call, and then
 * by one of all workers once a second, as long as there is a problem. While the circuit is open, no
 * other call reaches the backend, and a response closes the circuit. A backend without a problem is
 * not probed, because a JupyterHub would count each probe as activity of its user.
 * @returns a function that ends the probing.
 */
export function startBackendProbe(deps: ProbeDeps): () => void {
  let isDue = true;
  const probeIfDue = async () => {
    const isFirst = isDue;
    isDue = false;
    try {
      if (isFirst || (await deps.notebookBreaker.claimProbe())) await probe(deps);
    } catch (error) {
      isDue = isFirst;
      deps.log.warn('probe of the notebook backend failed', errorFields(error));
    }
  };
  const timer = setInterval(() => void probeIfDue(), interval);
  void probeIfDue();
  return () => clearInterval(timer);
}

async function probe({ notebookBackend, notebookBreaker, log }: ProbeDeps): Promise<void> {
  const call = { requestId: randomUUID(), signal: AbortSignal.timeout(timeout), repeated: false };
  let problem = '';
  let isOutage = false;
  try {
    await notebookBackend.ping(call);
    await notebookBackend.checkWrites?.(call);
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    problem = error.message;
    isOutage = error.outage;
  }
  await (isOutage ? notebookBreaker.recordFailure(problem) : notebookBreaker.recordSuccess());
  if (!(await notebookBreaker.recordProbe(problem))) return;
  if (problem === '') log.info('the notebook backend is available');
  else log.error('the notebook backend is unavailable', { reason: problem });
}

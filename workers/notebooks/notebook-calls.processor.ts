import { randomUUID } from 'node:crypto';
import { isMongoUnavailable, serverSelectionTimeout } from '../../shared/connections/mongo.ts';
import { day, minute, second } from '../../shared/durations.ts';
import { AppError, unavailable } from '../../shared/errors.ts';
import {
  discardJobId,
  type NotebookCallsPayload,
  notebookCallsQueue,
  notebookPauses,
  notebookRetryAfter,
} from '../../shared/notebooks/notebook-calls.queue.ts';
import { errorFields } from '../../shared/process/log.ts';
import { longestPause } from '../../shared/queues/define-queue.ts';
import { PermanentFailure, RetryableFailure } from '../../shared/queues/job-failure.ts';
import { defineProcessor } from '../jobs/define-processor.ts';
import type { WorkerDeps } from '../worker-deps.ts';
import type { BackendCall } from './backends/notebook-backend.ts';
import { UpstreamError } from './backends/upstream-error.ts';
import { runOperation } from './notebook-operations.ts';

/**
 * Makes one attempt at a call of the notebook backend before the deadline. After a failure, it
 * decides whether the call is retried.
 */
export const notebookCallsProcessor = defineProcessor(
  notebookCallsQueue,
  async (payload, deps, attempt) => {
    const { notebookBreaker: breaker, config } = deps;
    const timeLeft = payload.deadlineAt - Date.now();
    if (timeLeft <= 0) {
      // An earlier attempt can have succeeded, even if its worker died.
      if (payload.operation === 'create' && !attempt.first) await scheduleDiscard(payload, deps);
      // Not the first attempt if an operator retried the job, or its worker died.
      const deadline = new Date(payload.deadlineAt).toISOString();
      const reason = attempt.first
        ? 'No worker was free to call the notebook backend in time.'
        : `The deadline of the call (${deadline}) had passed, so the backend was not called again.`;
      throw new PermanentFailure(unavailable(reason, 2));
    }
    // Leaves time for another attempt if this one gets no response.
    const attemptMs = Math.floor(Math.min(timeLeft, config.notebooks.deadlineMs / 2));
    const call: BackendCall = {
      requestId: payload.requestId,
      signal: AbortSignal.timeout(attemptMs),
      repeated: !attempt.first || (payload.operation === 'create' && payload.attemptedBefore),
    };
    const circuit = await breaker.state();
    if (circuit.open) {
      const error = new UpstreamError(circuit.reason, { outage: true });
      throw await toJobFailure(error, payload, deps, attempt.number, call.repeated);
    }
    try {
      const result = await runOperation(payload, call, deps);
      // A repeated change could undo a later one, of which a caller that knew the result could be
      // the sender.
      if (payload.operation === 'read' || payload.operation === 'list') attempt.announceResult(result);
      // An earlier attempt that ends late can leave a second notebook.
      if (payload.operation === 'create' && call.repeated) await scheduleDiscard(payload, deps);
      if (circuit.failures > 0) await breaker.recordSuccess();
      return result;
    } catch (error) {
      const failure = await reportToBreaker(error, circuit.failures, deps);
      const hadNoEffect = error instanceof UpstreamError && error.refused;
      throw await toJobFailure(failure, payload, deps, attempt.number, call.repeated || !hadNoEffect);
    }
  },
  { startTask: startBackendProbe },
);

/**
 * Reports the end of a call to the circuit breaker.
 * @returns the failure. A failure that opened the circuit is not retryable.
 */
async function reportToBreaker(
  error: unknown,
  failuresBefore: number,
  { notebookBreaker, log }: WorkerDeps,
): Promise<unknown> {
  if (!(error instanceof UpstreamError)) return error;
  if (error.unauthorized) log.error('the notebook backend refuses access', { reason: error.message });
  if (!error.outage) {
    if (failuresBefore > 0) await notebookBreaker.recordSuccess();
    return error;
  }
  const open = await notebookBreaker.recordFailure(error.message);
  if (!open) return error;
  return new UpstreamError(error.message, { outage: true, retryAfterMs: error.retryAfterMs, cause: error });
}

/**
 * Converts an error to the failure to throw: retryable if another attempt can end before the
 * deadline, otherwise permanent.
 * @param attempt the number of this attempt.
 * @param mayHaveSucceeded whether this or an earlier attempt can have succeeded without a response.
 */
async function toJobFailure(
  error: unknown,
  payload: NotebookCallsPayload,
  deps: WorkerDeps,
  attempt: number,
  mayHaveSucceeded: boolean,
): Promise<unknown> {
  const ofBackend = error instanceof UpstreamError ? error : null;
  // An error that comes neither from the backend nor from the database is handled like the errors
  // of other jobs.
  if (!ofBackend && !isMongoUnavailable(error)) return error;
  const failure = ofBackend ? upstreamError(ofBackend) : unavailable('The database is unreachable.', 2, error);
  if (payload.operation === 'discard') return new RetryableFailure(failure, error, 1 * minute);
  const { retryable, retryAfterMs } = ofBackend ?? { retryable: true, retryAfterMs: 0 };
  const minDuration = ofBackend ? 0 : serverSelectionTimeout(deps.config.mongodbTimeoutMs);
  const nextAttemptEnd = Date.now() + longestPause(notebookPauses, attempt, retryAfterMs) + minDuration;
  if (retryable && nextAttemptEnd < payload.deadlineAt) return new RetryableFailure(failure, error, retryAfterMs);
  if (payload.operation === 'create' && mayHaveSucceeded) await scheduleDiscard(payload, deps);
  return new PermanentFailure(failure);
}

/**
 * Adds a job that removes what attempts at a create have left besides a notebook with a record,
 * delayed until requests in flight have ended.
 */
async function scheduleDiscard(
  abandoned: { notebookId: string; deadlineAt: number; requestId: string },
  { queues }: WorkerDeps,
): Promise<void> {
  const { notebookId, requestId } = abandoned;
  await queues['notebook-calls'].add(
    { operation: 'discard', notebookId, requestId, deadlineAt: Date.now() + day },
    { jobId: discardJobId(abandoned), delay: minute / 2 },
  );
}

function upstreamError({ message: reason, retryable, outage, retryAfterMs }: UpstreamError): AppError {
  const wait = Math.max(notebookRetryAfter, Math.ceil(retryAfterMs / second));
  return new AppError('UPSTREAM_ERROR', `The notebook backend failed: ${reason}`, {
    headers: retryable || outage ? { 'Retry-After': String(wait) } : {},
  });
}

type ProbeDeps = Pick<WorkerDeps, 'notebookBackend' | 'notebookBreaker' | 'log'>;

const probeInterval = 1 * second;
const probeTimeout = 2 * second;

/**
 * Starts to probe the backend: at once, so that its state is known before the first call, and then
 * by one of all workers once a second, as long as there is a problem. While the circuit is open, no
 * other call reaches the backend, and a response closes the circuit. A backend without a problem is
 * not probed, because a JupyterHub would count each probe as activity of its user.
 * @returns a function that ends the probing.
 */
function startBackendProbe(deps: ProbeDeps): () => void {
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
  const timer = setInterval(() => void probeIfDue(), probeInterval);
  void probeIfDue();
  return () => clearInterval(timer);
}

async function probe({ notebookBackend, notebookBreaker, log }: ProbeDeps): Promise<void> {
  const call = { requestId: randomUUID(), signal: AbortSignal.timeout(probeTimeout), repeated: false };
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

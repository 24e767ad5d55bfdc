import { randomUUID } from 'node:crypto';
import { day, minute } from '../../shared/durations.ts';
import { AppError, unavailable } from '../../shared/errors.ts';
import { isMongoUnavailable, serverSelectionTimeoutMs } from '../../shared/mongo.ts';
import { longestPause } from '../../shared/queues/backoff.ts';
import { PermanentFailure, RetryableFailure } from '../../shared/queues/job-failure.ts';
import {
  discardJobId,
  type NotebookCallsPayload,
  notebookCallsQueue,
  notebookPauses,
} from '../../shared/queues/notebook-calls.queue.ts';
import { type Attempt, defineProcessor } from '../define-processor.ts';
import type { BackendCall } from '../notebook-backends/notebook-backend.ts';
import { UpstreamError } from '../notebook-backends/upstream-error.ts';
import { startBackendProbe } from '../notebooks/notebook-backend-probe.ts';
import { carryOut, findRecord, type NotebookDeps } from '../notebooks/notebook-operations.ts';
import type { WorkerDeps } from '../worker-deps.ts';

type Deps = NotebookDeps & Pick<WorkerDeps, 'notebookBreaker' | 'queues' | 'log'>;

/** One attempt at a call of the notebook backend, within the time left, and the verdict on it when it fails. */
export const notebookCallsProcessor = defineProcessor(
  notebookCallsQueue,
  async (payload, deps: Deps, attempt) => {
    const { notebookBreaker: breaker, config } = deps;
    const left = payload.deadlineAt - Date.now();
    if (left <= 0) {
      // An earlier attempt, or a worker that died over it, may have carried it out.
      if (payload.operation === 'create' && !attempt.first) await discardLater(payload, deps);
      throw new PermanentFailure(upstreamFailed('it gave no answer in time'));
    }
    const call: BackendCall = {
      requestId: payload.requestId,
      // An attempt that hangs leaves time for another.
      signal: AbortSignal.timeout(Math.min(left, config.notebooks.deadlineMs / 2)),
      repeated: !attempt.first || (payload.operation === 'create' && payload.attemptedBefore),
    };
    const finding = 'notebookId' in payload ? findRecord(deps, payload.notebookId) : Promise.resolve(null);
    // Awaited later, or not at all; until then a failure of it must not count as unhandled.
    finding.catch(() => {});
    const before = await breaker.state();
    try {
      if (before.open) throw new UpstreamError({ reason: before.reason, retryable: false });
      const result = await carryOut(payload, finding, call, deps);
      if (before.failures > 0) await breaker.recordSuccess();
      return result;
    } catch (error) {
      const failure = before.open ? error : await reported(error, before.failures, deps);
      const nothingDone = before.open || (error instanceof UpstreamError && error.refused);
      throw await verdict(failure, payload, deps, { ...attempt, unheard: call.repeated || !nothingDone });
    }
  },
  { startTask: startBackendProbe },
);

/** Tells the breaker how the call ended. @returns the failure; one that has opened the circuit is not worth a retry. */
async function reported(
  error: unknown,
  failuresBefore: number,
  { notebookBreaker, log }: Pick<Deps, 'notebookBreaker' | 'log'>,
): Promise<unknown> {
  if (!(error instanceof UpstreamError)) return error;
  if (error.misconfigured) log.error('the notebook backend refuses our access', { reason: error.message });
  if (!error.outage) {
    if (failuresBefore > 0) await notebookBreaker.recordSuccess();
    return error;
  }
  const open = await notebookBreaker.recordFailure(error.message);
  return open ? new UpstreamError({ reason: error.message, retryable: false, cause: error }) : error;
}

/**
 * Is there another attempt, by the queue's backoff, or is it over? `unheard`: one may have been carried out without our
 * hearing so.
 */
async function verdict(
  error: unknown,
  payload: NotebookCallsPayload,
  deps: Pick<Deps, 'queues'>,
  attempt: Attempt & { unheard: boolean },
): Promise<unknown> {
  const judged = judge(error);
  // Neither the backend's fault nor the database's: the queue's own rules apply.
  if (!judged) return error;
  const { failure, retryable, retryAfterMs, lasts } = judged;
  if (payload.operation === 'discard') return new RetryableFailure(failure, error, 1 * minute);
  const nextEnds = Date.now() + longestPause(notebookPauses, attempt.number, retryAfterMs) + lasts;
  if (retryable && nextEnds < payload.deadlineAt) return new RetryableFailure(failure, error, retryAfterMs);
  if (payload.operation === 'create' && attempt.unheard) await discardLater(payload, deps);
  return new PermanentFailure(failure);
}

/** What the caller is told, and whether and when another attempt makes sense, which lasts so long at least. */
function judge(error: unknown) {
  if (error instanceof UpstreamError) {
    const { message, retryable, retryAfterMs } = error;
    return { failure: upstreamFailed(message), retryable, retryAfterMs, lasts: 0 };
  }
  if (!isMongoUnavailable(error)) return undefined;
  const failure = unavailable('The database is not reachable at the moment.', 2, error);
  return { failure, retryable: true, retryAfterMs: 0, lasts: serverSelectionTimeoutMs };
}

/** A create that is given up may have been carried out: once the requests under way have ended, it is looked for. */
async function discardLater(
  givenUp: { notebookId: string; deadlineAt: number },
  { queues }: Pick<Deps, 'queues'>,
): Promise<void> {
  await queues['notebook-calls'].add(
    { operation: 'discard', notebookId: givenUp.notebookId, requestId: randomUUID(), deadlineAt: Date.now() + day },
    { jobId: discardJobId(givenUp), delay: minute / 2 },
  );
}

function upstreamFailed(reason: string): AppError {
  return new AppError('UPSTREAM_ERROR', `The notebook backend failed: ${reason}`);
}

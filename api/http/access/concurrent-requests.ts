// The bounds of one process. A request waits for its turn to start. `limits.ts` then limits its
// network, credentials and caller; reads of cost and reports have slots, waits for workers a limit.
import { second } from '../../../shared/durations.ts';
import { rateLimited, unavailable } from '../../../shared/errors.ts';
import type { Metrics } from '../../../shared/process/metrics.ts';
import { createSemaphore } from '../../../shared/process/semaphore.ts';
import type { AppContext, Caller } from '../context.ts';
import { setRateLimitHeaders } from './rate-limiter.ts';

type LimitedCaller = Pick<Caller, 'limitKey'>;

/** @returns a function that begins something: it returns its end, or null if `max` of a key run. */
function createCounter(max: number): (key: string) => (() => void) | null {
  const inProgress = new Map<string, number>();
  return (key) => {
    const before = inProgress.get(key) ?? 0;
    if (before >= max) return null;
    inProgress.set(key, before + 1);
    return () => {
      const left = (inProgress.get(key) ?? 1) - 1;
      if (left === 0) inProgress.delete(key);
      else inProgress.set(key, left);
    };
  };
}

/** Bounds the requests of a caller that wait for a worker. Both functions return their end. */
export function createWaitingRequests(maxPerCaller: number) {
  const beginOf = createCounter(maxPerCaller);
  /** @returns null if too many wait. */
  const begin = ({ limitKey }: LimitedCaller) => beginOf(limitKey);
  /** @throws AppError SERVICE_UNAVAILABLE if too many wait. */
  const require = (caller: LimitedCaller) => {
    const end = begin(caller);
    if (end) return end;
    throw unavailable(
      'Too many requests of this caller are waiting: send the request again after one of them gets its response.',
      1,
    );
  };
  return { begin, require };
}

/** Several accounts can have one network, such as that of a proxy. */
const callersPerNetwork = 2;

/**
 * Bounds the requests in progress: of a network and with its credentials, whatever the network,
 * while these are checked by the database; then of a caller. Each function returns the end of the
 * request. @throws AppError RATE_LIMITED
 */
export function createConcurrentRequests(maxPerCaller: number, refusals: Metrics['rateLimitRefusals']) {
  const createLimit = (limit: number) => {
    const begin = createCounter(limit);
    return (ctx: AppContext, key: string): (() => void) => {
      const end = begin(key);
      if (end) return end;
      refusals.inc({ limit: 'concurrent' });
      setRateLimitHeaders(ctx, { allowed: false, limit, remaining: 0, resetsIn: second });
      throw rateLimited(1, 'Too many requests at once');
    };
  };
  return {
    enterNetwork: createLimit(callersPerNetwork * maxPerCaller),
    enterCredentials: createLimit(maxPerCaller),
    enterCaller: createLimit(maxPerCaller),
  };
}

/**
 * Runs the tasks of requests, a limited number at the same time, and half of them of one caller.
 * The others wait, so that a caller of many requests delays another one by one task.
 */
type CallerSlots = <Result>(caller: LimitedCaller, task: () => Promise<Result>) => Promise<Result>;

export function createCallerSlots(maxConcurrent: number): CallerSlots {
  const withSlot = createSemaphore(maxConcurrent);
  const maxPerCaller = Math.ceil(maxConcurrent / 2);
  /** The callers with tasks, by their keys. */
  const callers = new Map<string, { withOwnSlot: ReturnType<typeof createSemaphore>; tasks: number }>();
  return ({ limitKey }, task) =>
    new Promise((settle) => {
      const caller = callers.get(limitKey) ?? { withOwnSlot: createSemaphore(maxPerCaller), tasks: 0 };
      callers.set(limitKey, caller);
      caller.tasks += 1;
      void caller.withOwnSlot(async () => {
        const result = withSlot(task);
        settle(result);
        await result.catch(() => {});
        caller.tasks -= 1;
        if (caller.tasks === 0) callers.delete(limitKey);
      });
    });
}

/**
 * Starts one request per turn of the event loop, from each network in turn. A turn then lasts about
 * as long as one request takes, whatever their number: libuv accepts one connection per turn, so
 * long turns would hold up those of all others.
 * @returns a function that waits for the turn of a request.
 */
export function createStartQueue(): (network: string) => Promise<void> {
  /** The next network first. */
  const waiting = new Map<string, (() => void)[]>();
  let hasStarted = false;

  function startNext(): void {
    const [next] = waiting;
    hasStarted = next !== undefined;
    if (!next) return;
    const [network, starts] = next;
    const start = starts.shift();
    waiting.delete(network);
    if (starts.length > 0) waiting.set(network, starts);
    setImmediate(startNext);
    start?.();
  }

  return (network) => {
    if (!hasStarted) {
      hasStarted = true;
      setImmediate(startNext);
      return Promise.resolve();
    }
    return new Promise((start) => {
      const starts = waiting.get(network);
      if (starts) starts.push(start);
      else waiting.set(network, [start]);
    });
  };
}

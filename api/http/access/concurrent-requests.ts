import { second } from '../../../shared/durations.ts';
import { type AppError, rateLimited, unavailable } from '../../../shared/errors.ts';
import type { Metrics } from '../../../shared/process/metrics.ts';
import { createSemaphore } from '../../../shared/process/semaphore.ts';
import type { AppContext, Caller } from '../context.ts';
import { setRateLimitHeaders } from './rate-limiter.ts';

export interface WaitingRequests {
  /**
   * Counts a request that waits for a worker.
   * @returns a function that ends the wait, once; null if too many requests are waiting, of the
   * caller or in all.
   */
  enter(caller: Pick<Caller, 'limitKey'>): (() => void) | null;
}

/** Bounds the requests that wait for a worker in this process, those of one caller and all. */
export function createWaitingRequests(maxPerCaller: number, maxInAll = Infinity): WaitingRequests {
  const waiting = new Map<string, number>();
  let inAll = 0;
  return {
    enter: ({ limitKey }) => {
      const own = waiting.get(limitKey) ?? 0;
      if (own >= maxPerCaller || inAll >= maxInAll) return null;
      inAll += 1;
      waiting.set(limitKey, own + 1);
      let isWaiting = true;
      return () => {
        if (!isWaiting) return;
        isWaiting = false;
        inAll -= 1;
        const left = (waiting.get(limitKey) ?? 1) - 1;
        if (left === 0) waiting.delete(limitKey);
        else waiting.set(limitKey, left);
      };
    },
  };
}

export function tooManyWaiting(): AppError {
  return unavailable(
    'Too many requests of this caller are waiting: send the request again after one of them gets its response.',
    1,
  );
}

/**
 * Bounds the requests in progress in this process. Both return a function that ends the request.
 */
export interface ConcurrentRequests {
  /**
   * Counts a request of a network while its credentials are checked, which are read from the
   * database, and the request with these credentials, whatever its network.
   * @throws AppError RATE_LIMITED
   */
  enterCheck(ctx: AppContext, network: string): () => void;
  /**
   * Counts a request until its response begins.
   * @throws AppError RATE_LIMITED
   */
  enter(ctx: AppContext, caller: Pick<Caller, 'limitKey'>): () => void;
}

/** Several accounts can have one network, such as that of a proxy. */
const callersPerNetwork = 2;

export function createConcurrentRequests(
  maxPerCaller: number,
  refusals: Metrics['rateLimitRefusals'],
): ConcurrentRequests {
  const maxPerNetwork = callersPerNetwork * maxPerCaller;
  const ofNetworks = createWaitingRequests(maxPerNetwork);
  const ofCredentials = createWaitingRequests(maxPerCaller);
  const ofCallers = createWaitingRequests(maxPerCaller);
  const orRefuse = (ctx: AppContext, limit: number, leave: (() => void) | null) => {
    if (leave) return leave;
    refusals.inc({ limit: 'concurrent' });
    setRateLimitHeaders(ctx, { allowed: false, limit, remaining: 0, resetsIn: second });
    throw rateLimited(1, 'Too many requests at once');
  };
  return {
    enterCheck: (ctx, network) => {
      const leaveNetwork = orRefuse(ctx, maxPerNetwork, ofNetworks.enter({ limitKey: network }));
      const credentials = ctx.get('X-API-Key') || ctx.get('Authorization');
      if (credentials === '') return leaveNetwork;
      const leave = ofCredentials.enter({ limitKey: credentials });
      if (!leave) leaveNetwork();
      const leaveCredentials = orRefuse(ctx, maxPerCaller, leave);
      return () => {
        leaveNetwork();
        leaveCredentials();
      };
    },
    enter: (ctx, caller) => orRefuse(ctx, maxPerCaller, ofCallers.enter(caller)),
  };
}

/**
 * Runs the tasks of requests, a limited number at the same time, and half of them of one caller.
 * The others wait, so that a caller of many requests delays another one by one task.
 */
type CallerSlots = <Result>(caller: Pick<Caller, 'limitKey'>, task: () => Promise<Result>) => Promise<Result>;

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

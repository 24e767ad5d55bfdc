import { type AppError, unavailable } from '../../../shared/errors.ts';
import type { Caller } from '../context.ts';

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

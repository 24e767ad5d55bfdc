import { type AppError, unavailable } from '../../shared/errors.ts';
import type { Caller } from './context.ts';

export interface WaitingRequests {
  /** Counts a request that waits for a worker. @returns what ends the wait; null when the caller has too many waiting. */
  enter(caller: Pick<Caller, 'limitedAs'>): (() => void) | null;
}

/** Bounds the requests of one caller that wait for a worker in this process. */
export function createWaitingRequests(maxPerCaller: number): WaitingRequests {
  const waiting = new Map<string, number>();
  return {
    enter: ({ limitedAs }) => {
      const own = waiting.get(limitedAs) ?? 0;
      if (own >= maxPerCaller) return null;
      waiting.set(limitedAs, own + 1);
      return () => {
        const left = (waiting.get(limitedAs) ?? 1) - 1;
        if (left === 0) waiting.delete(limitedAs);
        else waiting.set(limitedAs, left);
      };
    },
  };
}

export function tooManyWaiting(): AppError {
  return unavailable('Too many requests of this caller are waiting; send this one again when one is answered.', 1);
}

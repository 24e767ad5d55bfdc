import { setTimeout as delay } from 'node:timers/promises';
import { AppError, type ErrorCode } from '../../../shared/errors.ts';

/** Codes of the errors after which a caller is expected to send the request again. */
const refusalCodes: ReadonlySet<ErrorCode> = new Set(['RATE_LIMITED', 'SERVICE_UNAVAILABLE']);

/**
 * Milliseconds that each waiting refusal adds to the delay of the next one: of its network, and of
 * all.
 */
const ownMs = 20;
const otherMs = 10;
const maxOwn = 1000;
const maxOther = 200;

/**
 * Spaces the refusals of this process: a caller that repeats refused requests at once gets 50 a
 * second, and would otherwise occupy the event loop with them. A refusal waits for those of its
 * network, at most 20 s, and for those of others, at most 2 s; a single one does not wait.
 * @returns a function that waits if the error of a request is a refusal.
 */
export function createRefusalPace(): (error: unknown, network: string) => Promise<void> {
  const waiting = new Map<string, number>();
  let inAll = 0;
  return async (error, network) => {
    if (!(error instanceof AppError) || !refusalCodes.has(error.code)) return;
    const own = waiting.get(network) ?? 0;
    const delayMs = ownMs * Math.min(own, maxOwn) + otherMs * Math.min(inAll, maxOther);
    waiting.set(network, own + 1);
    inAll += 1;
    await delay(delayMs);
    inAll -= 1;
    const left = (waiting.get(network) ?? 1) - 1;
    if (left === 0) waiting.delete(network);
    else waiting.set(network, left);
  };
}

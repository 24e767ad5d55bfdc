import { setTimeout as delay } from 'node:timers/promises';
import { type Job, Worker } from 'bullmq';
import { isRefusal } from '../../shared/connections/redis.ts';
import { minute, second } from '../../shared/durations.ts';
import { errorFields, type Log } from '../../shared/process/log.ts';

const refusalDelay = 1 * second;

/**
 * A BullMQ worker that waits before it takes a job again after Redis has refused it. BullMQ waits
 * only for a lost connection.
 */
export class QueueWorker extends Worker {
  protected override async moveToActive(token: string, name?: string): Promise<Job> {
    try {
      return await super.moveToActive(token, name);
    } catch (error) {
      if (isRefusal(error)) await delay(refusalDelay);
      throw error;
    }
  }
}

/**
 * Logs that Redis refuses commands once a minute, whichever workers of the process it refuses.
 * @returns a function that returns false for another error.
 */
export function createRefusalLog(log: Log): (error: Error) => boolean {
  let loggedAt = -Infinity;
  return (error) => {
    if (!isRefusal(error)) return false;
    if (performance.now() - loggedAt > 1 * minute) {
      log.warn('Redis refuses commands: workers try again every second', errorFields(error));
      loggedAt = performance.now();
    }
    return true;
  };
}

import { setTimeout as delay } from 'node:timers/promises';
import { type Job, type Processor, Worker, type WorkerOptions } from 'bullmq';
import { isRefusal } from '../../shared/connections/redis.ts';
import { minute, second } from '../../shared/durations.ts';
import { errorFields, type Log } from '../../shared/process/log.ts';

const refusalDelay = 1 * second;

/**
 * A BullMQ worker that waits before it takes a job again after Redis has refused it. BullMQ waits
 * only for a lost connection. It also starts the first job after an idle time at once, where BullMQ
 * looks for a second one before.
 */
export class QueueWorker extends Worker {
  #isIdle = false;
  #hasJustStarted = false;

  constructor(name: string, processor: Processor, options: WorkerOptions) {
    super(name, processor, options);
    this.on('drained', () => {
      this.#isIdle = true;
    });
  }

  protected override async moveToActive(token: string, name?: string): Promise<Job> {
    // The script that takes a job sets the marker, which ends the next wait for a job at once. So
    // the second job is found after that.
    if (this.#hasJustStarted) {
      this.#hasJustStarted = false;
      return this.nextJobFromJobData();
    }
    try {
      const job = (await super.moveToActive(token, name)) as Job | undefined;
      if (job) {
        this.#hasJustStarted = this.#isIdle;
        this.#isIdle = false;
      }
      return job as Job;
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

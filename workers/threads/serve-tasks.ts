import { parentPort } from 'node:worker_threads';
import type { TaskOutcome } from './thread-pool.ts';

/** Makes this thread run the tasks of its pool, in turn. */
export function serveTasks<Task, Result>(run: (task: Task) => Result | Promise<Result>): void {
  const port = parentPort;
  if (!port) throw new TypeError('This module runs in a thread of a pool.');
  port.on('message', async (task: Task) => {
    let outcome: TaskOutcome<Result>;
    try {
      outcome = { result: await run(task) };
    } catch (error) {
      outcome = { error };
    }
    port.postMessage(outcome);
  });
}

import { parentPort } from 'node:worker_threads';
import type { TaskOutcome } from './thread-pool.ts';

/** Makes this thread run the tasks of its pool, in turn. */
export function serveTasks(run: (task: never) => unknown): void {
  const port = parentPort;
  if (!port) throw new TypeError('This module runs in a thread of a pool.');
  const handle = async (task: never): Promise<void> => {
    let outcome: TaskOutcome<unknown>;
    try {
      outcome = { result: await run(task) };
    } catch (error) {
      outcome = { error };
    }
    port.postMessage(outcome);
  };
  port.on('message', (task: unknown) => void handle(task as never));
}

import { setTimeout as delay } from 'node:timers/promises';
import { threadId, workerData } from 'node:worker_threads';
import { serveTasks } from '../../../shared/process/thread-pool.ts';

export type Task =
  | { kind: 'id' | 'data' | 'fail' | 'exit' | 'throw' | 'hang' | 'fill memory' }
  | { kind: 'wait'; gate: SharedArrayBuffer };

/** A thread for the tests of the pool. */
serveTasks(async (task: Task): Promise<unknown> => {
  if (task.kind === 'id') return threadId;
  if (task.kind === 'data') return workerData;
  if (task.kind === 'fail') throw new RangeError('the task failed');
  if (task.kind === 'throw') {
    setImmediate(() => {
      throw new Error('an error outside of the task');
    });
    await delay(60_000);
  }
  if (task.kind === 'hang') for (;;);
  if (task.kind === 'wait') {
    // Blocks the thread until the test opens the gate.
    Atomics.add(new Int32Array(task.gate), 1, 1);
    Atomics.wait(new Int32Array(task.gate), 0, 0);
    return threadId;
  }
  if (task.kind === 'fill memory') {
    const filled: unknown[] = [];
    for (;;) filled.push(Array.from({ length: 10_000 }, (_, index) => ({ index })));
  }
  // Also for the tasks of other pools.
  return process.exit(3);
});

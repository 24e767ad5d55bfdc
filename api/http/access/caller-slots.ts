import { createSemaphore } from '../../../shared/process/semaphore.ts';
import type { Caller } from '../context.ts';

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

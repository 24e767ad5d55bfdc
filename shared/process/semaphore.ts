/**
 * Runs tasks, a limited number at the same time. The others wait, in the order in which they came.
 */
export type Semaphore = <Result>(task: () => Promise<Result>) => Promise<Result>;

export function createSemaphore(maxConcurrent: number): Semaphore {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (task) => {
    // A finished task passes its slot to the next one, so the count stays the same.
    if (running >= maxConcurrent) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

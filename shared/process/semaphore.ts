/**
 * Runs tasks, a limited number at the same time. The others wait, in the order in which they came.
 */
type Semaphore = <Result>(task: () => Promise<Result>) => Promise<Result>;

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

/**
 * Whether a check succeeds within a limit in milliseconds. One that throws, or takes longer, does
 * not.
 */
export async function succeedsWithin(limitMs: number, check: () => Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMs);
  });
  try {
    return await Promise.race([check(), limit]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

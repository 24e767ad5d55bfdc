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

import { AsyncLocalStorage } from 'node:async_hooks';

export type Server = 'mongodb' | 'redis';

/** How long one request has waited for servers that do not respond, in milliseconds. */
interface Waits {
  readonly limits: Readonly<Record<Server | 'total', number>>;
  readonly lost: Record<Server, number>;
  /** Waits at the same time are counted once. */
  countedUntil: number;
  isOver: boolean;
}

const context = new AsyncLocalStorage<Waits>();

/**
 * Runs a request. All its operations together wait at most `timeoutMs`, with a tenth as margin, for
 * servers that do not respond. A response resets the time of its server, so that a request is not
 * limited while its operations succeed. Redis has a share only, because many requests succeed
 * without it. Work that outlasts the request is not limited.
 */
export async function withWaitLimit<T>(timeoutMs: number, request: () => Promise<T>): Promise<T> {
  const limits = { total: timeoutMs * 0.9, mongodb: timeoutMs * 0.9, redis: timeoutMs * 0.6 };
  const waits: Waits = { limits, lost: { mongodb: 0, redis: 0 }, countedUntil: 0, isOver: false };
  try {
    return await context.run(waits, request);
  } finally {
    waits.isOver = true;
  }
}

/** Runs work beside a request. It neither counts against the limit of the request nor resets it. */
export const withoutWaitLimit = <T>(work: () => T): T => context.exit(work);

/**
 * Runs one operation within the limit of its request. After the limit, an operation is not sent any
 * more, and one that was sent can still be executed.
 * @param options.hasNoResponse whether an error means that the server did not respond.
 * @throws options.createError() at the limit.
 */
export async function limitWait<T>(
  server: Server,
  operation: () => Promise<T>,
  options: { hasNoResponse: (error: unknown) => boolean; createError: () => Error },
): Promise<T> {
  const waits = context.getStore();
  if (!waits || waits.isOver) return operation();
  const left = timeLeft(waits, server);
  // A timer ends up to a millisecond early.
  if (left < 1) throw options.createError();
  const begunAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    // A response that has arrived while the process was busy is read before the limit applies.
    timer = setTimeout(() => setImmediate(() => reject(options.createError())), left);
  });
  try {
    const value = await Promise.race([operation(), limit]);
    waits.lost[server] = 0;
    return value;
  } catch (error) {
    if (options.hasNoResponse(error)) count(waits, server, begunAt);
    else waits.lost[server] = 0;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function timeLeft({ limits, lost }: Waits, server: Server): number {
  return Math.min(limits[server] - lost[server], limits.total - lost.mongodb - lost.redis);
}

function count(waits: Waits, server: Server, begunAt: number): void {
  const now = performance.now();
  waits.lost[server] += now - Math.max(begunAt, waits.countedUntil);
  waits.countedUntil = now;
}

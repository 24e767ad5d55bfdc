import type { Config } from '../../shared/config/config.ts';
import { second } from '../../shared/durations.ts';
import { rateLimited } from '../../shared/errors.ts';
import { inSeconds, minuteInSeconds, type RateLimiter } from '../http/access/rate-limiter.ts';
import type { Caller } from '../http/context.ts';

const entryBytes = 200;

/** Gets what a request costs. */
export interface ReadingCost {
  /** @param bytes of the body, unpacked. @param entries count `entryBytes` each. */
  add(bytes: number, entries: number): void;
}

/** How long a small cost waits for others, which are then charged together. */
const chargeDelay = 1 * second;
const smallBytes = 1024 * 1024;

/** The budgets of callers, as far as a process knows them. */
export interface IngestBudgets {
  /** Costs that have not been charged. */
  readonly uncharged: Map<string, number>;
  /** Callers above `RATE_LIMIT_INGEST_BYTES`: when their minute ends, by `performance.now()`. */
  readonly exhausted: Map<string, number>;
}

interface Deps {
  readonly config: Pick<Config, 'ingest'>;
  readonly rateLimiter: RateLimiter;
  readonly ingestBudgets: IngestBudgets;
}

/**
 * Handles a request with log entries, and counts its cost against `RATE_LIMIT_INGEST_BYTES` once it
 * has ended. A request is refused by what earlier ones have cost, because the size of a packed body
 * says nothing about its cost. A process knows that from its own last charge.
 * @throws AppError RATE_LIMITED before the body is read.
 */
export async function withCost<T>(
  deps: Deps,
  { limitKey }: Pick<Caller, 'limitKey'>,
  handle: (cost: ReadingCost) => Promise<T>,
): Promise<T> {
  const { exhausted, uncharged } = deps.ingestBudgets;
  const leftMs = (exhausted.get(limitKey) ?? 0) - performance.now();
  if (leftMs > 0) throw rateLimited(inSeconds(leftMs));
  exhausted.delete(limitKey);
  let cost = 0;
  const add = (bytes: number, entries: number) => {
    cost += bytes + entries * entryBytes;
  };
  try {
    return await handle({ add });
  } finally {
    if (cost > 0) {
      const others = uncharged.get(limitKey);
      const sum = cost + (others ?? 0);
      uncharged.set(limitKey, sum);
      // The response does not wait for it.
      if (sum > smallBytes) void charge(deps, limitKey);
      else if (others === undefined) setTimeout(() => void charge(deps, limitKey), chargeDelay).unref();
    }
  }
}

async function charge({ config, rateLimiter, ingestBudgets }: Deps, caller: string): Promise<void> {
  const { exhausted, uncharged } = ingestBudgets;
  const cost = uncharged.get(caller) ?? 0;
  uncharged.delete(caller);
  if (cost === 0) return;
  const allowance = { name: 'ingest-bytes', limit: config.ingest.maxBytesPerMinute, seconds: minuteInSeconds };
  try {
    const { allowed, resetsIn } = await rateLimiter.consume(allowance, caller, cost);
    if (!allowed) exhausted.set(caller, performance.now() + resetsIn);
  } catch {
    // Without Redis, the process counts alone, so this is a Redis that refuses.
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../../shared/config/config.ts';
import { day } from '../../shared/durations.ts';
import { AppError, rateLimited } from '../../shared/errors.ts';
import { inSeconds, minuteInSeconds, type RateLimiter } from '../http/access/rate-limiter.ts';
import type { Caller } from '../http/context.ts';
import type { LogEntryInput } from './ingest.schemas.ts';

/**
 * The cost of a request with log entries, in bytes: those of its body, unpacked, and `entryCost`
 * for each of its entries.
 */
export interface IngestCost {
  /**
   * Adds to the cost of the request.
   * @throws AppError RATE_LIMITED if earlier requests of the caller have used up its minute, or its
   * requests in progress cost too much.
   */
  add(bytes: number, entries: number): void;
  /**
   * Waits, if the entries are of many days, for earlier requests of the caller with such entries.
   * @returns whether it waited.
   * @throws AppError RATE_LIMITED if that would take more than `maxDaysWaitMs`.
   */
  waitForDays(entries: readonly Pick<LogEntryInput, 'timestamp'>[]): Promise<boolean>;
  /** Ends the request, once. Its cost counts until the end of the minute. */
  end(): void;
}

export interface IngestBudget {
  /**
   * Begins a request, before its body is unpacked.
   * @throws AppError RATE_LIMITED as `add` does, or if the caller is paused.
   */
  open(caller: Pick<Caller, 'limitKey'>): IngestCost;
  /**
   * Refuses the requests of a caller for a second: what stopped the last one would stop them after
   * they are parsed.
   */
  pause(caller: Pick<Caller, 'limitKey'>): void;
}

/** An entry takes as long as so many bytes of a message. */
const entryCost = 200;
/**
 * Cost of one caller's requests in progress, in bodies of the largest size. A lone request may cost
 * more.
 */
const maxBodiesInProgress = 12;
const pauseMs = 1000;
/** Days of the entries of one request that cost nothing more. */
const freeDays = 31;
/**
 * Milliseconds for each further day, before the next request of many days begins. Usage is stored
 * by day, so a day takes half a millisecond of CPU time. Most of that is the roll-up, for which no
 * request waits.
 */
const dayMs = 2;
const maxDaysWaitMs = 5000;
/**
 * Milliseconds between two charges of a caller in Redis. Before a charge, its costs count
 * in this process only.
 */
const chargeInterval = 250;
/** Callers that are known before those without a use are removed. */
const manyCallers = 1000;

/** The costs of a caller, as this process knows them. */
interface Account {
  /** In all processes, when Redis replied last. */
  spent: number;
  /** Not charged in Redis yet, or without its reply. */
  uncharged: number;
  inProgress: number;
  requests: number;
  /** Times in the clock of `performance.now()`. */
  resetsAt: number;
  chargedAt: number;
  pausedUntil: number;
  /** When the next request of many days can begin. */
  daysEndAt: number;
}

interface Deps {
  config: Pick<Config, 'ingest'>;
  rateLimiter: RateLimiter;
}

/**
 * Limits what the requests of a caller cost, because the size of a packed body says nothing about
 * it. A request is refused by what earlier ones have cost, so each may cost as much as
 * `INGEST_MAX_BYTES` allows. Costs are charged in Redis beside the requests, so that none waits for
 * it; other processes know of them a moment later.
 */
export function createIngestBudget({ config: { ingest }, rateLimiter }: Deps): IngestBudget {
  const allowance = { name: 'ingest-bytes', limit: ingest.maxCostPerMinute, seconds: minuteInSeconds };
  const maxInProgress = maxBodiesInProgress * ingest.maxBytes;
  const accounts = new Map<string, Account>();

  const requireBalance = ({ spent, uncharged, resetsAt }: Account, own: number) => {
    // Redis reports no more than the limit, of which the own part is not known.
    const isUsedUp = spent >= ingest.maxCostPerMinute || spent + uncharged - own >= ingest.maxCostPerMinute;
    if (isUsedUp) throw rateLimited(inSeconds(resetsAt - performance.now()));
  };

  const charge = async (key: string, account: Account) => {
    const now = performance.now();
    if (account.uncharged === 0 || now - account.chargedAt < chargeInterval) return;
    // Until the reply.
    account.chargedAt = Number.POSITIVE_INFINITY;
    const cost = account.uncharged;
    try {
      const { limit, remaining, resetsIn } = await rateLimiter.consume(allowance, key, cost);
      account.uncharged -= cost;
      account.spent = limit - remaining;
      account.resetsAt = performance.now() + resetsIn;
    } finally {
      account.chargedAt = now;
    }
  };

  return {
    open: ({ limitKey }) => {
      const account = accountOf(accounts, limitKey);
      if (account.pausedUntil > performance.now()) throw rateLimited(inSeconds(pauseMs));
      // The last requests before a refusal can be uncharged.
      charge(limitKey, account).catch(() => {});
      requireBalance(account, 0);
      let own = 0;
      let isOpen = true;
      account.requests += 1;
      return {
        add: (bytes, entries) => {
          const cost = bytes + entries * entryCost;
          requireBalance(account, own);
          if (account.inProgress > own && account.inProgress + cost > maxInProgress) {
            throw rateLimited(inSeconds(pauseMs));
          }
          own += cost;
          account.inProgress += cost;
          account.uncharged += cost;
        },
        waitForDays: async (entries) => {
          const days = countDays(entries) - freeDays;
          if (days <= 0) return false;
          const wait = Math.max(0, account.daysEndAt - performance.now());
          if (wait > maxDaysWaitMs) {
            account.pausedUntil = performance.now() + pauseMs;
            throw rateLimited(inSeconds(wait), 'Log entries of too many days');
          }
          account.daysEndAt = performance.now() + wait + days * dayMs;
          await delay(wait);
          return wait > 0;
        },
        end: () => {
          if (!isOpen) return;
          isOpen = false;
          account.requests -= 1;
          account.inProgress -= own;
          // The limiter counts by itself while Redis is unreachable. A charge that fails is charged
          // with the next one.
          charge(limitKey, account).catch(() => {});
        },
      };
    },
    pause: ({ limitKey }) => {
      accountOf(accounts, limitKey).pausedUntil = performance.now() + pauseMs;
    },
  };
}

/** The number of UTC days of the entries. All entries without a time count as one day. */
function countDays(entries: readonly Pick<LogEntryInput, 'timestamp'>[]): number {
  const days = new Set<number | undefined>();
  for (const { timestamp } of entries) days.add(timestamp === undefined ? undefined : Math.floor(timestamp / day));
  return days.size;
}

/** The account of a caller in the present minute. */
function accountOf(accounts: Map<string, Account>, key: string): Account {
  const now = performance.now();
  const known = accounts.get(key);
  if (known) {
    if (known.resetsAt <= now) Object.assign(known, { spent: 0, resetsAt: now + minuteInSeconds * 1000 });
    return known;
  }
  if (accounts.size >= manyCallers) {
    for (const [other, { requests, resetsAt, daysEndAt }] of accounts) {
      if (requests === 0 && resetsAt <= now && daysEndAt <= now) accounts.delete(other);
    }
  }
  const account: Account = {
    spent: 0,
    uncharged: 0,
    inProgress: 0,
    requests: 0,
    resetsAt: now + minuteInSeconds * 1000,
    chargedAt: Number.NEGATIVE_INFINITY,
    pausedUntil: 0,
    daysEndAt: 0,
  };
  accounts.set(key, account);
  return account;
}

/** Cause of a refusal because the caller's share of the backlog is used up. */
export const shareUsed = Symbol('share of the backlog');

/** Opens the cost of a request, and ends it with the request. */
export async function withCost<T>(
  budget: IngestBudget,
  caller: Pick<Caller, 'limitKey'>,
  handle: (cost: IngestCost) => Promise<T>,
): Promise<T> {
  const cost = budget.open(caller);
  try {
    return await handle(cost);
  } catch (error) {
    if (error instanceof AppError && error.cause === shareUsed) budget.pause(caller);
    throw error;
  } finally {
    cost.end();
  }
}

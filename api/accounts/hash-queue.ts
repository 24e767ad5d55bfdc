import { minute, second } from '../../shared/durations.ts';
import { AppError, rateLimited, unavailable } from '../../shared/errors.ts';

/** The request that a password is hashed for. */
export interface HashRequest {
  network: string;
  /**
   * Attempts of the network within the last minute that failed or are in progress, before this one.
   */
  earlierAttempts: number;
  /** Whether the client has disconnected. */
  isAbandoned(): boolean;
}

export interface HashQueue {
  /**
   * Runs a task when its turn comes. The task of an abandoned request never runs.
   * @throws AppError RATE_LIMITED if the network has too many tasks, SERVICE_UNAVAILABLE if too
   * many wait.
   */
  readonly run: <Result>(request: HashRequest, task: () => Promise<Result>) => Promise<Result>;
  /**
   * Reads what a task needs from the databases, unless `run` would refuse the task. Few requests
   * read at a time, those of the least refused networks first: a burst of logins that all read at
   * once would occupy the event loop for seconds.
   * @throws AppError as `run`, and SERVICE_UNAVAILABLE after 2 s of waiting or if the databases do
   * not respond to an earlier request.
   */
  readonly prepare: <Result>(request: Reader, read: () => Promise<Result>) => Promise<Result>;
  /** Records that a password of the network was right. */
  readonly recordSuccess: (network: string) => void;
}

/** bcrypt shares Node's four threads with files and compression. */
const maxRunning = 2;

/**
 * Running tasks of networks that have other attempts. The rest is free for the first attempt of a
 * network.
 */
const maxRepeatedRunning = maxRunning - 1;

/** Tasks of one network that run or wait. */
const maxPerNetwork = 2;

/** Requests that read at a time. Each takes some milliseconds. */
const maxReading = 2;

const maxReaderWaitMs = 2 * second;

/** With 250 ms a task, the last of these waits for 3 s, or 6 s if all are repeated attempts. */
const maxWaiting = 24;

/** A network with more refusals within a minute repeats refused attempts. */
const maxRefusals = 3;

/** Networks whose refusals, or whose successes, are known. Beyond them, all are forgotten. */
const maxKnownNetworks = 10_000;

type Reader = Pick<HashRequest, 'network' | 'isAbandoned'>;

interface WaitingReader extends Reader {
  start(): void;
  refuse(error: unknown): void;
}

interface Entry {
  readonly request: HashRequest;
  /** Whether the network had other attempts when the task started. */
  isRepeated: boolean;
  start(): void;
  refuse(error: Error): void;
}

/**
 * Orders tasks by the attempts of their network, the fewest first; the refused ones count beyond a
 * few. A person logs in once at a time, so an attack that repeats itself waits behind. Networks
 * with an earlier success precede equal ones, then the newest do: a burst delays those who were
 * part of it, not those who come after it. If too many wait, the last in this order is refused.
 */
export function createHashQueue(): HashQueue {
  /** The newest first. */
  let waiting: Entry[] = [];
  const running = new Set<Entry>();
  const refusals = new Refusals();
  const successes = new Set<string>();

  const tasksOf = (network: string) =>
    [...waiting, ...running].filter(({ request }) => request.network === network).length;
  const otherAttempts = ({ request: { network, earlierAttempts } }: Entry) =>
    earlierAttempts + tasksOf(network) - 1 + Math.max(0, refusals.of(network) - maxRefusals);
  const newcomer = (network: string) => (successes.has(network) ? 0 : 1);
  const inOrder = () =>
    waiting.toSorted(
      (one, other) =>
        otherAttempts(one) - otherAttempts(other) || newcomer(one.request.network) - newcomer(other.request.network),
    );

  function refuse(refused: Entry): void {
    waiting = waiting.filter((entry) => entry !== refused);
    refusals.count(refused.request.network);
    refused.refuse(overloaded());
  }

  function refuseAbandoned(): void {
    for (const entry of waiting.filter(({ request }) => request.isAbandoned())) refuse(entry);
  }

  function startNext(): void {
    refuseAbandoned();
    while (running.size < maxRunning) {
      const [next] = inOrder();
      if (!next) return;
      next.isRepeated = otherAttempts(next) > 0;
      const repeated = [...running].filter(({ isRepeated }) => isRepeated).length;
      if (next.isRepeated && repeated >= maxRepeatedRunning) return;
      waiting = waiting.filter((entry) => entry !== next);
      running.add(next);
      next.start();
    }
  }

  function requireCapacity(network: string): void {
    refuseAbandoned();
    const own = tasksOf(network);
    const isOverloaded = own > 0 && waiting.length >= maxWaiting;
    if (own < maxPerNetwork && !isOverloaded) return;
    refusals.count(network);
    throw own >= maxPerNetwork ? rateLimited(1) : overloaded();
  }

  async function run<Result>(request: HashRequest, task: () => Promise<Result>): Promise<Result> {
    requireCapacity(request.network);
    const entry: Entry = { request, isRepeated: false, start: () => {}, refuse: () => {} };
    await new Promise<void>((start, reject) => {
      Object.assign(entry, { start, refuse: reject });
      waiting.unshift(entry);
      startNext();
      const last = inOrder().at(-1);
      if (last && waiting.length > maxWaiting) refuse(last);
    });
    try {
      return await task();
    } finally {
      running.delete(entry);
      startNext();
    }
  }

  function recordSuccess(network: string): void {
    if (successes.size >= maxKnownNetworks) successes.clear();
    successes.add(network);
  }

  const precedence = (network: string) => 2 * refusals.of(network) + newcomer(network);
  return { run, prepare: createReaders(precedence, requireCapacity), recordSuccess };
}

/**
 * Creates the function that reads for few requests at a time: those of the least refused network
 * first, of these one with an earlier success, then the oldest.
 * @param precedence the lowest first.
 * @param requireCapacity throws if no further task of the network would be accepted.
 */
function createReaders(
  precedence: (network: string) => number,
  requireCapacity: (network: string) => void,
): HashQueue['prepare'] {
  let reading = 0;
  const readers = new Set<WaitingReader>();

  /** Otherwise each of them would wait for the databases in turn, until the same limit of time. */
  function refuseReaders(error: unknown): never {
    const isDown = error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE';
    if (isDown) for (const reader of readers) reader.refuse(error);
    throw error;
  }

  function waitToRead(request: Reader): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (work: () => void) => {
        clearTimeout(timer);
        readers.delete(reader);
        work();
      };
      const reader = {
        ...request,
        start: () => settle(resolve),
        refuse: (error: unknown) => settle(() => reject(error)),
      };
      const timer = setTimeout(() => reader.refuse(overloaded()), maxReaderWaitMs);
      readers.add(reader);
    });
  }

  function nextReader(): WaitingReader | undefined {
    let first: WaitingReader | undefined;
    for (const reader of readers) {
      if (!first || precedence(reader.network) < precedence(first.network)) first = reader;
    }
    return first;
  }

  return async (request, read) => {
    if (reading < maxReading) reading += 1;
    else await waitToRead(request);
    try {
      if (request.isAbandoned()) throw overloaded();
      requireCapacity(request.network);
      return await read().catch(refuseReaders);
    } finally {
      const next = nextReader();
      if (next) next.start();
      else reading -= 1;
    }
  };
}

/** Refusals of the present minute, by network. */
class Refusals {
  readonly #counts = new Map<string, number>();
  #endAt = 0;

  of(network: string): number {
    return this.#counts.get(network) ?? 0;
  }

  count(network: string): void {
    const now = performance.now();
    if (now >= this.#endAt || this.#counts.size >= maxKnownNetworks) {
      this.#counts.clear();
      this.#endAt = now + minute;
    }
    this.#counts.set(network, this.of(network) + 1);
  }
}

const overloaded = () => unavailable('Too many passwords are being checked: try again in a few seconds.', 2);

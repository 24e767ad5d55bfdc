import { compare, hash } from 'bcrypt';
import { unavailable } from '../../shared/errors.ts';

/** bcrypt's cost: 2 to this power rounds. */
const defaultCost = 12;

/** bcrypt ignores the bytes after this length, so a longer password would be truncated silently. */
export const maxPasswordBytes = 72;
export const minPasswordBytes = 10;

/** The hash of a random password, for comparisons without an account. */
const dummyHash = (cost: number) =>
  `$2b$${String(cost).padStart(2, '0')}$8UcIj3wvdr0/sVDAYPyqAeB0LYJp0mdDXzP75gZ24OwmjqJ2J5UWC`;

export type Passwords = ReturnType<typeof createPasswords>;

/**
 * Hashes passwords, for all handlers of a process. A hash occupies a thread for about 250 ms.
 * @param cost of new hashes. Tests of everything else use the lowest one.
 * @throws AppError as a `HashQueue` does.
 */
export function createPasswords(cost = defaultCost) {
  const run = createHashQueue();
  return {
    hash: (password: string, request: HashRequest): Promise<string> => run(request, () => hash(password, cost)),
    /** Takes the same time with and without a `passwordHash`. */
    matches: async (password: string, passwordHash: string | undefined, request: HashRequest): Promise<boolean> => {
      const isSame = await run(request, () => compare(password, passwordHash ?? dummyHash(cost)));
      return isSame && passwordHash !== undefined && Buffer.byteLength(password) <= maxPasswordBytes;
    },
  };
}

/** The request that a password is hashed for. */
export interface HashRequest {
  network: string;
  /** Earlier attempts of the network, within a minute, that failed or are in progress. */
  earlierAttempts: number;
  /** Whether the client has disconnected. */
  isAbandoned(): boolean;
}

/**
 * Runs a task when its turn comes. The task of an abandoned request never runs.
 * @throws AppError SERVICE_UNAVAILABLE if too many wait.
 */
type HashQueue = <Result>(request: HashRequest, task: () => Promise<Result>) => Promise<Result>;

/** bcrypt shares Node's four threads with files and compression. */
const maxRunning = 2;

/** With 250 ms a task, the last of these waits for 3 s, or 6 s if all are repeated attempts. */
const maxWaiting = 24;

interface Entry {
  readonly request: HashRequest;
  /** Other attempts of its network. */
  readonly attempts: number;
  start(): void;
  refuse(error: Error): void;
}

/**
 * Orders tasks by the attempts of their network: the fewest first, of equal ones the newest. So an
 * attack that repeats itself waits behind a person, who logs in once at a time, and a burst delays
 * those who were part of it. One of two slots is for networks without other attempts. If too many
 * wait, the last in this order is refused.
 */
export function createHashQueue(): HashQueue {
  const waiting: Entry[] = [];
  const running = new Set<Entry>();

  const attemptsOf = ({ network, earlierAttempts }: HashRequest) =>
    earlierAttempts + [...waiting, ...running].filter(({ request }) => request.network === network).length;

  function startNext(): void {
    while (running.size < maxRunning) {
      const hasRepeated = [...running].some(({ attempts }) => attempts > 0);
      const at = waiting.findIndex(({ attempts }) => attempts === 0 || !hasRepeated);
      const [next] = at < 0 ? [] : waiting.splice(at, 1);
      if (!next) return;
      if (next.request.isAbandoned()) next.refuse(overloaded());
      else {
        running.add(next);
        next.start();
      }
    }
  }

  return async (request, task) => {
    const entry: Entry = { request, attempts: attemptsOf(request), start: () => {}, refuse: () => {} };
    await new Promise<void>((start, refuse) => {
      Object.assign(entry, { start, refuse });
      const before = waiting.findIndex(({ attempts }) => attempts >= entry.attempts);
      waiting.splice(before < 0 ? waiting.length : before, 0, entry);
      startNext();
      if (waiting.length > maxWaiting) waiting.pop()?.refuse(overloaded());
    });
    try {
      return await task();
    } finally {
      running.delete(entry);
      startNext();
    }
  };
}

const overloaded = () => unavailable('Too many passwords are being checked: try again in a few seconds.', 2);

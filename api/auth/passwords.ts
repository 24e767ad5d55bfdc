import { compare, hash } from 'bcrypt';
import { rateLimited } from '../../shared/errors.ts';
import { createTurns } from '../../shared/runtime/turns.ts';

/** bcrypt's cost: 2 to this power rounds. */
const defaultCost = 12;

/** bcrypt ignores the bytes after this length, so a longer password would be truncated silently. */
export const maxPasswordBytes = 72;
export const minPasswordBytes = 10;

/** The hash of a random password, for comparisons without an account. */
const dummyHash = (cost: number) =>
  `$2b$${String(cost).padStart(2, '0')}$8UcIj3wvdr0/sVDAYPyqAeB0LYJp0mdDXzP75gZ24OwmjqJ2J5UWC`;

/** Number of hashes that run concurrently. bcrypt shares Node's four threads with files and compression. */
const maxConcurrent = 2;

/** Number of hashes of one network that run or wait. The limit prevents that one caller delays the others. */
const maxPerNetwork = 2;

/**
 * Hashes passwords. A hash of the default cost occupies a thread for about 250 ms.
 * @throws AppError RATE_LIMITED if the network has too many hashes in progress.
 */
export interface Passwords {
  hash(password: string, network: string): Promise<string>;
  /** Takes the same time with and without a `passwordHash`. */
  matches(password: string, passwordHash: string | undefined, network: string): Promise<boolean>;
}

/** @param cost of new hashes. Tests of everything else use the lowest one. */
export function createPasswords(cost = defaultCost): Passwords {
  const inTurn = createTurns(maxConcurrent);
  const inProgress = new Map<string, number>();

  async function forNetwork<T>(network: string, work: () => Promise<T>): Promise<T> {
    const own = inProgress.get(network) ?? 0;
    if (own >= maxPerNetwork) throw rateLimited(1);
    inProgress.set(network, own + 1);
    try {
      return await inTurn(work);
    } finally {
      const left = (inProgress.get(network) ?? 1) - 1;
      if (left === 0) inProgress.delete(network);
      else inProgress.set(network, left);
    }
  }

  return {
    hash: (password, network) => forNetwork(network, () => hash(password, cost)),
    matches: async (password, passwordHash, network) => {
      const matches = await forNetwork(network, () => compare(password, passwordHash ?? dummyHash(cost)));
      return matches && passwordHash !== undefined && Buffer.byteLength(password) <= maxPasswordBytes;
    },
  };
}

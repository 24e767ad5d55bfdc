import { compare, hash } from 'bcrypt';
import { createHashQueue, type HashRequest } from './hash-queue.ts';

/** bcrypt's cost: 2 to this power rounds. */
const defaultCost = 12;

/** bcrypt ignores the bytes after this length, so a longer password would be truncated silently. */
export const maxPasswordBytes = 72;
export const minPasswordBytes = 10;

/** The hash of a random password, for comparisons without an account. */
const dummyHash = (cost: number) =>
  `$2b$${String(cost).padStart(2, '0')}$8UcIj3wvdr0/sVDAYPyqAeB0LYJp0mdDXzP75gZ24OwmjqJ2J5UWC`;

/**
 * Hashes passwords. A hash of the default cost occupies a thread for about 250 ms.
 * @throws AppError as a `HashQueue` does.
 */
export interface Passwords {
  hash(password: string, request: HashRequest): Promise<string>;
  /** Takes the same time with and without a `passwordHash`. */
  matches(password: string, passwordHash: string | undefined, request: HashRequest): Promise<boolean>;
}

/** @param cost of new hashes. Tests of everything else use the lowest one. */
export function createPasswords(cost = defaultCost): Passwords {
  const run = createHashQueue();
  return {
    hash: (password, request) => run(request, () => hash(password, cost)),
    matches: async (password, passwordHash, request) => {
      const isSame = await run(request, () => compare(password, passwordHash ?? dummyHash(cost)));
      return isSame && passwordHash !== undefined && Buffer.byteLength(password) <= maxPasswordBytes;
    },
  };
}

import { compare, hash } from 'bcrypt';

const cost = 12;

/** bcrypt ignores everything beyond; a longer password would be truncated silently. */
export const maxPasswordBytes = 72;
export const minPasswordBytes = 10;

/** The hash of a random password, for comparisons without an account. */
const dummyHash = '$2b$12$8UcIj3wvdr0/sVDAYPyqAeB0LYJp0mdDXzP75gZ24OwmjqJ2J5UWC';

/** Hashes that run concurrently: bcrypt shares Node's four threads with files and compression. */
const maxConcurrent = 2;

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes the same time whether there is a hash to compare with or not. */
  matches(password: string, passwordHash: string | undefined): Promise<boolean>;
}

export function createPasswords(): Passwords {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    // A finished task passes its place to the next one, so the count stays the same.
    if (running >= maxConcurrent) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  }

  return {
    hash: (password) => inTurn(() => hash(password, cost)),
    matches: async (password, passwordHash) => {
      const matches = await inTurn(() => compare(password, passwordHash ?? dummyHash));
      return matches && passwordHash !== undefined && Buffer.byteLength(password) <= maxPasswordBytes;
    },
  };
}

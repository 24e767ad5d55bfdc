import { compare, hash } from 'bcrypt';

const cost = 12;

/** bcrypt looks at no more than this; a longer password would be cut in silence. */
export const maxPasswordBytes = 72;
export const minPasswordBytes = 10;

/** Of a password that nobody knows; comparing with it takes as long as with any other. */
const nobodysHash = '$2b$12$8UcIj3wvdr0/sVDAYPyqAeB0LYJp0mdDXzP75gZ24OwmjqJ2J5UWC';

/**
 * Hashing runs on Node's few threads, where files and compression have their turn too; no more than this many at once,
 * so that a wave of logins holds up nobody else.
 */
const maxAtOnce = 2;

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes the same time whether there is a hash to compare with or not. */
  matches(password: string, passwordHash: string | undefined): Promise<boolean>;
}

export function createPasswords(): Passwords {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    // Who leaves hands the place to the next in line, so the count stays as it is.
    if (running >= maxAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
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
      const matches = await inTurn(() => compare(password, passwordHash ?? nobodysHash));
      return matches && passwordHash !== undefined && Buffer.byteLength(password) <= maxPasswordBytes;
    },
  };
}

import type { PasswordLink } from '../../shared/accounts/user.model.ts';
import { sha256 } from '../../shared/crypto/sha256.ts';
import { day } from '../../shared/durations.ts';
import { type OperationSeed, secretBytesOf } from '../http/idempotency-key.ts';

/** How long the token of a password link is valid, in milliseconds. */
const passwordLinkLifetime = 3 * day;

const tokenBytes = 32;
const pattern = /^[\w-]{43}$/;

interface NewPasswordLink {
  /** Sent to the admin once, never stored. */
  token: string;
  stored: PasswordLink;
}

/**
 * @param operation a POST with an `Idempotency-Key`: every attempt of it generates the same link.
 */
export function generatePasswordLink(operation?: OperationSeed & { begunAt: Date }): NewPasswordLink {
  const token = secretBytesOf('password link', tokenBytes, operation).toString('base64url');
  const begunAt = operation?.begunAt.getTime() ?? Date.now();
  return { token, stored: { hash: hashOf(token), expiresAt: new Date(begunAt + passwordLinkLifetime) } };
}

/** The stored form of a link's token, or null if the text is not such a token. */
export function hashOfLinkToken(token: string): string | null {
  return pattern.test(token) ? hashOf(token) : null;
}

const hashOf = (token: string) => sha256(token, 'hex');

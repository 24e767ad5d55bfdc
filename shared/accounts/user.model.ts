import { defineModel } from '../connections/mongo.ts';

export const roles = ['admin', 'member'] as const;
export type Role = (typeof roles)[number];

/** A one-time link with which the owner of an account sets its password. */
export interface PasswordLink {
  /** SHA-256 of the link's token, hexadecimal. */
  hash: string;
  expiresAt: Date;
}

export interface User {
  _id: string;
  email: string;
  emailKey: string;
  /** Set on the admin that registered, which there is not in production. */
  first?: true;
  role: Role;
  /**
   * bcrypt hash, which contains salt and cost. Absent until the first password link of an account
   * is used.
   */
  passwordHash?: string;
  /** The newest link; a new one replaces it, and its use removes it. */
  passwordLink?: PasswordLink;
  /** While it is set, the account has no access. Absent in accounts that were never disabled. */
  disabledAt?: Date | null;
  /**
   * Incremented by every change that an admin makes, and by the use of a link. Absent before the
   * first one.
   */
  revision?: number;
  createdAt: Date;
  updatedAt: Date;
}

/** Addresses are compared trimmed, composed (NFC) and without case. */
export function emailKeyOf(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

/** Selects the admins that can log in. Once there is one, there is always one. */
export const activeAdmin = { role: 'admin', disabledAt: null, passwordHash: { $type: 'string' } } as const;

export function isActiveAdmin({ role, disabledAt, passwordHash }: User): boolean {
  return role === 'admin' && !disabledAt && passwordHash !== undefined;
}

export const createUserModel = defineModel<User>('users', [
  // Serves the login, and refuses a second account with the same address.
  [{ emailKey: 1 }, { unique: true }],
  // Makes only one of concurrent registrations the admin.
  [{ first: 1 }, { unique: true, partialFilterExpression: { first: true } }],
  // Serves the use of a password link.
  [{ 'passwordLink.hash': 1 }, { partialFilterExpression: { 'passwordLink.hash': { $type: 'string' } } }],
  // Serves the count of admins.
  [{ role: 1, _id: 1 }],
  // Serves the list of accounts. The id makes the order total, so that pages neither repeat nor
  // skip.
  [{ createdAt: 1, _id: 1 }],
]);

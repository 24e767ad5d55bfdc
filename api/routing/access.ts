import type { AuthMode, DataAccess, LimitName } from '../../shared/config/config.ts';
import type { Scope } from '../../shared/models/api-key.model.ts';

/**
 * The credentials that a route requires. `none`: credentials are ignored. `optional`: credentials that are sent must be
 * valid. `apiKeyOrToken`: either. `apiKey`: an API key. `token`: an access token.
 */
export type Auth = 'none' | 'optional' | 'apiKeyOrToken' | 'apiKey' | 'token';

/**
 * What a route shows or changes. `service`: nothing that belongs to an account. `account`: the caller's own account.
 * `owned`: scenarios and notebooks, and what belongs to them. `admin`: all accounts.
 */
export type Reach = 'service' | 'account' | 'owned' | 'admin';

export interface Access {
  /** By AUTH_MODE. */
  readonly auth: Readonly<Record<AuthMode, Auth>>;
  /** What a key or user must be allowed to do; null where every caller or every account may. */
  readonly scope: Scope | null;
  readonly reach: Reach;
}

/** Whose things a member sees and changes by a route; null where there are none. */
export type MemberReach = 'all' | 'own' | 'account' | 'none';

export function memberReach(reach: Reach, access: DataAccess): MemberReach | null {
  if (reach === 'service') return null;
  if (reach === 'admin') return 'none';
  if (reach === 'account') return 'account';
  return access === 'team' ? 'all' : 'own';
}

export const publicAccess: Access = { auth: { documented: 'none', strict: 'none' }, scope: null, reach: 'service' };

/** The caller's own account: an access token, never an API key. */
export const accountAccess: Access = { auth: { documented: 'token', strict: 'token' }, scope: null, reach: 'account' };

/** Accounts in general: the access token of an admin, never an API key. */
export const adminAccess: Access = { auth: accountAccess.auth, scope: 'admin', reach: 'admin' };

/** Routes that the interface's reference leaves open: credentials are required in strict mode only. */
export const openAccess = (scope: Scope, reach: 'owned' | 'service' = 'owned'): Access => ({
  auth: { documented: 'optional', strict: 'apiKeyOrToken' },
  scope,
  reach,
});

export const apiKeyAccess = (scope: Scope): Access => ({
  auth: { documented: 'apiKey', strict: 'apiKey' },
  scope,
  reach: 'owned',
});

/** A limit of requests per minute. */
export interface RouteLimit {
  /** `login` is counted by the handler: failed attempts only, by address and by account. */
  readonly name: LimitName | 'login';
  /** Requests allowed within one second. */
  readonly burst?: number;
}

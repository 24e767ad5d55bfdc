import type { AuthMode, LimitName } from '../../shared/config/config.ts';
import type { Scope } from '../../shared/models/api-key.model.ts';

/**
 * The credentials that a route requires. `none`: credentials are ignored. `optional`: credentials that are sent must be
 * valid. `apiKeyOrToken`: either. `apiKey`: an API key. `token`: an access token.
 */
export type Auth = 'none' | 'optional' | 'apiKeyOrToken' | 'apiKey' | 'token';

export interface Access {
  /** By AUTH_MODE. */
  readonly auth: Readonly<Record<AuthMode, Auth>>;
  /** What a key or user must be allowed to do; null where every caller or every account may. */
  readonly scope: Scope | null;
}

export const publicAccess: Access = { auth: { documented: 'none', strict: 'none' }, scope: null };

/** The caller's own account: an access token, never an API key. */
export const accountAccess: Access = { auth: { documented: 'token', strict: 'token' }, scope: null };

/** Accounts in general: the access token of an admin, never an API key. */
export const adminAccess: Access = { auth: accountAccess.auth, scope: 'admin' };

/** Routes that the interface's reference leaves open: credentials are required in strict mode only. */
export const openAccess = (scope: Scope): Access => ({
  auth: { documented: 'optional', strict: 'apiKeyOrToken' },
  scope,
});

export const apiKeyAccess = (scope: Scope): Access => ({ auth: { documented: 'apiKey', strict: 'apiKey' }, scope });

/** A limit of requests per minute. */
export interface RouteLimit {
  /** `login` is counted by the handler: failed attempts only, by address and by account. */
  readonly name: LimitName | 'login';
  /** Requests allowed within one second. */
  readonly burst?: number;
}

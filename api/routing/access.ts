import type { AuthMode, LimitName } from '../../shared/config/config.ts';
import type { Scope } from '../../shared/models/api-key.model.ts';

/**
 * The credentials that a route requires. `none`: credentials are ignored. `optional`: credentials that are sent must be
 * valid. `apiKeyOrToken`: either. `apiKey`: an API key. `token`: an access token.
 */
export type Auth = 'none' | 'optional' | 'apiKeyOrToken' | 'apiKey' | 'token';

export interface Access {
  /** The required credentials, by AUTH_MODE. */
  readonly auth: Readonly<Record<AuthMode, Auth>>;
  /** The scope that a key or user must have; null if the route requires no scope. */
  readonly scope: Scope | null;
}

export const publicAccess: Access = { auth: { documented: 'none', strict: 'none' }, scope: null };

/** For routes of the caller's own account: an access token is required, and an API key is refused. */
export const accountAccess: Access = { auth: { documented: 'token', strict: 'token' }, scope: null };

/** For routes without required credentials in the interface's reference: only the strict mode requires credentials. */
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
